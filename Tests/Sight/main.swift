// What tools/bench/sight runs: prints how well the player is found in rendered scenes. With `film` it
// writes one of them, for tools/bench/camera.

if CommandLine.arguments.dropFirst().first == "film" {
  try Film.write(Array(CommandLine.arguments.dropFirst(2)))
} else {
  let isQuick = CommandLine.arguments.contains("--quick")
  let tables = Tables(seconds: isQuick ? 30 : 60)
  tables.print("Seeds on which parameters were chosen", seeds: isQuick ? 1...2 : 1...10)
  tables.print("Seeds on which they are judged", seeds: isQuick ? 2001...2002 : 2001...2020)
}
