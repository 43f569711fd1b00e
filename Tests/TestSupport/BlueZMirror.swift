package import BlueZ
import DBus

/// What a client has gathered of a ``BlueZModel``: from snapshots, and from the signals between them.
///
/// It does what `BlueZClient` does, without a bus.
package struct BlueZMirror {
  package private(set) var state = BlueZState()
  private var scope = ObservationScope.everything
  /// Whether no signal was missed since the last snapshot: another one would show the same.
  private var isComplete = false

  /// A new connection to the bus. The objects are read later.
  package mutating func open(_ bluez: BlueZModel) {
    scope = .everything
    state.isBusConnected = true
    state.owner = bluez.owner
    state.tree = nil
    state.revision += 1
  }

  package mutating func lose() {
    guard state.isBusConnected else { return }
    state.isBusConnected = false
    state.owner = nil
    state.tree = nil
    state.revision += 1
  }

  /// bluetoothd came, went, or was replaced.
  package mutating func followOwner(_ bluez: BlueZModel) {
    guard state.isBusConnected, state.owner != bluez.owner else { return }
    state.owner = bluez.owner
    state.tree = nil
    state.revision += 1
  }

  /// Takes a snapshot.
  package mutating func read(_ bluez: BlueZModel) {
    guard state.isBusConnected, bluez.owner != nil, state.owner == bluez.owner else { return }
    guard state.tree == nil || !isComplete else { return }
    isComplete = true
    var tree = state.tree ?? ObjectTree()
    tree.replace(with: bluez.objects)
    guard tree != state.tree || bluez.kernel != state.kernel else { return }
    state.tree = tree
    state.kernel = bluez.kernel
    state.revision += 1
  }

  /// Sees everything that there is to see.
  package mutating func catchUp(with bluez: BlueZModel) {
    guard bluez.isBusConnected else {
      lose()
      return
    }
    if !state.isBusConnected { open(bluez) }
    followOwner(bluez)
    isComplete = false
    read(bluez)
  }

  package mutating func observe(_ scope: ObservationScope, _ bluez: BlueZModel) {
    self.scope = scope
    read(bluez)
  }

  /// Takes the signals that tell a change.
  package mutating func follow(_ bluez: BlueZModel, since old: BlueZModel) {
    guard state.tree != nil, state.owner == bluez.owner,
      bluez.peers != old.peers || bluez.radios != old.radios
        || bluez.isSimulated != old.isSimulated
    else { return }
    for signal in bluez.signals(since: old) {
      if !isFollowed(signal) {
        isComplete = false
      } else if state.tree?.apply(signal) == true {
        state.revision += 1
      }
    }
  }

  /// Whether a match rule lets the signal through.
  private func isFollowed(_ signal: Signal) -> Bool {
    guard case .device(let device) = scope else { return true }
    if signal.interface == Interface.properties || signal.interface == Interface.device {
      return signal.path == device || signal.path == device.parent
    }
    guard let path = signal.arguments.first?.objectPath else { return false }
    return path == device || path == device.parent || path == device.parent?.parent
      || path.isDescendant(of: device)
  }
}

extension BlueZModel {
  /// What a client sees that has just read everything.
  package func levels() -> BlueZState {
    var mirror = BlueZMirror()
    mirror.catchUp(with: self)
    return mirror.state
  }
}
