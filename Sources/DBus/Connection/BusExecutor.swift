import Dispatch

/// The serial executor of one connection: a dispatch queue, because libdbus's file descriptor is
/// watched by dispatch sources, whose handlers then run isolated to the connection.
final class BusExecutor: SerialExecutor {
  let queue = DispatchQueue(label: "ballmachine.dbus")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let executor = asUnownedSerialExecutor()
    queue.async { job.runSynchronously(on: executor) }
  }

  func checkIsolated() {
    dispatchPrecondition(condition: .onQueue(queue))
  }
}
