#if DEBUG
  import Host

  /// Finds that a task of the program ran on Swift's own threads: `OneThread` was passed by.
  enum OtherThreads {
    /// Ends the program with a fault if libdispatch has begun threads, which stay.
    static func refuse() {
      let others = names.filter { $0.hasSuffix("-qos") || $0.hasSuffix(".overcommit") }
      precondition(others.isEmpty, "tasks ran on other threads: \(others)")
    }

    /// libdispatch names its threads after its queues; the kernel keeps 15 bytes.
    private static var names: [String] {
      let threads = (try? Directory.names(in: "/proc/self/task")) ?? []
      return threads.compactMap { thread in
        (try? InputFile.bytes("/proc/self/task/\(thread)/comm", longest: 64))
          .map { String(decoding: $0.dropLast(), as: UTF8.self) }
      }
    }
  }
#endif
