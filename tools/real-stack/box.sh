# What the scripts beside this one share. To be sourced.
# shellcheck shell=bash

# shellcheck source=tools/lib/set-up.sh
source "$(dirname "${BASH_SOURCE[0]}")/../lib/set-up.sh"

here=$root/tools/real-stack
cache=$root/.build/real-stack
# Debian's python3, whatever other one is first on the PATH.
python=/usr/bin/python3
# qemu, modprobe and the like are on every user's PATH this way.
PATH=$PATH:/usr/sbin:/sbin

# The machine's architecture, as Debian calls it.
architecture=
# In front of a command, runs a program of the machine here.
emulator=()

# shellcheck disable=SC2034  # used by the scripts that source this one
# choose_architecture VALUE: what is different from one architecture to the other.
choose_architecture() {
  architecture=$1
  case $architecture in
    amd64)
      qemu_package="qemu-system-x86"
      qemu=(qemu-system-x86_64 -machine pc -cpu max -bios /usr/share/qemu/qboot.rom)
      emulator=(qemu-x86_64)
      console=ttyS0
      controllers=hci_vhci
      ;;
    arm64)
      qemu_package="qemu-system-arm"
      qemu=(qemu-system-aarch64 -machine virt -cpu "max,pauth-impdef=on")
      emulator=(qemu-aarch64)
      console=ttyAMA0
      # Debian's kernel for arm64 has no hci_vhci.
      controllers=hci_uart
      ;;
    *) fail "a machine's architecture can be amd64 or arm64, not '$architecture'" ;;
  esac
  if [[ $architecture == "$own_architecture" ]]; then emulator=(); fi
}
own_architecture=$(dpkg --print-architecture) || fail "the machine is made of Debian's packages, and needs its dpkg here"
choose_architecture "$own_architecture"

# The Debian that the machine is made of, and the name of its suite in the archive.
debian=
suite=

# shellcheck disable=SC2034  # gather uses it
# choose_debian VALUE: a version, or `own`, which is this system's, for what can't be had of another one.
choose_debian() {
  debian=$1
  if [[ $debian == own ]]; then
    debian=$(sed --quiet 's/^VERSION_ID="\(.*\)"$/\1/p' /etc/os-release)
    # That of sid has no number.
    debian=${debian:-sid}
  fi
  case $debian in
    12) suite=bookworm ;;
    13) suite=trixie ;;
    14) suite=forky ;;
    sid) suite=sid ;;
    *) fail "a machine can be Debian 12, 13, 14 or sid, not '$debian'" ;;
  esac
}
choose_debian 13

# Debian's packages for the machine: what missing_packages would ask for, were nothing here, are the
# libraries that the programs use.
machine_packages() {
  grep --invert-match '^#' "$here/packages"
  PKG_CONFIG_PATH='' PKG_CONFIG_LIBDIR=/nonexistent missing_packages | grep '^lib'
}

# The folder of what the machine boots. Its name says what it was made of, so that a folder with
# that name is ready for use, and a change makes another one. The packages stay until `--renew`.
box_folder() {
  local of_what
  of_what=$(cat "$here"/{gather,box.sh,requirements.txt,guest/init,guest/modules} && machine_packages &&
    "$python" --version 2>&1) || fail "there is no Debian Python, $python"
  printf '%s/box-%s-%.12s\n' "$cache" "$(debian_name)" "$(sha256sum <<< "$of_what")"
}

# What folders call the machine's Debian: 13, or 13-arm64 where this system's architecture is another one.
debian_name() {
  if ((${#emulator[@]} > 0)); then echo "$debian-$architecture"; else echo "$debian"; fi
}

# Makes a folder for a run's logs, and prints it. The last ten stay, and those of machines that run.
new_logs() {
  local old
  mkdir -p "$cache/logs"
  while read -r old; do
    flock --exclusive --nonblock "$old" rm -rf "$old" 2> /dev/null || true
  done < <(find "$cache/logs" -mindepth 1 -maxdepth 1 -type d | sort | head --lines=-9)
  mktemp -d "$cache/logs/$(date +%Y-%m-%dT%H.%M.%S).XXX"
}

# in_use FOLDER: keeps it from being replaced or removed as long as this process and its children live.
in_use() {
  local lock
  exec {lock}< "$1"
  flock --shared "$lock"
}
