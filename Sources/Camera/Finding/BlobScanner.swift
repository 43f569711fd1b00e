/// Joins moving pixels to blobs: runs along the rows, joined where they are near one another.
///
/// A player is cut where clothes have the court's colour, a leg where it crosses a line. So what is
/// up to ``acrossGap`` pixels apart in a row, or ``downGap`` rows, hangs together.
struct BlobScanner {
  struct Run {
    let row: Int
    let left: Int
    let right: Int
    /// The run that stands for its blob; itself at first.
    fileprivate(set) var parent: Int
  }

  /// Fewer pixels are leaves, rain, and balls; where the player is expected, noise.
  static let leastArea = (anywhere: 8, body: 3)
  /// More blobs than any scene has of people.
  static let mostBlobs = 64
  /// The share of a blob's height, from its lower end on, where feet are.
  static let footShare = 0.22

  private(set) var blobs: [Blob] = []

  private let width: Int
  private let height: Int
  private let acrossGap: Int
  private let downGap: Int
  private(set) var runs: [Run] = []
  /// The first run of each row, and one more.
  private var starts: [Int]
  /// For each run that stands for a blob, the blob's place in ``found``.
  private var blobOf: [Int] = []
  private var found: [Blob] = []
  private var firstRun: [Int] = []
  private var nextRun: [Int] = []
  private var lows: [Int]
  private var counts: [Int]

  init(width: Int, height: Int) {
    self.width = width
    self.height = height
    // The prototype closed gaps of 9 and 23 pixels at 1280 across.
    acrossGap = max(1, width * 9 / 1280)
    downGap = max(1, width * 20 / 1280)
    starts = Array(repeating: 0, count: height + 1)
    lows = Array(repeating: -1, count: width)
    counts = Array(repeating: 0, count: height)
    runs.reserveCapacity(width * height / 8)
    nextRun.reserveCapacity(width * height / 8)
    blobOf.reserveCapacity(width * height / 8)
    found.reserveCapacity(1024)
    firstRun.reserveCapacity(1024)
    blobs.reserveCapacity(Self.mostBlobs)
  }

  /// The blobs of a mask, the largest ones.
  ///
  /// - Parameter body: where the player is expected: only what is there is looked at, and less of it
  ///   is enough.
  mutating func scan(_ mask: UnsafePointer<UInt8>, body: PixelBox? = nil) {
    collectRuns(mask, body ?? PixelBox(left: 0, right: width - 1, top: 0, bottom: height - 1))
    joinRuns()
    collectBlobs(leastArea: body == nil ? Self.leastArea.anywhere : Self.leastArea.body)
  }

  private mutating func collectRuns(_ mask: UnsafePointer<UInt8>, _ box: PixelBox) {
    let end = min(box.right, width - 1) + 1
    runs.removeAll(keepingCapacity: true)
    var row = 0
    while row < height {
      starts[row] = runs.count
      let line = mask + row * width
      var column = row < box.top || row > box.bottom ? end : max(0, box.left)
      while column < end {
        guard line[column] == Background.Label.moving else {
          column &+= column &+ 8 < end && Self.isQuiet(line + column) ? 8 : 1
          continue
        }
        let left = column
        while column < end, line[column] == Background.Label.moving { column &+= 1 }
        runs.append(Run(row: row, left: left, right: column - 1, parent: runs.count))
      }
      row &+= 1
    }
    starts[height] = runs.count
  }

  /// Whether none of eight pixels moves. No other label has the highest bit.
  private static func isQuiet(_ labels: UnsafePointer<UInt8>) -> Bool {
    UnsafeRawPointer(labels).loadUnaligned(as: UInt64.self) & 0x8080_8080_8080_8080 == 0
  }

  private mutating func root(_ run: Int) -> Int {
    var at = run
    while runs[at].parent != at {
      runs[at].parent = runs[runs[at].parent].parent
      at = runs[at].parent
    }
    return at
  }

  private mutating func join(_ one: Int, _ other: Int) {
    let (first, second) = (root(one), root(other))
    if first < second { runs[second].parent = first } else { runs[first].parent = second }
  }

  private mutating func joinRuns() {
    for index in runs.indices {
      let run = runs[index]
      if index > starts[run.row], run.left - runs[index - 1].right <= acrossGap + 1 {
        join(index, index - 1)
      }
      var row = run.row + 1
      let last = min(height - 1, run.row + downGap + 1)
      while row <= last {
        var other = starts[row]
        let end = starts[row + 1]
        while other < end {
          let near = runs[other]
          if near.left > run.right + acrossGap { break }
          if near.right >= run.left - acrossGap { join(index, other) }
          other &+= 1
        }
        row &+= 1
      }
    }
  }

  private mutating func collectBlobs(leastArea: Int) {
    found.removeAll(keepingCapacity: true)
    firstRun.removeAll(keepingCapacity: true)
    blobOf.removeAll(keepingCapacity: true)
    nextRun.removeAll(keepingCapacity: true)
    for index in runs.indices {
      let run = runs[index]
      let box = PixelBox(left: run.left, right: run.right, top: run.row, bottom: run.row)
      let area = run.right - run.left + 1
      let root = root(index)
      if root == index {
        blobOf.append(found.count)
        found.append(Blob(box: box, area: area))
        firstRun.append(index)
        nextRun.append(-1)
      } else {
        let blob = blobOf[root]
        blobOf.append(blob)
        found[blob].box.join(box)
        found[blob].area += area
        // The lowest run first.
        nextRun.append(firstRun[blob])
        firstRun[blob] = index
      }
    }
    blobs.removeAll(keepingCapacity: true)
    for index in found.indices where found[index].area >= leastArea {
      findFoot(index)
      keep(found[index])
    }
  }

  private mutating func keep(_ blob: Blob) {
    guard blobs.count == Self.mostBlobs else {
      blobs.append(blob)
      return
    }
    var least = 0
    for index in blobs.indices where blobs[index].area < blobs[least].area { least = index }
    if blobs[least].area < blob.area { blobs[least] = blob }
  }

  /// Finds the middle of the columns that reach the blob's lowest part, and how low most of them
  /// reach.
  ///
  /// One foot is in the air for half of a stride, so the lowest pixel of all is one foot's.
  private mutating func findFoot(_ index: Int) {
    let box = found[index].box
    let band = max(2, Int((Double(box.height) * Self.footShare).rounded()))
    let top = max(0, box.bottom - band + 1)
    for column in box.left...box.right { lows[column] = -1 }
    for row in top...box.bottom { counts[row] = 0 }
    var run = firstRun[index]
    while run >= 0, runs[run].row >= top {
      let (left, right, row) = (runs[run].left, runs[run].right, runs[run].row)
      for column in left...right where lows[column] < row { lows[column] = row }
      run = nextRun[run]
    }
    var (sum, count) = (0, 0)
    for column in box.left...box.right where lows[column] >= 0 {
      counts[lows[column]] += 1
      sum += column
      count += 1
    }
    found[index].footU = Double(sum) / Double(count) + 0.5
    let low = quantile(0.9, of: count, in: top...box.bottom)
    let high = quantile(0.4, of: count, in: top...box.bottom)
    found[index].footV = Double(low + high) / 2 + 1
  }

  private func quantile(_ share: Double, of count: Int, in rows: ClosedRange<Int>) -> Int {
    let wanted = Int(Double(count) * share)
    var seen = 0
    for row in rows {
      seen += counts[row]
      if seen > wanted { return row }
    }
    return rows.upperBound
  }
}
