# A small Debian system in a temporary folder. To be sourced.
# shellcheck shell=bash
#
# shellcheck source=tools/lib/set-up.sh
source "$(dirname "${BASH_SOURCE[0]}")/../tools/lib/set-up.sh"
((EUID == 0)) || fail "needs root: it runs packages in a system of their own"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# make_system SUITE PACKAGE,...: of Debian, without what they recommend.
make_system() {
  command -v mmdebstrap > /dev/null || install_packages mmdebstrap
  rm -rf "$folder/system"
  quietly "Making a system of $1" mmdebstrap --mode=root --variant=minbase --include="$2" \
    --aptopt='Acquire::Check-Valid-Until "false"' "$1" "$folder/system" \
    "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $(mirror Debian) $1 main"
  echo "127.0.0.1 localhost" > "$folder/system/etc/hosts"
}

# Runs the script on standard input there, as root, in a network of its own; all that it starts ends with it.
in_system() {
  cat > "$folder/system/script"
  env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 HOME=/root unshare --net --mount --pid --fork --kill-child \
    --mount-proc="$folder/system/proc" chroot "$folder/system" bash -ec 'ip link set lo up; source /script'
}
