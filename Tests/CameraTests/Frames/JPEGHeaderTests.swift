import CourtMapping
import Testing

@testable import Camera

@Suite struct JPEGHeaderTests {
  private func problem(_ bytes: [UInt8]) -> PictureProblem.Code? {
    bytes.withUnsafeBytes { bytes in
      do throws(PictureProblem) {
        _ = try JPEGHeader(bytes)
        return nil
      } catch {
        return error.code
      }
    }
  }

  /// Where the golden picture's frame header begins: 0xFF, 0xC0.
  private let frame = GoldenJPEG.bytes.firstIndex(of: 0xC0)! - 1

  private func golden(_ change: (inout [UInt8]) -> Void) -> PictureProblem.Code? {
    var bytes = GoldenJPEG.bytes
    change(&bytes)
    return problem(bytes)
  }

  @Test func theGoldenHeader() throws {
    let header = try GoldenJPEG.bytes.withUnsafeBytes { try JPEGHeader($0) }
    #expect(header.size == PictureSize(width: 32, height: 16))
    #expect(!header.hasHuffmanTables)
    let written = try JPEGCodec.write(.gradient(width: 48, height: 32))
    #expect(try written.withUnsafeBytes { try JPEGHeader($0) }.hasHuffmanTables)
  }

  /// Height and width.
  @Test(arguments: [
    (0xFFFF, 0xFFFF), (0, 0), (0, 32), (16, 0), (4097, 16), (16, 4097), (4096, 4096), (15, 32),
  ])
  func hostileSizesAreRefused(height: Int, width: Int) {
    let code = golden { bytes in
      bytes[frame + 5] = UInt8(height >> 8)
      bytes[frame + 6] = UInt8(height & 0xFF)
      bytes[frame + 7] = UInt8(width >> 8)
      bytes[frame + 8] = UInt8(width & 0xFF)
    }
    #expect(code == .badSize)
  }

  /// Progressive, lossless, arithmetic and the like.
  @Test(arguments: [0xC2, 0xC3, 0xC5, 0xC6, 0xC7, 0xC9, 0xCA, 0xCB, 0xCD, 0xCE, 0xCF] as [UInt8])
  func otherKindsAreRefused(marker: UInt8) {
    #expect(golden { $0[frame + 1] = marker } == .unsupported)
  }

  @Test func oddColoursAndScansAreRefused() throws {
    #expect(golden { $0[frame + 4] = 12 } == .unsupported)
    #expect(golden { $0[frame + 9] = 4 } == .unsupported)
    let scan = try #require(GoldenJPEG.bytes.firstIndex(of: 0xDA))
    #expect(golden { $0[scan + 3] = 1 } == .unsupported)
  }

  @Test func aHeaderWithPartsInTheWrongPlacesIsCorrupt() throws {
    let end = frame + 19
    let size = GoldenJPEG.bytes[frame..<end]
    #expect(golden { $0.insert(contentsOf: size, at: end) } == .corrupt)
    #expect(golden { $0.removeSubrange(frame..<end) } == .corrupt)
    #expect(golden { $0.insert(7, at: frame) } == .corrupt)
    #expect(golden { $0[frame + 1] = 0xD8 } == .corrupt)
    #expect(golden { $0[frame + 2...frame + 3] = [0, 1] } == .corrupt)
    #expect(golden { $0[0] = 0 } == .corrupt)
    #expect(golden { $0[frame + 3] = 5 } == .corrupt)
    // Any number of fill bytes.
    #expect(golden { $0.insert(contentsOf: [0xFF, 0xFF], at: frame) } == nil)
  }
}
