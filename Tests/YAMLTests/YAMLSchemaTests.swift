import Glibc
import Host
import TestSupport
import Testing

@testable import YAML

/// A file of another program, with a key of every kind.
private struct Camera: YAMLDocument, Hashable {
  var name = "left"
  var isEnabled = false
  var height = 0.0
  var mount: UInt8?
  var pause = Duration.seconds(3)
  var pictures: Int?
  var folder: String?
  var size = 20_000_000
  var contrast = 0...255

  static let schema = YAMLSchema<Self>(
    of: "a camera's file",
    typicalKey: "recording",
    [
      YAMLSection(
        "camera",
        "Which camera, and where",
        effect: .afterRestart,
        keys: [
          .value("name", .text("the name of a camera", longest: 32), \.name, "A."),
          .value("enabled", .flag, \.isEnabled, "B."),
          .value("height", .number("a number of metres", unit: "m", in: 0...50), \.height, "C."),
          .value(
            "mount",
            YAMLKind(form: "8 bits", yaml: { "\"\(String($0, radix: 2))\"" }) {
              UInt8($0, radix: 2)
            },
            \.mount,
            example: "\"1010\"",
            "D."
          ),
        ]
      ),
      YAMLSection(
        "recording",
        "What is kept",
        effect: .atOnce,
        keys: [
          .value("pause", .seconds(within: .zero ... .seconds(60)), \.pause, "E."),
          .value(
            "pictures",
            .integer("a whole number", in: 1...100_000),
            \.pictures,
            example: "100",
            "F."
          ),
          .value("folder", .path("a path"), \.folder, example: "/pictures", "G."),
          .value("total-size", .megabytes(in: 1_000_000...1_000_000_000), \.size, "H."),
          .value("contrast", .bounds(in: 0...99_999), \.contrast, "I."),
        ]
      ),
    ]
  )
}

