# Building for another architecture, in two small Debian systems below .build. To be sourced after set-up.sh.
# shellcheck shell=bash disable=SC2154
#
# `swift` is sid, whose Swift is the first of Debian's that builds the project. `target` is Debian 13, with what
# makes packages, and with the libraries of both architectures. Swift's own libraries for the other one lie in
# it, too: they are in Debian's package of the compiler for that one, and of no use to another version of it.
# What is built needs the C library of Debian 13.

# shellcheck disable=SC2034  # used by the scripts that source this one
# cross_to ARCHITECTURE: sets what the functions below go by, as_root among it, or fails.
cross_to() {
  local own
  own=$(dpkg --print-architecture)
  case $1 in
    arm64)
      cross_cpu=aarch64
      cross_emulator=qemu-aarch64
      ;;
    *) fail "packages are made for $own, which is this system's architecture, and for arm64, not for '$1'" ;;
  esac
  [[ $own == amd64 ]] || fail "packages for $1 are made on amd64, not on $own"
  cross_architecture=$1
  cross=$root/.build/cross-$1
  need_root "building for $1 needs root: it is done in a system of its own" "${0##*/} --arch $1"
}

# Makes both systems, unless they are there: about 3 minutes, 1.2 GB to download, and 4 GB on the disk.
need_cross() {
  local main libraries
  command -v mmdebstrap > /dev/null || install_packages mmdebstrap
  main=$(mirror Debian)
  [[ -n $main ]] || fail "this system's apt has no mirror of Debian, of whose packages that system is made"
  mkdir -p "$cross"
  remove_moved_builds
  # This system's settings, such as a proxy, hold there, too.
  apt-config dump | grep '^Acquire::' > "$cross/apt.conf" || true
  mapfile -t libraries < <(PKG_CONFIG_PATH='' PKG_CONFIG_LIBDIR=/nonexistent missing_packages |
    sed --quiet "s/^lib.*/&:$cross_architecture/p")
  make_system target trixie "$main" build-essential debhelper pkg-config systemd-dev \
    "binutils-$cross_cpu-linux-gnu" {libc6,libstdc++-14}-dev":$cross_architecture" "${libraries[@]}"
  make_system swift sid "$main" swiftlang g++ pkg-config
  if [[ ! -d $cross/target/usr/lib/swift_static ]]; then
    quietly "Unpacking Swift for $cross_architecture" "${as_root[@]}" sh -ec "$unpack_libraries" sh \
      "$cross" "$cross_architecture" || fail "Swift's libraries for $cross_architecture can't be had"
  fi
}

# make_system NAME SUITE MIRROR PACKAGE...
make_system() {
  local system=$cross/$1
  [[ ! -e $system ]] || return 0
  # One that was not finished.
  "${as_root[@]}" rm -rf "$system.new"
  quietly "Making a system of $2" "${as_root[@]}" mmdebstrap --mode=root --variant=minbase \
    --architectures="amd64,$cross_architecture" --aptopt="$cross/apt.conf" --skip=cleanup/apt/lists \
    --include="$(printf '%s\n' "${@:4}" | paste --serial --delimiters=,)" \
    "$2" "$system.new" "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $3 $2 main" ||
    fail "the system of $2 can't be made"
  "${as_root[@]}" mv "$system.new" "$system"
}

# Run as root. `clang` there leads to the compiler's own headers, which are no other architecture's.
# shellcheck disable=SC2016  # its own shell expands it
unpack_libraries='
  cd "$1"
  rm -rf libraries && mkdir libraries
  chroot swift sh -c "cd /tmp && apt-get download swiftlang:$2"
  dpkg-deb --fsys-tarfile swift/tmp/swiftlang_*_"$2".deb |
    tar --extract --directory libraries --strip-components=5 ./usr/libexec/swift/lib/swift_static
  rm swift/tmp/swiftlang_*.deb libraries/swift_static/clang
  ln -s "$(readlink -f swift/usr/libexec/swift/lib/swift_static/clang | sed "s|.*/swift/usr|/usr|")" \
    libraries/swift_static/clang
  ln -sfn swift_static target/usr/lib/swift
  mv libraries/swift_static target/usr/lib/swift_static
  rmdir libraries
'

# in_system NAME COMMAND...: there, as this user, and in this folder, if it is one of the project's.
# Another folder for temporary files would not be there.
in_system() {
  # shellcheck disable=SC2016  # its own shell expands it
  "${as_root[@]}" unshare --mount --propagation private sh -ec '
    system=$1 project=$2 user=$3 folder=$4
    shift 4
    mkdir -p "$system$project"
    mount --bind "$project" "$system$project"
    mount -t proc proc "$system/proc"
    exec chroot --userspec="$user" "$system" env --chdir="$folder" HOME=/tmp TMPDIR=/tmp "$@"
  ' sh "$cross/$1" "$root" "$(id --user):$(id --group)" "$PWD" "${@:2}"
}

# cross_swift ARGUMENT...: `swift build` for that architecture.
cross_swift() {
  local described=$cross/target/usr/lib/$cross_cpu-linux-gnu/pkgconfig:$cross/target/usr/share/pkgconfig
  cat > "$cross/destination.json" << END
{
  "version": 1,
  "sdk": "$cross/target",
  "toolchain-bin-dir": "/usr/libexec/swift/bin",
  "target": "$cross_cpu-unknown-linux-gnu",
  "dynamic-library-extension": "so",
  "extra-cc-flags": ["-fPIC"],
  "extra-cpp-flags": [],
  "extra-swiftc-flags": ["-sdk", "$cross/target", "-resource-dir", "$cross/target/usr/lib/swift_static"]
}
END
  in_system swift PATH="/usr/libexec/swift/bin:/usr/bin:/bin" PKG_CONFIG_PATH="$described" \
    PKG_CONFIG_LIBDIR="$described" PKG_CONFIG_SYSROOT_DIR="$cross/target" \
    swift build --destination "$cross/destination.json" "$@"
}
