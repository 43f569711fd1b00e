import Scenes

// What tools/bench/sight runs: prints how well the player is found in rendered scenes. With `film` it
// writes one of them, for tools/bench/camera; with `cost FOLDER` it prints what such a film's frames cost;
// with `seeds FROM TO [SCENE…]` it judges those; with `failures FROM TO [SCENE…]` it prints a line for each
// gap and ghost of theirs; with `spoilt FROM TO [SCENE…]` or `shadows FROM TO` it judges them in spoilt
// pictures, or with hard shadows; with `moved SEED SEED` it moves the camera; with `seen` and `places` it
// looks at a real film.

let arguments = Array(CommandLine.arguments.dropFirst())
if arguments.first == "film" {
  try Film.write(Array(arguments.dropFirst()))
} else if arguments.first == "cost" {
  try Cost.print(Array(arguments.dropFirst()))
} else if arguments.first == "seen" {
  try Seen.write(Array(arguments.dropFirst()))
} else if arguments.first == "places" {
  try Seen.places(Array(arguments.dropFirst()))
} else if ["seeds", "failures", "spoilt", "shadows", "moved"].contains(arguments.first),
  arguments.count > 2,
  let from = UInt64(arguments[1]), let to = UInt64(arguments[2]), from <= to
{
  let named = arguments.dropFirst(3).compactMap(Setting.init)
  let settings = named.isEmpty ? Setting.allCases : named
  let spoilt = SpoiltTables(seconds: 20, seeds: from...to, settings: settings)
  switch arguments[0] {
  case "failures": Failure.print(settings, seeds: from...to, seconds: 60)
  case "spoilt": spoilt.print()
  case "moved": MoveTable(settings: settings).print(seed: from)
  case "shadows": spoilt.printShadows()
  default: Tables(seconds: 60, settings: settings).print("Seeds", seeds: from...to)
  }
} else {
  let isQuick = arguments.contains("--quick")
  let tables = Tables(seconds: isQuick ? 30 : 60)
  tables.print("Seeds on which parameters were chosen", seeds: isQuick ? 1...2 : 1...10)
  tables.print("Seeds on which they are judged", seeds: isQuick ? 7001...7002 : 7001...7020)
  let spoilt = SpoiltTables(seconds: 20, seeds: isQuick ? 7001...7001 : 7001...7002)
  spoilt.print()
  spoilt.printShadows()
  MoveTable().print(seed: 7001)
}
