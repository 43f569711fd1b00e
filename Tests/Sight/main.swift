// What tools/bench/sight runs: prints how well the player is found in rendered scenes.

let isQuick = CommandLine.arguments.contains("--quick")
let tables = Tables(seconds: isQuick ? 30 : 60)
tables.print("Seeds on which parameters were chosen", seeds: isQuick ? 1...2 : 1...10)
tables.print("Seeds on which they are judged", seeds: isQuick ? 1001...1002 : 1001...1020)
