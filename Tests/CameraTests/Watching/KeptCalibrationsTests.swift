import Calibrations
import CourtMapping
import Foundation
import Host
import Scenes
import TestSupport
import Testing

@testable import Camera

/// Whose calibration is in use.
struct KeptCalibrationsTests {
  private let folder: TemporaryDirectory
  private let kept: KeptCalibrations
  private let ben = CalibratedPlace.phone(id: "ben", view: "back-90", size: smallSize)
  private let turned = CalibratedPlace.phone(id: "ben", view: "back-270", size: smallSize)

  init() throws {
    folder = try TemporaryDirectory()
    kept = KeptCalibrations(path: folder("court.yaml"))
  }

  private func file(_ source: String) throws -> CalibrationFile {
    let marks = Scene(.dull, seed: 2, size: smallSize).camera.marks(
      in: smallSize,
      error: 0,
      seed: 1
    )
    let calibration = try CalibrationFile.calibration(marks: marks, size: smallSize)
    return CalibrationFile(calibration, source: source, confirmed: calibration.sentence)
  }

  private var used: String? { try? CalibrationFile(path: folder("court.yaml")).source }

  /// As after a restart: nothing is remembered but the files.
  private func use(_ place: CalibratedPlace) -> String? {
    try? KeptCalibrations(path: folder("court.yaml")).use(for: place).get().source
  }

  @Test func eachPlaceHasItsOwn() throws {
    try kept.keep(file("roof"), for: .configured)
    #expect(use(.configured) == "roof")
    // A phone that was never calibrated there changes nothing.
    #expect(use(ben) == nil && used == "roof")
    try kept.keep(file("ben"), for: ben)
    #expect(used == "ben")
    #expect(use(turned) == nil)
    try kept.keep(file("ben, turned"), for: turned)
    for _ in 1...2 {
      #expect(use(.configured) == "roof" && used == "roof")
      #expect(use(.configured) == "roof")
      #expect(use(ben) == "ben" && used == "ben")
      #expect(use(turned) == "ben, turned" && used == "ben, turned")
      #expect(use(ben) == "ben")
    }
    #expect(use(.configured) == "roof")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(Set(names) == ["court.yaml", "phones"])
  }

  @Test func withoutAConfiguredCameraThereIsNoneAfterwards() throws {
    #expect(use(ben) == nil)
    try kept.keep(file("ben"), for: ben)
    #expect(used == "ben")
    #expect(use(.configured) == nil && used == nil)
    #expect(use(ben) == "ben")
  }

  /// Whoever writes the file while this program does not run means the configured camera.
  @Test func aCalibrationThatAPersonWroteMeanwhileStays() throws {
    try kept.keep(file("roof"), for: .configured)
    try kept.keep(file("ben"), for: ben)
    try file("a person").write(to: folder("court.yaml"))
    #expect(use(.configured) == "a person")
    #expect(use(ben) == "ben")
    #expect(use(.configured) == "a person")
  }

  @Test func aPowerFailureLosesNone() throws {
    try kept.keep(file("roof"), for: .configured)
    try kept.keep(file("ben"), for: ben)
    _ = use(.configured)
    // Between the two writes of a change.
    try FileManager.default.copyItem(
      atPath: folder("court.yaml"),
      toPath: folder("configured.yaml")
    )
    #expect(use(.configured) == "roof")
    try FileManager.default.copyItem(
      atPath: folder("court.yaml"),
      toPath: folder("configured.yaml")
    )
    #expect(use(ben) == "ben")
    #expect(use(.configured) == "roof")
  }

  @Test func theOldestOfManyGoes() throws {
    for number in 0..<KeptCalibrations.mostOfPhones {
      let place = CalibratedPlace.phone(id: "\(number)", view: "a", size: smallSize)
      try kept.keep(file("\(number)"), for: place)
      let path = folder("phones/\(place.fileName ?? "")")
      let date = Date(timeIntervalSince1970: Double(1_000_000 - number))
      try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path)
    }
    try kept.keep(file("ben"), for: ben)
    let last = CalibratedPlace.phone(
      id: "\(KeptCalibrations.mostOfPhones - 1)",
      view: "a",
      size: smallSize
    )
    #expect(use(last) == nil)
    #expect(use(.phone(id: "0", view: "a", size: smallSize)) == "0" && use(ben) == "ben")
  }
}
