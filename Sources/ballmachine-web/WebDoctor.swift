import Certificates
import ControlProtocol
import Glibc
import Host
import JSON
import Programs
import WebPage

/// `ballmachine web doctor`: why no phone shows the page.
struct WebDoctor: Subcommand {
  var web = WebOptions()

  static let usage = Usage<Self>(
    name: "doctor",
    summary: "Find out why no phone shows the page",
    options: WebOptions.options.within(\.web),
    details: """
      It looks at the configuration, the certificate, the address, the ports, the page's service, \
      the bridge's control socket and the file of the paired phones. `ok' means as it should be, \
      `note' worth knowing, `problem' not working. It ends with 69 if there is a problem.

      It stops nothing: it only connects to the ports for stop.
      """
  )

  func run(_ output: Output) async throws {
    var findings: [Finding] = []
    let (service, isThere) = service()
    do {
      let settings = try web.settings()
      findings.append(.ok("page.configured", "the configuration is valid"))
      let address = address(settings)
      findings += certificate(settings) + [address]
      // Without its address the service is started again and again.
      if address.verdict != .problem {
        findings += try await WaitingThread.value { ports(settings, areOurs: isThere) } + [service]
      }
    } catch let error as Failure {
      findings += [.problem("page.configuration", "\(error)", "mend the file"), service]
    }
    findings.append(
      await .bridge(
        "page",
        operators: "run it as root; the page's own user is in ballmachine and ballmachine-operator"
      )
    )
    findings.append(phones())
    try await output.write(findings, by: "page")
  }

  private func address(_ settings: WebSettings) -> Finding {
    let listen = settings.listen
    let remedy = "page.listen in \(web.path)"
    do throws(SystemError) { try PortProbe(address: listen, port: 0).listen() } catch {
      return .problem(
        "page.address",
        "\(listen) is not an address of this box: \(error)",
        "join its network, or change \(remedy)"
      )
    }
    guard OwnAddresses.isLoopback(listen) else {
      return .ok("page.address", "it listens on \(listen)")
    }
    return .note(
      "page.loopback",
      "it listens on \(listen), this box alone: no phone can reach it",
      "set \(remedy) to the box's address in the phones' network, or to 0.0.0.0"
    )
  }

  // MARK: The certificate

  private func certificate(_ settings: WebSettings) -> [Finding] {
    guard let path = settings.certificate, let key = settings.key else { return [] }
    do {
      let pair = try Certificate(
        certificate: try WebSettings.pem(path),
        key: try WebSettings.pem(key)
      )
      return [validity(of: pair, path)] + names(of: pair, path, settings)
    } catch let error as SystemError where error.code == EACCES {
      return [.note("page.certificateClosed", "\(error)", "run it as root to look at it")]
    } catch {
      return [
        .problem(
          "page.certificate",
          "\(path), \(key): \(error)",
          "see `man ballmachine-web', CERTIFICATES"
        )
      ]
    }
  }

  /// Whether it is for all names and addresses that phones are given.
  private func names(
    of pair: Certificate,
    _ path: String,
    _ settings: WebSettings
  ) -> [Finding] {
    // One that names no host is a problem already.
    guard !pair.names.isEmpty else { return [] }
    let addresses = PageAddresses(
      listen: settings.listen,
      port: settings.port,
      isSecure: true,
      names: settings.names,
      hostname: Run.hostname,
      configuration: web.path
    )
    // Phones reach a page on loopback only through a proxy, by its names.
    let isLocal = OwnAddresses.isLoopback(settings.listen)
    let target = isLocal ? nil : addresses.hosts.first
    let others = (isLocal ? settings.names : addresses.hosts).filter {
      $0 != target && !pair.covers($0)
    }
    var findings: [Finding] = []
    if let target, !pair.covers(target) {
      findings.append(
        .problem(
          "page.certificateName",
          "\(path) is not for \(target), where the QR code leads: phones warn there",
          "make one that names it, or put a name that it has first in page.names"
        )
      )
    }
    if !others.isEmpty {
      findings.append(
        .note(
          "page.certificateName",
          "\(path) is not for \(others.joined(separator: ", ")): phones warn there",
          "make one that names them, or don't use them"
        )
      )
    }
    return findings
  }

