#!/usr/bin/env bash
#
# Debian 13's kernel for arm64 (linux-image-arm64 6.12) is built without CONFIG_BT_HCIVHCI, and that for amd64 with it, as
# a module. /dev/vhci is what emulated Bluetooth controllers, such as BlueZ's btvirt and Bumble's vhci transport, are
# attached to: on a Raspberry Pi with Debian's kernel, and in a virtual machine of arm64, none of them can run.
# CONFIG_BT_HCIUART is there for both: a controller can be attached to a pseudo-terminal through its line discipline.
#
# A good guess: a test driver without any hardware behind it is built for each architecture, or for none.
#
# It matters to us because the machine in which the bridge is tested (tools/real-stack) gets its controllers that way:
# for arm64 they are at a pseudo-terminal.
#
# Reads the configurations in Debian's packages, and runs nothing of them. Downloads 170 MB. Ends with 1 if something has
# changed.
#
set -euo pipefail
# shellcheck source=tools/lib/set-up.sh
source "$(dirname "$(realpath "${BASH_SOURCE[0]}")")/../tools/lib/set-up.sh"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mirror=$(mirror Debian)

# option ARCHITECTURE NAME: its line in the configuration of that architecture's kernel.
option() {
  grep --extended-regexp "^(# )?$2[ =]" "$folder/$1/config"
}

for architecture in amd64 arm64; do
  state=$folder/$architecture
  mkdir -p "$state"/{lists,archives}/partial
  : > "$state/status"
  echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror trixie main" > "$state/sources.list"
  cat > "$state/apt.conf" << END
#clear APT::Architectures;
APT::Architecture "$architecture";
APT::Architectures "$architecture";
APT::Sandbox::User "root";
Dir::State "$state";
Dir::State::status "$state/status";
Dir::Cache "$state";
Dir::Etc::SourceList "$state/sources.list";
Dir::Etc::SourceParts "/dev/null";
END
  cd "$state"
  apt-get --quiet=2 --config-file apt.conf update
  image=$(apt-cache --config-file apt.conf depends "linux-image-$architecture" | sed --quiet 's/.*Depends: //p')
  apt-get --quiet=2 --config-file apt.conf download "$image"
  dpkg-deb --fsys-tarfile ./"$image"_*.deb | tar --extract --to-stdout --wildcards './boot/config-*' > config
  echo "$image: $(option "$architecture" CONFIG_BT_HCIVHCI), $(option "$architecture" CONFIG_BT_HCIUART)"
done

[[ $(option amd64 CONFIG_BT_HCIVHCI) == CONFIG_BT_HCIVHCI=m ]]
[[ $(option arm64 CONFIG_BT_HCIVHCI) == "# CONFIG_BT_HCIVHCI is not set" ]]
[[ $(option arm64 CONFIG_BT_HCIUART) == CONFIG_BT_HCIUART=m ]]
