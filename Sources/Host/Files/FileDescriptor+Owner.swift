import Glibc

extension FileDescriptor {
  /// Gives what root has just made at `path` to the owner and group of the folder there: a service that
  /// runs as its own user must be able to go on with it. Another user can give nothing away.
  package func giveToOwner(ofFolderHolding path: String) throws(SystemError) {
    guard geteuid() == 0 else { return }
    let folder = Directory.holding(path)
    var status = stat()
    guard stat(folder, &status) == 0, fchown(number, status.st_uid, status.st_gid) == 0 else {
      throw SystemError("give a new file to the owner of \(folder)")
    }
  }
}
