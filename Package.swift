// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "ballmachine",
  products: [
    .executable(name: "ballmachine", targets: ["ballmachine"]),
    .executable(name: "ballmachine-camera", targets: ["ballmachine-camera"]),
    .executable(name: "ballmachine-mock", targets: ["ballmachine-mock"]),
    .executable(name: "ballmachine-mqtt", targets: ["ballmachine-mqtt"]),
    .executable(name: "ballmachine-web", targets: ["ballmachine-web"]),
  ],
  targets: [
    .systemLibrary(
      name: "CBlueZ",
      path: "CBlueZ",
      pkgConfig: "dbus-1 bluez",
      providers: [.apt(["libdbus-1-dev", "libbluetooth-dev"])]
    ),
    .systemLibrary(name: "CArgp"),
    .systemLibrary(name: "CBuild"),
    .systemLibrary(
      name: "CEdit",
      pkgConfig: "libedit",
      providers: [.apt(["libedit-dev"])]
    ),
    .systemLibrary(
      name: "CGnuTLS",
      pkgConfig: "gnutls",
      providers: [.apt(["libgnutls28-dev"])]
    ),
    .systemLibrary(
      name: "CJansson",
      pkgConfig: "jansson",
      providers: [.apt(["libjansson-dev"])]
    ),
    .systemLibrary(name: "CLinux"),
    .systemLibrary(
      name: "CMicroHTTPD",
      pkgConfig: "libmicrohttpd",
      providers: [.apt(["libmicrohttpd-dev"])]
    ),
    .systemLibrary(
      name: "CMosquitto",
      pkgConfig: "libmosquitto",
      providers: [.apt(["libmosquitto-dev"])]
    ),
    .systemLibrary(
      name: "COpenSSL",
      pkgConfig: "openssl",
      providers: [.apt(["libssl-dev"])]
    ),
    .systemLibrary(
      name: "CQRencode",
      pkgConfig: "libqrencode",
      providers: [.apt(["libqrencode-dev"])]
    ),
    .systemLibrary(
      name: "CJPEG",
      pkgConfig: "libjpeg",
      providers: [.apt(["libjpeg62-turbo-dev"])]
    ),
    .systemLibrary(name: "CVideo"),
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
    .systemLibrary(
      name: "CZlib",
      pkgConfig: "zlib",
      providers: [.apt(["zlib1g-dev"])]
    ),

    .target(name: "Clocks"),
    .target(name: "JSON", dependencies: ["CJansson"]),
    .target(name: "Host", dependencies: ["Clocks", "CLinux", "CSystemd"]),
    .target(name: "Terminal", dependencies: ["Host", "CLinux"]),
    .target(name: "StateFiles", dependencies: ["Host", "JSON"]),
    .target(name: "DBus", dependencies: ["Host", "CBlueZ"]),
    .target(name: "BlueZ", dependencies: ["DBus", "Host", "CBlueZ"]),
    .target(name: "CourtLogic", dependencies: ["Clocks"]),
    .target(name: "CourtMapping", dependencies: ["CourtLogic"]),
    .target(name: "Training", dependencies: ["CourtLogic"]),
    .target(
      name: "MachineLink",
      dependencies: ["BlueZ", "Clocks", "CourtLogic", "DBus", "Host", "StateFiles"]
    ),
    .target(name: "Safety", dependencies: ["Clocks", "CourtLogic"]),
    .target(name: "ControlProtocol", dependencies: ["Clocks", "CourtLogic", "Host", "JSON"]),
    .target(
      name: "Positions",
      dependencies: ["Clocks", "CourtLogic", "CourtMapping", "Host", "JSON"]
    ),
    .target(
      name: "RunLog",
      dependencies: [
        "Clocks", "ControlProtocol", "CourtLogic", "CourtMapping", "Host", "JSON", "Positions",
      ]
    ),
    .target(
      name: "SessionSummary",
      dependencies: [
        "Clocks", "ControlProtocol", "CourtLogic", "Host", "JSON", "Positions", "RunLog",
      ]
    ),
    .target(name: "YAML", dependencies: ["Host", "CYAML"]),
    .target(name: "Certificates", dependencies: ["Host", "Programs", "CGnuTLS"]),
    .target(
      name: "Calibrations",
      dependencies: ["CourtLogic", "CourtMapping", "Host", "JSON", "YAML"]
    ),
    .target(
      name: "Drills",
      dependencies: ["CourtLogic", "Host", "Training", "YAML"],
      resources: [
        .embedInCode("deep-deep-short.yaml"), .embedInCode("run.yaml"),
        .embedInCode("three-to-the-backhand.yaml"), .embedInCode("two-corners.yaml"),
      ]
    ),
    .target(
      name: "Configuration",
      dependencies: [
        "Calibrations", "CourtLogic", "CourtMapping", "Host", "MachineLink", "Positions", "RunLog",
        "Safety", "YAML",
      ],
      resources: [.embedInCode("command_table.csv")]
    ),
    .target(
      name: "Doctor",
      dependencies: [
        "BlueZ", "Clocks", "Configuration", "ControlProtocol", "Host", "JSON", "MachineLink",
        "Programs", "RunLog",
      ]
    ),
    .target(
      name: "Bridge",
      dependencies: [
        "Clocks", "Configuration", "ControlProtocol", "CourtLogic", "CourtMapping", "Host",
        "JSON", "MachineLink", "Positions", "Safety", "Training",
      ]
    ),
    .target(
      name: "Cues",
      dependencies: ["ControlProtocol", "Host", "YAML"],
      resources: [.embedInCode("cues.yaml")]
    ),
    .target(
      name: "Camera",
      dependencies: [
        "Calibrations", "Clocks", "ControlProtocol", "CourtLogic", "CourtMapping", "Host", "JSON",
        "YAML", "CJPEG", "CVideo",
      ]
    ),
    .target(
      name: "WebPage",
      dependencies: [
        "Clocks", "ControlProtocol", "Host", "JSON", "StateFiles", "YAML", "CGnuTLS",
        "CMicroHTTPD", "CQRencode", "CZlib",
      ],
      resources: [
        .embedInCode("Page/app.js"), .embedInCode("Page/apple-touch-icon.png"),
        .embedInCode("Page/art.js"), .embedInCode("Page/awake.js"), .embedInCode("Page/box.js"),
        .embedInCode("Page/calibrate.css"), .embedInCode("Page/calibrate.js"),
        .embedInCode("Page/calibrateCourt.js"), .embedInCode("Page/calibrateMarks.js"),
        .embedInCode("Page/calibratePicture.js"), .embedInCode("Page/calibrateVerdict.js"),
        .embedInCode("Page/calibrateWords.js"), .embedInCode("Page/cameras.css"),
        .embedInCode("Page/cameras.js"), .embedInCode("Page/camerasWords.js"),
        .embedInCode("Page/court.js"), .embedInCode("Page/drillList.js"),
        .embedInCode("Page/drills.js"), .embedInCode("Page/hero.js"),
        .embedInCode("Page/homography.js"), .embedInCode("Page/icon-192.png"),
        .embedInCode("Page/icon-512.png"), .embedInCode("Page/icon-maskable-512.png"),
        .embedInCode("Page/icon.svg"), .embedInCode("Page/index.html"),
        .embedInCode("Page/more.js"), .embedInCode("Page/pair.js"), .embedInCode("Page/pairing.js"),
        .embedInCode("Page/phoneCamera.js"), .embedInCode("Page/phoneFrames.js"),
        .embedInCode("Page/requests.js"), .embedInCode("Page/sessions.js"),
        .embedInCode("Page/sheet.js"), .embedInCode("Page/sheetTexts.js"),
        .embedInCode("Page/sheets.js"), .embedInCode("Page/start.js"), .embedInCode("Page/stop.js"),
        .embedInCode("Page/style.css"), .embedInCode("Page/texts.js"),
        .embedInCode("Page/unanswered.js"), .embedInCode("Page/words.js"),
      ]
    ),
    .target(
      name: "Fleet",
      dependencies: [
        "Clocks", "ControlProtocol", "Host", "JSON", "Terminal", "YAML", "CMosquitto", "COpenSSL",
      ]
    ),
    .target(name: "MockMachine", dependencies: ["Clocks", "CourtLogic", "DBus", "Host", "JSON"]),
    .target(
      name: "Programs",
      dependencies: ["ControlProtocol", "Host", "JSON", "YAML", "CArgp", "CBuild", "CLinux"]
    ),
    .target(
      name: "Options",
      dependencies: [
        "Configuration", "CourtLogic", "CourtMapping", "Drills", "Host", "Positions",
        "Programs", "RunLog", "Safety",
      ]
    ),
    .target(
      name: "Reports",
      dependencies: [
        "Bridge", "Clocks", "ControlProtocol", "CourtLogic", "Host", "JSON",
        "MachineLink", "Programs", "SessionSummary", "Terminal",
      ]
    ),
    .target(
      name: "Service",
      dependencies: [
        "Bridge", "Clocks", "Configuration", "ControlProtocol", "CourtLogic",
        "CourtMapping", "Drills", "Host", "JSON", "MachineLink", "Positions", "Programs",
        "Reports", "RunLog", "Safety", "StateFiles", "Terminal", "Training", "YAML",
      ]
    ),
    .executableTarget(
      name: "ballmachine-camera",
      dependencies: [
        "Calibrations", "Camera", "Clocks", "ControlProtocol", "CourtMapping", "Host", "JSON",
        "Programs",
      ]
    ),
    .executableTarget(
      name: "ballmachine-mock",
      dependencies: [
        "Bridge", "Clocks", "Configuration", "ControlProtocol", "CourtLogic", "CourtMapping",
        "Drills", "Host", "JSON", "MachineLink", "MockMachine", "Options", "Positions", "Programs",
        "Reports", "RunLog", "Service", "Terminal", "Training",
      ]
    ),
    .executableTarget(
      name: "ballmachine-mqtt",
      dependencies: [
        "Certificates", "ControlProtocol", "Fleet", "Host", "JSON", "Programs", "Terminal",
      ]
    ),
    .executableTarget(
      name: "ballmachine-web",
      dependencies: [
        "Certificates", "ControlProtocol", "Host", "JSON", "Programs", "Terminal", "WebPage",
      ]
    ),
    .executableTarget(
      name: "ballmachine",
      dependencies: [
        "BlueZ", "Bridge", "Calibrations", "Clocks", "Configuration", "ControlProtocol",
        "CourtLogic", "CourtMapping", "Cues", "Doctor", "Drills", "Host", "JSON", "MachineLink",
        "Options", "Positions", "Programs", "Reports", "RunLog", "Safety",
        "Service", "SessionSummary", "Terminal", "Training", "YAML", "CEdit",
      ]
    ),

    .target(
      name: "TestSupport",
      dependencies: [
        "BlueZ", "Clocks", "Configuration", "CourtLogic", "DBus", "Host", "MachineLink",
        "MockMachine", "Safety",
      ],
      path: "Tests/TestSupport"
    ),
    // A court in a camera's picture, with what is true of it.
    .target(
      name: "Scenes",
      dependencies: ["CourtLogic", "CourtMapping", "CJPEG"],
      path: "Tests/Scenes"
    ),
    // Debian's mosquitto, and brokers that break the rules.
    .target(
      name: "Brokers",
      dependencies: ["Fleet", "Host", "TestSupport"],
      path: "Tests/Brokers"
    ),
    // What tools/bench/sight and tools/bench/camera run.
    .executableTarget(
      name: "Sight",
      dependencies: [
        "Calibrations", "Camera", "Clocks", "CourtLogic", "CourtMapping", "Host", "Scenes",
      ],
      path: "Tests/Sight"
    ),
    // What the bridge's punctuality is compared with.
    .executableTarget(
      name: "BareTimer",
      dependencies: ["Clocks", "CourtLogic", "Host"],
      path: "Tests/BareTimer"
    ),
    // The link alone, for tools/bench/run.
    .executableTarget(
      name: "Bench",
      dependencies: ["BlueZ", "Clocks", "CourtLogic", "DBus", "Host", "MachineLink"],
      path: "Tests/Bench"
    ),
    // What tools/bench/growth runs.
    .executableTarget(
      name: "Growth",
      dependencies: [
        "Bridge", "Clocks", "Configuration", "ControlProtocol", "CourtLogic", "Host",
        "MachineLink", "MockMachine", "Positions", "Safety", "TestSupport",
      ],
      path: "Tests/Growth"
    ),
    .testTarget(
      name: "HostTests",
      dependencies: ["Clocks", "CourtLogic", "Host", "TestSupport"]
    ),
    .testTarget(name: "JSONTests", dependencies: ["CourtLogic", "JSON", "TestSupport"]),
    .testTarget(name: "StateFilesTests", dependencies: ["Host", "StateFiles", "TestSupport"]),
    .testTarget(
      name: "DBusTests",
      dependencies: ["CourtLogic", "DBus", "Host", "MockMachine", "TestSupport"]
    ),
    .testTarget(
      name: "BlueZTests",
      dependencies: ["BlueZ", "DBus", "Host", "MockMachine", "TestSupport"]
    ),
    .testTarget(name: "CourtLogicTests", dependencies: ["Clocks", "CourtLogic", "TestSupport"]),
    .testTarget(
      name: "TrainingTests",
      dependencies: ["Clocks", "CourtLogic", "Training"]
    ),
    .testTarget(
      name: "DrillsTests",
      dependencies: ["CourtLogic", "Drills", "Host", "Training", "TestSupport", "YAML"]
    ),
    .testTarget(
      name: "CourtMappingTests",
      dependencies: ["CourtLogic", "CourtMapping", "Scenes", "TestSupport"]
    ),
    .testTarget(
      name: "CalibrationsTests",
      dependencies: ["Calibrations", "CourtMapping", "Host", "TestSupport"]
    ),
    .testTarget(
      name: "CameraTests",
      dependencies: [
        "Calibrations", "Camera", "Clocks", "ControlProtocol", "CourtLogic", "CourtMapping", "Host",
        "JSON", "Scenes", "TestSupport", "YAML",
      ]
    ),
    .testTarget(
      name: "MachineLinkTests",
      dependencies: [
        "BlueZ", "Clocks", "ControlProtocol", "CourtLogic", "DBus", "Host", "MachineLink",
        "TestSupport",
      ]
    ),
    .testTarget(
      name: "SafetyTests",
      dependencies: ["Clocks", "CourtLogic", "Safety", "TestSupport"]
    ),
    .testTarget(
      name: "PositionsTests",
      dependencies: [
        "Clocks", "CourtLogic", "CourtMapping", "Host", "JSON", "Positions", "TestSupport",
      ]
    ),
    .testTarget(
      name: "RunLogTests",
      dependencies: [
        "Clocks", "Configuration", "ControlProtocol", "CourtLogic", "Host", "Positions",
        "RunLog", "TestSupport",
      ]
    ),
    .testTarget(
      name: "SessionSummaryTests",
      dependencies: [
        "Clocks", "ControlProtocol", "CourtLogic", "Host", "JSON", "RunLog", "SessionSummary",
        "TestSupport",
      ]
    ),
    .testTarget(name: "YAMLTests", dependencies: ["CourtLogic", "Host", "TestSupport", "YAML"]),
    .testTarget(
      name: "ConfigurationTests",
      dependencies: [
        "BlueZ", "Bridge", "Clocks", "Configuration", "CourtLogic", "Host", "MachineLink",
        "Positions", "RunLog", "Safety", "TestSupport", "YAML",
      ]
    ),
    .testTarget(
      name: "DoctorTests",
      dependencies: [
        "BlueZ", "Clocks", "ControlProtocol", "CourtLogic", "DBus", "Doctor", "Host",
        "MachineLink", "Programs", "TestSupport",
      ]
    ),
    .testTarget(
      name: "BridgeMachineTests",
      dependencies: [
        "BlueZ", "Bridge", "Clocks", "ControlProtocol", "CourtLogic", "MachineLink", "Positions",
        "Safety", "TestSupport", "Training",
      ]
    ),
    .testTarget(
      name: "BridgeTests",
      dependencies: [
        "BlueZ", "Bridge", "Brokers", "Clocks", "Configuration", "ControlProtocol", "CourtLogic",
        "CourtMapping", "Doctor", "Fleet", "Host", "JSON", "MachineLink", "Positions", "Programs",
        "RunLog", "Safety", "TestSupport", "Training",
      ]
    ),
    .testTarget(
      name: "CuesTests",
      dependencies: ["ControlProtocol", "Cues", "Host", "TestSupport"]
    ),
    .testTarget(
      name: "FleetTests",
      dependencies: [
        "Brokers", "Clocks", "ControlProtocol", "Fleet", "Host", "JSON", "Terminal", "TestSupport",
        "YAML",
      ]
    ),
    .testTarget(
      name: "WebPageTests",
      dependencies: [
        "Certificates", "Clocks", "ControlProtocol", "Host", "JSON", "MachineLink", "Safety",
        "TestSupport", "WebPage",
      ]
    ),
    .testTarget(name: "MockMachineTests", dependencies: ["DBus", "MockMachine", "TestSupport"]),
    .testTarget(
      name: "ReportsTests",
      dependencies: [
        "BlueZ", "Bridge", "Clocks", "Configuration", "ControlProtocol", "CourtLogic", "Host",
        "JSON",
        "MachineLink", "Positions", "Programs", "Reports", "Safety", "Terminal",
      ]
    ),
    .testTarget(
      name: "ServiceTests",
      dependencies: [
        "BlueZ", "Bridge", "Clocks", "Configuration", "ControlProtocol", "CourtLogic", "Drills",
        "Host", "JSON", "MachineLink", "Options", "Positions", "Programs", "Reports", "Safety",
        "Service", "StateFiles", "TestSupport", "Training",
      ]
    ),
    .testTarget(
      name: "ballmachineTests",
      dependencies: [
        "BlueZ", "Bridge", "Clocks", "Configuration", "ControlProtocol", "CourtLogic", "DBus",
        "Doctor", "Host", "JSON", "MachineLink", "Options", "Positions", "Programs", "Reports",
        "RunLog", "Service", "SessionSummary", "TestSupport", "YAML", "ballmachine",
        "ballmachine-mock",
      ]
    ),
    .testTarget(
      name: "IntegrationTests",
      dependencies: [
        "BareTimer", "BlueZ", "Bridge", "Calibrations", "Camera", "Clocks", "Configuration",
        "CourtLogic", "CourtMapping", "DBus", "Doctor", "Host", "MachineLink", "MockMachine",
        "Programs", "Scenes", "TestSupport", "ballmachine", "ballmachine-camera",
        "ballmachine-mock", "CVideo",
      ]
    ),
  ]
)

// What the tests make compute for minutes, at a fraction of a release's speed without `-O`: it would
// keep the processors from the tests that measure time. Checks of bounds and overflows stay. The scripts
// in tools ask for it; what `swift build` makes by itself is for a debugger, and quick to make again.
let computing: Set = [
  "Bridge", "Camera", "Clocks", "ControlProtocol", "CourtLogic", "CourtMapping", "Host", "JSON",
  "MachineLink", "RunLog", "Safety", "Scenes", "SessionSummary", "Training",
  "BridgeMachineTests", "CameraTests", "MachineLinkTests", "SafetyTests", "SessionSummaryTests",
  "TrainingTests",
]

let optimisesTests = Context.environment["BALLMACHINE_OPTIMISED_TESTS"] != nil

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
  if optimisesTests, computing.contains(target.name) {
    target.swiftSettings?.append(.unsafeFlags(["-O"], .when(configuration: .debug)))
  }
}
