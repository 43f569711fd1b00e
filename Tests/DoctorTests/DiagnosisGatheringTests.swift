import Clocks
import CourtLogic
import Doctor
import MachineLink
import TestSupport
import Testing

@testable import BlueZ

/// How the facts are gathered: what is asked, and what becomes of answers that never come.
@Suite(.mustEnd)
struct DiagnosisGatheringTests {
  private let kernel = KernelView(controllers: .success([]))

  private func diagnosis(
    through central: Central,
    clock: any MonotonicClock = ManualClock()
  ) async -> Diagnosis {
    await Diagnosis(
      through: central,
      configuration: LinkConfiguration(),
      kernel: kernel,
      holder: 812,
      clock: clock
    )
  }

  @Test func onlyTheObjectsAreAskedFor() async {
    let central = Central()
    let diagnosis = await diagnosis(through: central)
    #expect(await central.asked == [.openBus, .observe(.everything)])
    #expect(await central.isClosed)
    #expect(diagnosis.fault == nil && diagnosis.levels.owner == ":1.1")
    #expect(diagnosis.kernel == kernel && diagnosis.holder == 812)
  }

  @Test func aBusOrABluetoothdThatFailsIsTheFault() async {
    let refused = BlueZError("org.freedesktop.DBus.Error.AccessDenied", "no")
    let absent = BlueZError("org.freedesktop.DBus.Error.NameHasNoOwner", "none")
    var central = Central(bus: refused)
    #expect(await diagnosis(through: central).fault == .busUnreachable(refused))
    #expect(await central.asked == [.openBus])
    central = Central(objects: absent)
    #expect(await diagnosis(through: central).fault == .serviceAbsent)
    central = Central(objects: refused)
    #expect(await diagnosis(through: central).fault == .serviceSilent(refused))
  }

  @Test func aBluetoothdThatHangsIsGivenUp() async throws {
    let central = Central(hangs: true)
    let clock = ManualClock()
    async let result = diagnosis(through: central, clock: clock)
    await central.isAskedForObjects()
    await clock.sleepers(atLeast: 1)
    clock.advance(by: LinkTiming().discovery)
    let fault = await result.fault
    guard case .serviceSilent(let error) = fault else {
      Issue.record("\(String(describing: fault))")
      return
    }
    #expect(error.kind == .timedOut)
    #expect(await central.isClosed)
  }

  /// A BlueZ without objects that answers as it is told.
  private actor Central: MachineCentral {
    nonisolated let levels: AsyncStream<BlueZState>
    private let bus: BlueZError?
    private let objects: BlueZError?
    private let hangs: Bool
    private(set) var asked: [LinkOperation] = []
    private(set) var isClosed = false
    private let calls: AsyncStream<LinkOperation>
    private let continuation: AsyncStream<LinkOperation>.Continuation

    init(bus: BlueZError? = nil, objects: BlueZError? = nil, hangs: Bool = false) {
      self.bus = bus
      self.objects = objects
      self.hangs = hangs
      levels = AsyncStream { $0.finish() }
      (calls, continuation) = AsyncStream.makeStream()
    }

    func run() async {}

    func close() {
      isClosed = true
      continuation.finish()
    }

    func perform(_ operation: LinkOperation) async -> OperationAnswer {
      asked.append(operation)
      continuation.yield(operation)
      if operation == .openBus { return (nil, bus, 0) }
      if hangs { try? await Task.sleep(for: .seconds(3600)) }
      var state = BlueZState()
      state.owner = ":1.1"
      return (state, objects, 0)
    }

    func isAskedForObjects() async {
      for await operation in calls where operation != .openBus { return }
    }
  }
}
