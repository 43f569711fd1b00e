# The Swift toolchain: whether it is there, starts, is new enough, and what it needs of Debian. To be
# sourced by set-up.sh, whose root it uses.
# shellcheck shell=bash disable=SC2154

swift_is_at=https://www.swift.org/install/linux/

# The oldest Swift that builds the project: the manifest alone says which.
minimum_swift() { sed --quiet '1s/.*swift-tools-version: *//p' "$root/Package.swift"; }

# Fails, or leaves a toolchain that can build, with all that it needs of Debian, and no build that it
# can't use.
need_swift() {
  local minimum said version programs library libraries
  minimum=$(minimum_swift)
  command -v swift > /dev/null ||
    fail "no Swift toolchain found. Install Swift $minimum or newer from $swift_is_at and put it on the PATH."
  # Until it starts, it tells one library at a time.
  while ! said=$(swift -print-target-info 2>&1); do
    library=$(sed --quiet 's/.*error while loading shared libraries: \([^:]*\): cannot open.*/\1/p' <<< "$said")
    [[ -n $library ]] || fail "the Swift toolchain $(command -v swift) can't start: ${said%%$'\n'*}"
    need_libraries "$library"
  done
  version=$(sed --quiet 's/.*"compilerVersion": ".*Swift version \([0-9.]*\).*/\1/p' <<< "$said")
  sort --version-sort --check=quiet <<< "$minimum"$'\n'"$version" ||
    fail "$(command -v swift) is Swift $version, which is too old. Install Swift $minimum or newer from $swift_is_at and put it first on the PATH."
  programs=$(sed --quiet 's|.*"runtimeResourcePath": "\(.*\)/lib/swift".*|\1/bin|p' <<< "$said")
  # Debian's compiler brings the C and C++ libraries' files that every program is linked with.
  [[ ! -x $programs/clang || $("$programs/clang" -print-file-name=libstdc++.so) == /* ]] || install_packages g++
  mapfile -t libraries < <(missing_libraries "$programs")
  if ((${#libraries[@]} > 0)); then need_libraries "${libraries[@]}"; fi
  remove_moved_builds
}

# missing_libraries FOLDER: prints what the toolchain's programs there need and this system lacks. The
# debugger and the editors' server are of no use here.
missing_libraries() {
  local part
  for part in swift-package swift-frontend clang lld swift-format llvm-cov; do
    if [[ -e $1/$part ]]; then ldd "$(realpath "$1/$part")" || true; fi
  done | awk '/=> not found/ { print $1 }' | sort --unique
}

# need_libraries NAME...: installs the packages of these shared libraries, or fails.
need_libraries() {
  local library packages=()
  if command -v apt-get > /dev/null; then update_lists "Swift needs $*" "apt-get update"; fi
  for library in "$@"; do packages+=("$(package_of "$library")"); done
  if ! command -v apt-get > /dev/null || apt-get --simulate install "${packages[@]}" > /dev/null 2>&1; then
    install_packages "${packages[@]}"
  fi
  for library in "$@"; do
    PATH=$PATH:/usr/sbin ldconfig -p | grep --quiet --fixed-strings "$library (" ||
      fail "the Swift toolchain $(command -v swift) can't start: it needs $library, which no package of this system brings. Install a toolchain for this system from $swift_is_at."
  done
}

# package_of LIBRARY: Debian names a package after the library and its version, with few exceptions.
package_of() {
  local name=${1%%.so*} version=${1##*.so.}
  case $1 in
    libz.so.1) echo zlib1g ;;
    libxml2.so.2) echo libxml2 ;;
    *[0-9].so.*) echo "$name-$version" ;;
    *) echo "$name$version" ;;
  esac
}

# Compiled C modules know the folder that they were compiled for. Where a checkout was moved or copied
# with its .build, SwiftPM fails on them.
remove_moved_builds() {
  local products scratch builds
  [[ -d $root/.build ]] || return 0
  # Two scripts at once would remove each other's new build.
  exec {builds}< "$root/.build"
  flock "$builds"
  for products in "$root"/.build/{,*/,*/*/}*-linux-gnu*; do
    scratch=${products%/*}
    if ! is_moved "$scratch" "$products"; then continue; fi
    printf 'Removing the build in %s: it was made in another folder\n' "$scratch" >&2
    rm -rf "$products" "$scratch"/{build.db,*.yaml}
  done
  exec {builds}<&-
}

# is_moved SCRATCH PRODUCTS: whether a list there of what was compiled from what is of another folder.
is_moved() {
  local escaped
  [[ -d $2 ]] || return 1
  # As a Makefile has it.
  escaped=$(sed 's/[ #]/\\&/g; s/\$/$$/g' <<< "$1/")
  [[ -n $(grep --recursive --files-without-match --fixed-strings --include='*.d' \
    --regexp="$1/" --regexp="$escaped" -- "$2" | head --lines=1) ]]
}
