import Dispatch

/// Runs an actor's work one piece at a time on a thread that may wait for a disk.
///
/// Swift's own threads must not: there are as few as processors, and balls depend on them.
package final class DiskExecutor: SerialExecutor {
  private let queue: DispatchQueue

  package init(label: String) {
    queue = DispatchQueue(label: label)
  }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let executor = asUnownedSerialExecutor()
    queue.async { job.runSynchronously(on: executor) }
  }

  package func checkIsolated() { dispatchPrecondition(condition: .onQueue(queue)) }
}
