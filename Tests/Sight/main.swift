import CourtMapping
import Glibc
import Scenes
func now() -> Double { var t = timespec(); clock_gettime(CLOCK_MONOTONIC, &t); return Double(t.tv_sec)*1e3 + Double(t.tv_nsec)/1e6 }
for s in Setting.allCases {
let a = now()
let scene = Scene(s, seed: 2, size: PictureSize(width: 320, height: 180)!)
var bytes = [UInt8](repeating: 0, count: 320*180*3)
let b = now()
var truth: Truth?
for i in 0..<400 { truth = scene.next(into: &bytes); if i % 133 == 132 {
  let f = fopen("/tmp/w/sg/o-\(s)-\(i).ppm", "wb")!; let h = "P6\n320 180\n255\n"; fputs(h, f)
  var r = bytes; for p in 0..<57600 { r.swapAt(p*3, p*3+2) }
  fwrite(r, 1, r.count, f); fclose(f) } }
print(s, "setup", b - a, "frame", (now() - b)/400, truth!)
}
