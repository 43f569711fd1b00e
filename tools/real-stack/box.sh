# What the scripts beside this one share. To be sourced.
# shellcheck shell=bash

# shellcheck source=tools/lib/set-up.sh
source "$(dirname "${BASH_SOURCE[0]}")/../lib/set-up.sh"

here=$root/tools/real-stack
cache=$root/.build/real-stack
# Debian's python3, whatever other one is first on the PATH: the machine sees the same files.
python=/usr/bin/python3
# qemu, modprobe and the like are on every user's PATH this way.
PATH=$PATH:/usr/sbin:/sbin

# What is different from one processor to the other. Only x86_64 is tested.
# shellcheck disable=SC2034  # used by the scripts that source this one
case $(uname -m) in
  x86_64)
    kernel_package=linux-image-amd64
    qemu_package="qemu-system-x86"
    qemu=(qemu-system-x86_64 -machine pc -cpu max -bios /usr/share/qemu/qboot.rom)
    console=ttyS0
    ;;
  aarch64)
    kernel_package=linux-image-arm64
    qemu_package="qemu-system-arm"
    qemu=(qemu-system-aarch64 -machine virt -cpu "max,pauth-impdef=on")
    console=ttyAMA0
    ;;
  *) fail "there is no machine for $(uname -m), only for x86_64 and aarch64" ;;
esac

# The folder of what the machine boots. Its name says what it was made of, so that a folder with
# that name is ready for use, and a change makes another one. The kernel stays until `--renew`.
box_folder() {
  local of_what
  of_what=$(cat "$here"/{gather,box.sh,requirements.txt,guest/init,guest/modules} &&
    uname -m && "$python" --version 2>&1) || fail "there is no Debian Python, $python"
  printf '%s/box-%.12s\n' "$cache" "$(sha256sum <<< "$of_what")"
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
