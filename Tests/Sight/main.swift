import Glibc

exit(Sight.main(Array(CommandLine.arguments.dropFirst())))
