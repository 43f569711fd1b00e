#!/usr/bin/env bash
#
# mosquitto 2.0.21 (Debian 13) and 2.1.2 (Debian's testing), which drop to the user mosquitto, warn of a password file that
# another user owns: "owner is not mosquitto. Future versions will refuse to load this file". Their own mosquitto_passwd,
# which is run as root to write below /etc, warns of the same file, once it is mosquitto's: "owner is not root. Future
# versions will refuse to load this file", and of its group in the same words. Run as the user mosquitto it says neither,
# but ends with 1 and changes nothing in /etc/mosquitto: it makes a copy beside the file first, in a folder that is root's.
#
# A good guess: one owner suits the broker and the tool that comes with it, and `chown mosquitto', as the broker's warning
# has it, ends all warnings.
#
# It matters to us because a club follows our steps and looks at the log, and because future versions mean what they say.
# The steps make a folder that belongs to mosquitto, and run mosquitto_passwd as that user.
#
# Runs the package mosquitto of both, in a system and a network of their own. Takes root, 90 MB to download, and a minute.
# Ends with 1 if something has changed.
#
set -euo pipefail
here=$(dirname "$(realpath "${BASH_SOURCE[0]}")")
# shellcheck source=findings/debian-system.bash
source "$here/debian-system.bash"

for suite in trixie testing; do
  make_system "$suite" mosquitto,iproute2
  in_system << 'END'
cd /etc/mosquitto
as_mosquitto() { setpriv --reuid=mosquitto --regid=mosquitto --init-groups "$@"; }
# count FILE WORDS: how many of the warnings are in it.
count() { grep --count "$2. Future versions will refuse to load this file" "$1" || true; }
# broker FILE: what mosquitto says as it starts with these passwords.
broker() {
  printf 'listener 1883 127.0.0.1\nallow_anonymous false\npassword_file %s\n' "$1" > /tmp/configuration
  timeout 2 mosquitto -c /tmp/configuration > /tmp/said 2>&1 || true
  grep --quiet running /tmp/said
}
# change COMMAND...: adds a user to a file; the status is in `status'.
change() {
  status=0
  "$@" > /tmp/said 2>&1 || status=$?
}
installed=$(dpkg-query --show --showformat='${Version}' mosquitto)
install -m 0640 -g mosquitto /dev/null passwords
change mosquitto_passwd -b passwords court-1 secret
as_root="$status $(count /tmp/said 'group is not root')"
broker /etc/mosquitto/passwords
echo "mosquitto $installed: of root's file: mosquitto_passwd $as_root, the broker $(count /tmp/said 'is not mosquitto')"
[[ $as_root == "0 1" && $(count /tmp/said 'owner is not mosquitto') == 1 ]]

chown mosquitto:mosquitto passwords
broker /etc/mosquitto/passwords
quiet=$(count /tmp/said "is not")
change mosquitto_passwd -b passwords court-2 secret
as_root="$status $(count /tmp/said 'owner is not root')"
change as_mosquitto mosquitto_passwd -b passwords court-3 secret
echo "of mosquitto's file: the broker $quiet, mosquitto_passwd as root $as_root, as mosquitto it ends with $status"
[[ $quiet == 0 && $as_root == "0 1" && $status == 1 ]]
! grep --quiet court-3 passwords

install -d -o mosquitto -g mosquitto -m 0700 own
install -o mosquitto -g mosquitto -m 0600 /dev/null own/passwords
change as_mosquitto mosquitto_passwd -b /etc/mosquitto/own/passwords court-1 secret
change as_mosquitto mosquitto_passwd -b /etc/mosquitto/own/passwords court-2 secret
quiet=$(count /tmp/said "is not")
broker /etc/mosquitto/own/passwords
echo "in mosquitto's folder: mosquitto_passwd as mosquitto $status $quiet, the broker $(count /tmp/said 'is not')"
[[ $status == 0 && $quiet == 0 && $(count /tmp/said 'is not') == 0 ]]
END
done
