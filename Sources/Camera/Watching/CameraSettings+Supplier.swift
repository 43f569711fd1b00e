extension CameraSettings {
  /// What is configured as the camera.
  var configured: (kind: CameraSource.Kind, name: String) {
    if let source { return (.network, "\(source)") }
    // Without arguments, which may hold secrets.
    if let command { return (.command, command.first ?? "") }
    return (.device, device ?? "the first camera that captures")
  }

  /// As what the configured camera's frames are handed over; nil: the camera's service opens a device
  /// by itself.
  package var supplier: FrameSupplier? {
    switch configured {
    case (.network, let name): FrameSupplier(.network, id: "network", name: name)
    case (.command, let name): FrameSupplier(.module, id: "module", name: name)
    case (.device, _), (.phone, _): nil
    }
  }
}
