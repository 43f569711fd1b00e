package import BlueZ

// What the kernel knows better than BlueZ, which says `Failed` or nothing.

extension LinkFault {
  /// Why there is no adapter to use.
  ///
  /// - Parameters:
  ///   - pinned: the one that it must be; nil for any.
  ///   - isConfigured: whether the configuration says so, and not this run's last link.
  ///   - kernel: what the kernel has; nil where it is not to be asked.
  package init(
    noAdapter pinned: AdapterReference?,
    isConfigured: Bool = true,
    kernel: KernelView?
  ) {
    let controllers = (try? kernel?.controllers.get()) ?? []
    if let controller = controllers.first(where: { pinned?.means($0) != false }) {
      self = .adapterNotTakenUp(name: controller.name, controller.address)
    } else if let block = kernel?.blockOfTheBox {
      self = .adapterBlocked(block)
    } else if let pinned, !isConfigured {
      self = .adapterGone(pinned)
    } else {
      self = .adapterMissing(pinned: pinned)
    }
  }

  /// Why an adapter does not come on, after BlueZ has refused to switch it on.
  init(powerOnRefused error: BlueZError, adapter: Adapter?, kernel: KernelView?) {
    if let block = kernel?.block(of: adapter) {
      self = .adapterBlocked(block)
    } else if error.kind == .blocked {
      // Newer kernels say so themselves. A hard block would show in sysfs.
      self = .adapterBlocked(.soft)
    } else {
      self = .adapterWontPowerOn(error)
    }
  }
}

extension KernelView {
  /// What keeps this adapter off, if rfkill does.
  package func block(of adapter: Adapter?) -> RadioSwitch.Block? {
    adapter?.index.flatMap(block(ofController:))
  }
}
