#!/usr/bin/env bash
#
# `busctl --json=short monitor` says "Monitoring bus message stream." on standard error with systemd 252 (Debian 12), as
# soon as it hears everything. With systemd 257 (Debian 13) it says nothing; without --json it says it, in both.
#
# A good guess: --json changes what goes to standard output. Who starts the monitor, waits for that line and then acts, so
# as not to miss the first message, waits for ever.
#
# It matters to us because the tests of BlueZ's behaviour record what busctl hears: they may begin only once it listens.
# They wait for the bus to take the monitor's name away instead, as it does with every monitor.
#
# Runs the package systemd of each Debian, unpacked and in a virtual machine (tools/real-stack/run). Takes a minute or two.
# Ends with 1 if something has changed.
#
set -euo pipefail
here=$(dirname "$(realpath "${BASH_SOURCE[0]}")")

if [[ -z ${BALLMACHINE_REAL_STACK-} ]]; then
  status=0
  for debian in 12 13; do
    "$here/../tools/real-stack/run" --debian "$debian" -- "$here/${0##*/}" || status=1
  done
  exit "$status"
fi

# says OPTION...: what it has said on standard error when it hears messages.
says() {
  local end=$((SECONDS + 60))
  busctl --system "$@" monitor > /tmp/heard 2> /tmp/said &
  until grep --quiet Ping /tmp/heard; do
    ((SECONDS < end)) || { echo "the monitor hears nothing" >&2 && exit 1; }
    busctl --system call org.bluez /org/bluez org.freedesktop.DBus.Peer Ping
    sleep 0.5
  done
  kill $!
  cat /tmp/said
}

version=$(busctl --version | sed --quiet 's/^systemd \([0-9]*\).*/\1/p')
words=$(says)
json=$(says --json=short)
echo "systemd $version: monitor says \"$words\", --json=short monitor says \"$json\""
listens="Monitoring bus message stream."
[[ $words == "$listens" ]]
case $version in
  252) [[ $json == "$listens" ]] ;;
  257) [[ -z $json ]] ;;
  *) false ;;
esac