/// A file of a schema that is not the bridge's.
struct YAMLSchemaTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  private func load(_ texts: String...) throws -> YAMLLoader<Camera> {
    var loader = YAMLLoader<Camera>()
    for (number, text) in texts.enumerated() {
      loader.read(try directory.write(text, to: "\(number).yaml"))
    }
    return loader
  }

  /// What is wrong, without the file's path.
  private func problems(_ text: String) throws -> [String] {
    try load(text).problems.map { "\($0)".replacing(directory("0.yaml:"), with: "") }
  }

  @Test(arguments: ["", "# nothing\n", "camera:\n", "{}", "\u{FEFF}---\ncamera: {}\n...\n"])
  func anEmptyFileMeansTheDefaults(_ text: String) throws {
    let loader = try load(text)
    #expect(loader.values == Camera() && loader.origins.isEmpty && loader.problems.isEmpty)
  }

  @Test func everyKindIsRead() throws {
    let loader = try load(
      """
      camera: {name: "no", enabled: true, height: 0.125, mount: "101"}
      recording:
        pause: 2.5
        pictures: 7
        folder: pictures/today
        total-size: 3
        contrast: [5, 5]
      """
    )
    var camera = Camera(name: "no", isEnabled: true, height: 0.125, mount: 5)
    camera.pause = .milliseconds(2500)
    camera.pictures = 7
    // Beside the file that names it.
    camera.folder = directory("pictures/today")
    camera.size = 3_000_000
    camera.contrast = 5...5
    #expect(loader.problems.isEmpty && loader.values == camera)
    #expect(Set(loader.origins.keys) == Set(Camera.schema.keys.map(\.path)))
  }

  @Test func aLaterFileWinsKeyByKey() throws {
    let loader = try load("camera: {name: right, height: 1}", "camera: {height: 2}", "camera:")
    #expect(loader.values == Camera(name: "right", height: 2))
    #expect(loader.origins["camera.height"]?.description == directory("1.yaml:1:18"))
    #expect(loader.files == ["0.yaml", "1.yaml", "2.yaml"].map { directory($0) })
    #expect(try load("recording: {pictures: 1}", "recording: {pictures: null}").values == Camera())
  }

  @Test func allProblemsAreReportedInTheOrderOfTheirPlaces() throws {
    let text = """
      camera:
        hieght: 3
        enabled: yes
      camra: {}
      recording:
        height: 1
        totalSize: 1
        pause: 61
        pictures:
        pictures: 3
      camera.name: x
      height: 2
      shutter: 3
      """
    #expect(
      try problems(text) == [
        "2:3: there is no key `hieght` in camera; did you mean `height`?",
        "3:12: camera.enabled: `yes` is not true or false",
        "4:1: there is no section `camra`; did you mean `camera`?",
        "6:3: there is no key `height` in recording: it belongs below `camera:`",
        "7:3: there is no key `totalSize` in recording; did you mean `total-size`?",
        "8:10: recording.pause: `61` is not a number of seconds from 0 to 60",
        "9:12: recording.pictures: has no value: write a whole number from 1 to 100000, or null",
        "10:3: `pictures` is given twice, first in line 9",
        "11:1: there is no section `camera.name`: write `camera:` and below it, indented, `name: …`",
        "12:1: there is no section `height`: `height` belongs below `camera:`, indented",
        "13:1: there is no section `shutter`; there are camera, recording",
      ]
    )
    let wrong: Set = ["camera.enabled", "recording.pause", "recording.pictures"]
    #expect(try load(text).wrongKeys == wrong)
  }

  @Test(arguments: [
    ("- camera", "1:1: is not a camera's file: begin with a section such as recording:"),
    ("camera", "1:1: is not a camera's file: begin with a section such as recording:"),
    ("Camera: {name: left}", "1:1: there is no section `Camera`; did you mean `camera`?"),
    (
      "camera: {what: 1}",
      "1:10: there is no key `what` in camera; there are name, enabled, height, mount"
    ),
    (
      "camera: 3",
      "1:9: camera is a section: write its keys below it, indented, as KEY: VALUE"
    ),
    (
      "camera: {mount: 101}",
      "1:17: camera.mount: `101` is a number to YAML, and may lose digits: write \"101\", in quotes"
    ),
    ("camera: {mount: \"102\"}", "1:17: camera.mount: “102” is not 8 bits"),
  ])
  func whatIsNoKeyOrNoValueIsReported(_ text: String, _ wanted: String) throws {
    #expect(try problems(text) == [wanted])
  }

  @Test(arguments: [
    ("yes", "`yes` is not true or false"), ("True", "`True` is not true or false"),
    ("1", "`1` is not true or false"), ("null", "`null` is not true or false"),
    ("\"true\"", "“true” is not true or false: remove the quotes"),
    ("", "has no value: write true or false"), ("[true]", "a list is not true or false"),
  ])
  func truthIsTrueOrFalse(_ value: String, _ wanted: String) throws {
    let column = value.isEmpty ? 11 : 12
    #expect(
      try problems("camera:\n  enabled: \(value)\n") == ["2:\(column): camera.enabled: \(wanted)"]
    )
  }

  @Test(
    arguments: [
      ("51", nil), ("-0.001", nil), ("1e1", "write plain decimal digits"), ("+1", "write plain"),
      ("010", "a leading zero for octal"), ("0x10", "write plain decimal"), ("0o17", "write plain"),
      ("1_0", "write plain decimal"), ("1:30", "write plain decimal"), (".5", "write plain"),
      ("5.", "write plain decimal"), (".nan", "write plain"), ("-.inf", "write plain"),
      ("nan", nil), ("inf", nil), ("\"3\"", "remove the quotes"), ("3 m", nil), ("1.2.3", "write"),
      ("1.0001", "at most 3 decimals"), ("１", nil), ("1e999", "write plain"), ("null", nil),
      ("{a: 1}", nil), ("99999999999999999999999999", nil), ("2026-01-01", "write plain"),
    ] as [(String, String?)]
  )
  func numbersAreDecimalAndInTheirRange(_ value: String, _ hint: String?) throws {
    let found = try problems("camera:\n  height: \(value)\n")
    try #require(found.count == 1)
    #expect(found[0].contains("not a number of metres from 0 to 50\(hint == nil ? "" : ": ")"))
    if let hint { #expect(found[0].contains(hint), "\(found)") }
  }

  @Test(arguments: [("0", 0), ("50", 50), ("0.125", 0.125), ("-0", 0), ("3.0", 3)])
  func numbersAreRead(_ text: String, _ value: Double) throws {
    let loader = try load("camera: {height: \(text)}")
    #expect(loader.problems.isEmpty && loader.values.height == value)
  }

  @Test(arguments: [
    "no", "Off", "null", "~", "1234", "0x1F", "1e3", ".inf", "12:30:00", "2026-01-01", "-1", "4.2",
  ])
  func textThatReadersDisagreeOnNeedsQuotes(_ text: String) throws {
    #expect(
      try problems("camera: {name: \(text)}") == [
        "1:16: camera.name: `\(text)` is not text to every YAML reader:"
          + " write \"\(text)\", in quotes"
      ]
    )
    #expect(try load("camera: {name: \"\(text)\"}").values.name == text)
  }

  @Test(arguments: [
    "\"\"", "\"a\\nb\"", "\"a\\0\"", "|\n    a\n", String(repeating: "x", count: 33),
  ])
  func textHasOneLineAndALimit(_ value: String) throws {
    let found = try problems("camera:\n  name: \(value)")
    #expect(found.count == 1 && found[0].contains("is not the name of a camera"), "\(found)")
  }

  @Test(arguments: [
    ("[5]", "a list is not [LEAST, GREATEST]"), ("[5, 4]", "[5, 4] is empty"),
    ("[0, 100000]", "`100000` is not a whole number from 0 to 99999"),
    ("[0.5, 1]", "`0.5` is not a whole number"), ("7", "`7` is not [LEAST, GREATEST]"),
  ])
  func boundsAreTwoWholeNumbers(_ value: String, _ wanted: String) throws {
    let found = try problems("recording: {contrast: \(value)}")
    #expect(found.count == 1 && found[0].contains(wanted), "\(found)")
  }

  /// The example changes nothing, and each of its keys can be set by removing the `#`.
  @Test func theExampleIsAFile() throws {
    let example = Camera.schema.example(head: "# A camera.\n")
    #expect(
      example.hasPrefix(
        """
        # A camera.

        # Which camera, and where (a change needs a restart).
        camera:
          # A. Allowed: the name of a camera.
          #name: left

          # B. Allowed: true or false.
          #enabled: false

        """
      )
    )
    #expect(example.contains("\n# What is kept.\nrecording:\n"))
    #expect(try load(example).values == Camera() && problems(example) == [])
    let all = try load(example.replacing("\n  #", with: "\n  ").replacing("\n   ", with: "\n  # "))
    #expect(all.problems.isEmpty && all.origins.count == Camera.schema.keys.count)
    for key in Camera.schema.keys { #expect(key.yaml(all.values) == key.example) }
  }
}

