import Glibc

if CommandLine.arguments.contains("watch") { watchBench(); exit(0) }
exit(Sight.main(Array(CommandLine.arguments.dropFirst())))