  private func validity(of pair: Certificate, _ path: String) -> Finding {
    let remedy = "put a new one there, and run `systemctl restart ballmachine-web'"
    if pair.names.isEmpty, pair.isValid(at: WallTime()) {
      return .problem("page.certificateName", "\(path) names no host: phones refuse it", remedy)
    }
    return pair.finding("page", path, for: pair.names, remedy: remedy)
  }

  // MARK: The service and its ports

  /// Whether the page's service runs, as its socket shows.
  private func service() -> (finding: Finding, isThere: Bool) {
    do {
      _ = try UnixSocketAddress(path: ProgramPlaces.web.socket).connected()
      return (.ok("page.running", "the page's service runs"), true)
    } catch let error as SystemError where error.code == EACCES {
      return (.note("page.socket", "\(error)", "operators are in ballmachine-operator"), true)
    } catch {
      let finding = Finding.note(
        "page.notRunning",
        "the page's service does not run: \(error)",
        "run `systemctl enable --now ballmachine-web'"
      )
      return (finding, false)
    }
  }

  private func ports(_ settings: WebSettings, areOurs: Bool) -> [Finding] {
    let plain = settings.certificate == nil ? [] : [settings.plainStopPort]
    // 0 is any.
    return ([settings.port, settings.stopPort] + plain).filter { $0 != 0 }.compactMap { port in
      let probe = PortProbe(address: settings.listen, port: port)
      let isAsked = port == settings.port && settings.certificate == nil
      return areOurs ? answer(of: probe, isAsked: isAsked) : obstacle(to: probe)
    }
  }

  /// The finding on a port of a service that runs.
  private func answer(of probe: PortProbe, isAsked: Bool) -> Finding {
    do throws(SystemError) {
      guard isAsked else {
        _ = try probe.connected()
        return .ok("page.port", "port \(probe.port) is open")
      }
      let answer = try probe.answer(to: "GET /api/me")
      guard answer.hasPrefix("HTTP/1.1 200 ") else {
        let text = "port \(probe.port) answers “\(answer)”: that is not the page"
        return .problem("page.strange", text, nil)
      }
      return .ok("page.port", "port \(probe.port) answers")
    } catch {
      return .problem(
        "page.silent",
        "\(error)",
        "look at `journalctl -u ballmachine-web'; after a change of \(web.path), restart it"
      )
    }
  }

  /// The finding on a port of a service that does not run: nil if it could listen there.
  private func obstacle(to probe: PortProbe) -> Finding? {
    do throws(SystemError) {
      try probe.listen()
      return nil
    } catch {
      let remedy: String? =
        switch error.code {
        case EADDRINUSE: "another program has it: set another port in \(web.path)"
        case EACCES: "choose a port of 1024 or more"
        default: nil
        }
      return .problem("page.portTaken", "\(error)", remedy)
    }
  }

  // MARK: What it works with

  private func phones() -> Finding {
    do {
      let path = try ProgramPlaces.web.stateOfService().path(of: "phones.json")
      var status = stat()
      guard stat(path, &status) == 0 else {
        let error = SystemError("read \(path)")
        if error.code == EACCES {
          return .ok("page.phones", "\(path): its service alone may read it")
        }
        guard error.code == ENOENT else { throw error }
        return .ok("page.phones", "no phone was paired yet")
      }
      guard status.st_mode & 0o077 == 0 else {
        return .problem(
          "page.phonesOpen",
          "\(path): other users may read the paired phones",
          "run `chmod 600 \(path)'"
        )
      }
      let bytes = try InputFile.bytes(path, longest: 1 << 20) ?? []
      _ = try JSONValue(text: bytes)
      return .ok("page.phones", "\(path) is for its service alone")
    } catch let error as SystemError where error.code == EACCES {
      return .ok("page.phones", "its service alone may read the paired phones")
    } catch {
      return .problem("page.phones", "the paired phones can't be read: \(error)", nil)
    }
  }
}
