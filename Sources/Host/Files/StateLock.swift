/// The right to write a state directory's files, which one process has at a time.
///
/// The ``MachineLock`` does not give it: bridges with runtime directories of their own hold a lock each,
/// and by mistake may share a state directory. Each would then erase what the other one keeps.
///
/// The kernel releases it however the process ends.
package struct StateLock: Sendable {
  package static let fileName = "state.lock"

  private let file: LockFile

  /// Takes the lock if it is free. Creates the directory if it is missing.
  package init(of directory: StateDirectory) throws(StateLockError) {
    do throws(StateDirectoryError) { try directory.prepare() } catch {
      throw .file(.directory(error))
    }
    do throws(MachineLockError) {
      file = try LockFile(path: directory.path(of: Self.fileName), mode: 0o600)
    } catch {
      switch error {
      case .held: throw .held(directory.path)
      case .system(let error): throw .file(.system(error))
      }
    }
  }

  package func release() { file.release() }
}

/// Why a state directory can't be locked.
package enum StateLockError: Error, Hashable, Sendable {
  /// Another bridge uses this directory.
  case held(String)
  case file(StateFileError)
}

extension StateLockError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .held(let path):
      "another ballmachine keeps its owed stops and its machine in \(path):"
        + " set BALLMACHINE_STATE_DIRECTORY to another directory for this one"
    case .file(let error): error.description
    }
  }
}
