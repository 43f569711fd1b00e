import Dispatch
import Glibc

/// SIGINT and SIGTERM as a sequence, so that they end things in order instead of at once.
final class EndSignals {
  let signals: AsyncStream<Int32>
  private let sources: [any DispatchSourceSignal]

  init() {
    let (signals, continuation) = AsyncStream.makeStream(of: Int32.self)
    self.signals = signals
    sources = [SIGINT, SIGTERM].map { number in
      // The source only watches: the signal's own effect must be off.
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { continuation.yield(number) }
      source.resume()
      return source
    }
  }

  deinit {
    for source in sources { source.cancel() }
  }
}
