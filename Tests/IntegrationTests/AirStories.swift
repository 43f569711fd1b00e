import CourtLogic
import MachineLink
import MockMachine
import Testing

extension LinkStories {
  /// What the kernel gives the radio for a command, seen between the two.
  @Suite(.realStackOnly("the mock has no air")) struct Air {
    @Test(.core, arguments: [MockProfile.ballMachine, .requestOnly, .commandOnly])
    func eachCommandIsOneWriteOfItsDigits(profile: MockProfile) async throws {
      if profile != .ballMachine { try longOnRealStack() }
      let balls = [901, 902, 903]
      let form: AttributeWrite.Form = profile == .commandOnly ? .command : .request
      let stopForms: [AttributeWrite.Form] =
        switch profile {
        case .requestOnly: [.request]
        case .commandOnly: [.command, .command, .command]
        default: [.command, .request]
        }
      let digits =
        balls.map { LinkFixture.ball($0).text } + stopForms.map { _ in LinkFixture.stop }
      let forms = balls.map { _ in form } + stopForms
      let outcome: WriteOutcome = profile == .commandOnly ? .queued : .delivered

      var machine = MockPeripheral(profile: profile)
      // The least that there is; three bytes of it are no value's.
      machine.mtu = 23
      var air = try AirCapture(of: #require(Setups.realStack))
      try await withLinkFixture(MockModel(peripherals: [machine])) { fixture in
        try await fixture.reaches(.ready)
        for ball in balls {
          #expect(try await fixture.send(ball) == outcome)
          try await fixture.pass(.seconds(3))
        }
        #expect(try await fixture.sendStop() == outcome)
        for command in digits {
          try await fixture.happens("the arrival of \(command)") { event in
            if case .write = event { true } else { false }
          }
        }
        try await fixture.end()
        #expect(await fixture.received() == digits)
      }
      let traffic = try await air.untilLinksEnd()

      let writes = try traffic.writes()
      let first = try #require(writes.first { $0.value == Array(digits[0].utf8) })
      let expected = zip(digits, forms).map { digits, form in
        AttributeWrite(
          link: first.link,
          form: form,
          handle: first.handle,
          value: Array(digits.utf8),
          packets: 1,
          answer: form == .request ? .acknowledged : nil
        )
      }
      #expect(writes.filter { $0.handle == first.handle } == expected)
      // What is written elsewhere is no piece of a command.
      #expect(Set(writes.map(\.form)).isSubset(of: [.request, .command]))
      for command in Set(digits) {
        let carriers = traffic.frames.filter {
          $0.direction == .sent && $0.payload.contains(command.utf8)
        }
        #expect(carriers.count == digits.count { $0 == command }, "\(carriers)")
      }
      let channels = Set(traffic.frames.map(\.channel))
      #expect(channels.isSubset(of: [.attributes, .signaling, .security]))
    }

    /// A frame is one write of ten bytes, which the machine answers twice: accepted, and completed.
    @Test(.core) func eachFrameIsOneWriteThatIsAnswered() async throws {
      let balls = Array(1...(Setups.isFull ? 100 : 4))
      let encoding = CommandEncoding.framed(.modbus)
      let machine = MockPeripheral(encoding: .framed)
      var air = try AirCapture(of: #require(Setups.realStack))
      try await withLinkFixture(
        MockModel(peripherals: [machine]),
        LinkConfiguration(encoding: encoding)
      ) { fixture in
        #expect(try await fixture.reaches(.ready).answers == .heard)
        for ball in balls {
          let (outcome, answer) = try await fixture.launch(ball)
          #expect(outcome == .delivered && answer == .completed, "ball \(ball)")
          try await fixture.pass(.seconds(2))
        }
        #expect(try await fixture.sendStop() == .delivered)
        try await fixture.end()
        #expect(await fixture.link.status.oddAnswers == AnswerOddities())
      }
      let traffic = try await air.untilLinksEnd()

      let expected = balls.map { encoding.bytes(of: LinkFixture.ball($0, in: .framed)) ?? [] }
      let writes = try traffic.writes().filter { $0.value.starts(with: [0x5A, 0xA5, 0x83]) }
      #expect(writes.allSatisfy { $0.value.count == 10 && $0.packets == 1 })
      #expect(Array(writes.map(\.value).prefix(balls.count)) == expected)
      #expect(writes.prefix(balls.count).allSatisfy { $0.form == .request })
      let stops = writes.dropFirst(balls.count).map(\.value)
      #expect(!stops.isEmpty && Set(stops) == [encoding.bytes(of: .stop(in: .framed)) ?? []])
      let answers = traffic.notifications.prefix(2 * balls.count)
      #expect(
        Array(answers.prefix(2)) == [[0x5A, 0xA5, 0x82, 1, 0xA3], [0x5A, 0xA5, 0x82, 2, 0xE3]]
      )
      #expect(Set(answers).count == 2 && answers.count == 2 * balls.count)
    }
  }
}
