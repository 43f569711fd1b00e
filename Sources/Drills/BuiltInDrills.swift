/// The drills that are part of the program: the files of `tools/drills`.
enum BuiltInDrills {
  static let all: [String: [UInt8]] = [
    "deep-deep-short": PackageResources.deep_deep_short_yaml,
    "run": PackageResources.run_yaml,
    "three-to-the-backhand": PackageResources.three_to_the_backhand_yaml,
    "two-corners": PackageResources.two_corners_yaml,
  ]
}
