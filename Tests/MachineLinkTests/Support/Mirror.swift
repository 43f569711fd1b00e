import BlueZ
import DBus

/// What a client has gathered of a ``World``: from snapshots, and from the signals between them.
///
/// It does what `BlueZClient` does, without a bus.
struct Mirror {
  private(set) var state = BlueZState()
  private var scope = ObservationScope.everything
  /// Whether no signal was missed since the last snapshot: another one would show the same.
  private var isComplete = false

  /// A new connection to the bus. The objects are read later.
  mutating func open(_ world: World) {
    scope = .everything
    state.isBusConnected = true
    state.owner = world.owner
    state.tree = nil
    state.revision += 1
  }

  mutating func lose() {
    guard state.isBusConnected else { return }
    state.isBusConnected = false
    state.owner = nil
    state.tree = nil
    state.revision += 1
  }

  /// bluetoothd came, went, or was replaced.
  mutating func followOwner(_ world: World) {
    guard state.isBusConnected, state.owner != world.owner else { return }
    state.owner = world.owner
    state.tree = nil
    state.revision += 1
  }

  /// Takes a snapshot.
  mutating func read(_ world: World) {
    guard state.isBusConnected, world.owner != nil, state.owner == world.owner else { return }
    guard state.tree == nil || !isComplete else { return }
    isComplete = true
    var tree = state.tree ?? ObjectTree()
    tree.replace(with: world.objects)
    guard tree != state.tree || world.kernel != state.kernel else { return }
    state.tree = tree
    state.kernel = world.kernel
    state.revision += 1
  }

  /// Sees everything that there is to see.
  mutating func catchUp(with world: World) {
    guard world.isBusConnected else {
      lose()
      return
    }
    if !state.isBusConnected { open(world) }
    followOwner(world)
    isComplete = false
    read(world)
  }

  mutating func observe(_ scope: ObservationScope, _ world: World) {
    self.scope = scope
    read(world)
  }

  /// Takes the signals that tell a change.
  mutating func follow(_ world: World, since old: World) {
    guard state.tree != nil, state.owner == world.owner,
      world.peers != old.peers || world.radios != old.radios
    else { return }
    for signal in world.signals(since: old) {
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
    if signal.interface == Interface.properties {
      return signal.path == device || signal.path == device.parent
    }
    guard let path = signal.arguments.first?.objectPath else { return false }
    return path == device || path == device.parent || path.isDescendant(of: device)
  }
}

extension World {
  /// What a client sees that has just read everything.
  func levels() -> BlueZState {
    var mirror = Mirror()
    mirror.catchUp(with: self)
    return mirror.state
  }
}
