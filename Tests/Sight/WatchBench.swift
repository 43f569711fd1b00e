import Camera
import CourtMapping
import Glibc
import Scenes

func watchBench() {
  let full = PictureSize(width: 1280, height: 720)!
  for setting in [
    Setting.sun, .clouds, .wind, .wet, .dusk, .company, .side, .machine, .low, .corner,
  ] {
    for seed in [1, 2] as [UInt64] {
      let scene = Scene(setting, seed: seed, size: full, rate: 1)
      let cal = try! Calibration(
        marks: scene.camera.marks(in: full, error: 1.5, seed: seed),
        size: full
      )
      let f = PlayerFinder(calibration: cal, size: PictureSize(width: 320, height: 180)!)
      var c = ColourPicture(width: 1280, height: 720), g = GreyPicture(width: 1280, height: 720)
      var t = 0.0
      var out = ""
      for i in 0..<24 {
        _ = scene.next(into: &c.bytes)
        let d = i < 12 ? 0 : i < 16 ? 4 : i < 20 ? 30 : 0
        for y in 0..<720 {
          for x in 0..<1280 {
            let xx = min(x + d, 1279), yy = min(y + d, 719);
            g.bytes[y * 1280 + x] = UInt8(
              (Int(c.bytes[(yy * 1280 + xx) * 3]) + 2 * Int(c.bytes[(yy * 1280 + xx) * 3 + 1])
                + Int(c.bytes[(yy * 1280 + xx) * 3 + 2])) / 4
            )
          }
        }
        let a = Judgement.processorTime(); let ok = f.check(g); t += Judgement.processorTime() - a
        out += !ok ? "x" : f.moved.map { "\($0.code.prefix(8).suffix(1))" } ?? "."
      }
      print(setting, seed, out, "ms", t / 24)
    }
  }
}
