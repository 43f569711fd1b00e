// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "ballmachine",
  products: [
    .executable(name: "ballmachine", targets: ["ballmachine"])
  ],
  targets: [
    .systemLibrary(
      name: "CBlueZ",
      path: "CBlueZ",
      pkgConfig: "dbus-1 bluez",
      providers: [.apt(["libdbus-1-dev", "libbluetooth-dev"])]
    ),
    .systemLibrary(name: "CArgp"),
    .systemLibrary(
      name: "CEdit",
      pkgConfig: "libedit",
      providers: [.apt(["libedit-dev"])]
    ),
    .systemLibrary(
      name: "CJansson",
      pkgConfig: "jansson",
      providers: [.apt(["libjansson-dev"])]
    ),
    .systemLibrary(name: "CLinux"),
    .systemLibrary(
      name: "CSystemd",
      pkgConfig: "libsystemd",
      providers: [.apt(["libsystemd-dev"])]
    ),
    .systemLibrary(
      name: "CYAML",
      pkgConfig: "yaml-0.1",
      providers: [.apt(["libyaml-dev"])]
    ),

    .target(name: "Threads", dependencies: ["CLinux"]),
    .target(name: "DBus", dependencies: ["CBlueZ", "Threads"]),
    .target(name: "BlueZ", dependencies: ["DBus", "CBlueZ", "Threads"]),
    .target(name: "CourtLogic"),
    .target(name: "MachineLink", dependencies: ["CourtLogic", "BlueZ", "Threads"]),
    .target(
      name: "Bridge",
      dependencies: ["CourtLogic", "MachineLink", "Threads", "CJansson", "CSystemd", "CYAML"],
      resources: [.embedInCode("command_table.csv")]
    ),
    .target(name: "MockMachine", dependencies: ["DBus"]),
    .executableTarget(
      name: "ballmachine",
      dependencies: [
        "Bridge", "CourtLogic", "MachineLink", "MockMachine", "Threads", "CArgp", "CEdit",
        "CLinux",
      ]
    ),

    .target(
      name: "TestSupport",
      dependencies: ["BlueZ", "CourtLogic", "DBus", "MachineLink", "Threads"],
      path: "Tests/TestSupport"
    ),
    // What the bridge's punctuality is compared with.
    .executableTarget(name: "BareTimer", dependencies: ["CourtLogic"], path: "Tests/BareTimer"),
    // The link alone, for tools/bench/run.
    .executableTarget(
      name: "Bench",
      dependencies: ["BlueZ", "CourtLogic", "DBus", "MachineLink", "Threads"],
      path: "Tests/Bench"
    ),
    // What tools/bench/growth runs.
    .executableTarget(
      name: "Growth",
      dependencies: ["Bridge", "CourtLogic", "MachineLink", "MockMachine", "TestSupport"],
      path: "Tests/Growth"
    ),
    .testTarget(name: "ThreadsTests", dependencies: ["Threads", "TestSupport"]),
    .testTarget(
      name: "DBusTests",
      dependencies: ["DBus", "MockMachine", "Threads", "TestSupport"]
    ),
    .testTarget(name: "BlueZTests", dependencies: ["BlueZ", "DBus", "TestSupport"]),
    .testTarget(name: "CourtLogicTests", dependencies: ["CourtLogic", "TestSupport"]),
    .testTarget(name: "MachineLinkTests", dependencies: ["MachineLink", "BlueZ", "TestSupport"]),
    .testTarget(
      name: "BridgeTests",
      dependencies: [
        "Bridge", "BlueZ", "CourtLogic", "DBus", "MachineLink", "Threads", "TestSupport",
      ]
    ),
    .testTarget(name: "MockMachineTests", dependencies: ["MockMachine", "DBus", "TestSupport"]),
    .testTarget(
      name: "ballmachineTests",
      dependencies: [
        "ballmachine", "BlueZ", "Bridge", "CourtLogic", "MachineLink", "TestSupport", "Threads",
      ]
    ),
    .testTarget(
      name: "IntegrationTests",
      dependencies: [
        "Bridge", "BlueZ", "CourtLogic", "DBus", "MachineLink", "MockMachine", "Threads",
        "TestSupport", "ballmachine", "BareTimer",
      ]
    ),
  ]
)

// One place for every Swift target's settings.
for target in package.targets where target.type != .system {
  target.swiftSettings = [
    // Data races are compile errors.
    .swiftLanguageMode(.v6),
    // `any P` is spelled out, so that boxing shows.
    .enableUpcomingFeature("ExistentialAny"),
    // An import is private to its file's target unless it says otherwise: C types can't leak.
    .enableUpcomingFeature("InternalImportsByDefault"),
    // A member is visible only where its module is imported: the arrows of the design are real.
    .enableUpcomingFeature("MemberImportVisibility"),
    // `nonisolated async` runs on its caller's executor: no hidden thread hops.
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  ]
}