/// Files that can't be read, or that no person wrote.
struct YAMLLoaderTests {
  private func load(_ path: String) -> YAMLLoader<Camera> {
    var loader = YAMLLoader<Camera>()
    loader.read(path, .named)
    return loader
  }

  @Test func aLongFileIsOfAnotherKind() throws {
    let folder = try TemporaryDirectory()
    let path = try folder.write(String(repeating: "#", count: 65_537), to: "long.yaml")
    let wanted = "\(path): is not a camera's file: it is longer than 64 KiB"
    #expect(load(path).problems.map(\.description) == [wanted])
  }

  @Test(arguments: [
    ("/dev/zero", "can't read /dev/zero: it is not a regular file"),
    ("/", "can't read /: Is a directory"),
    ("/proc/none", "can't open /proc/none: No such file or directory"),
  ])
  func whatIsNoSuchFileIsReported(_ path: String, _ wanted: String) {
    let loader = load(path)
    #expect(loader.problems.map(\.description) == [wanted])
    #expect(!loader.isRefusal && loader.files == [path])
  }

  @Test func missingPermissionsAloneAreARefusal() throws {
    var loader = load("/dev/null")
    #expect(loader.problems.isEmpty)
    loader.fail(SystemError("open a.yaml", code: EACCES))
    #expect(loader.isRefusal && loader.problems.count == 1)
    loader.complain("is not a regular file", in: "b.yaml")
    #expect(!loader.isRefusal && loader.problems.count == 2)
  }

  @Test func aFileThatAnyUserMayChangeIsRefused() throws {
    let directory = try TemporaryDirectory()
    let path = try directory.write("camera: {height: 3}", to: "camera.yaml")
    chmod(path, 0o666)
    let problems = load(path).problems
    #expect(problems.map(\.text) == ["every user may change it: run `chmod o-w \(path)`"])
    chmod(path, 0o664)
    #expect(load(path).problems.isEmpty)
  }

  /// Each of these would be slow, or large in memory, without a limit.
  enum Hostile: String, CaseIterable {
    case tenMegabytes, oneKeyForEver, manySections, manyKeys, aLongList, aLongKey, aLongText

    var text: String {
      switch self {
      case .tenMegabytes: String(repeating: "x", count: 10_000_000)
      case .oneKeyForEver: String(repeating: "hieght: 1\n", count: 6_000)
      case .manySections: (0..<7_000).map { "k\($0): 1\n" }.joined()
      case .manyKeys: "camera:\n" + (0..<4_000).map { "  heigh\($0): 1\n" }.joined()
      case .aLongList: "camera: [" + String(repeating: "1,", count: 30_000) + "]"
      case .aLongKey: String(repeating: "x", count: 900) + ": 1"
      case .aLongText: "camera:\n  height: \"" + String(repeating: "\\u263A", count: 10_000) + "\""
      }
    }
  }

  @Test(arguments: Hostile.allCases)
  func hostileFilesAreAnsweredShortly(_ hostile: Hostile) throws {
    let directory = try TemporaryDirectory()
    let problems = load(try directory.write(hostile.text, to: "camera.yaml")).problems
    #expect((1...51).contains(problems.count))
    #expect(problems.allSatisfy { $0.description.utf8.count < 400 })
  }
}
