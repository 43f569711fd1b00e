#!/usr/bin/env bash
#
# BlueZ's D-Bus interface answers the same call differently in Debian 12 (5.66) and Debian 13 (5.82), where its
# documentation says nothing of a change:
#
# 1. Device1.Disconnect: 5.66 answers before the link is down, `Connected` becomes false after the answer. 5.82 says
#    first that the link is down, then answers.
# 2. Device1.Connect while another Connect is pending: 5.66 answers org.bluez.Error.Failed "Operation already in
#    progress", 5.82 org.bluez.Error.InProgress "In Progress".
# 3. WriteValue to a characteristic that can only be read: 5.66 answers org.bluez.Error.NotSupported, 5.82
#    org.bluez.Error.NotAuthorized.
#
# A good guess: the answer to Disconnect means that the link is down, and the name of an error stays what it is, while
# its text may change.
#
# It matters to us because the link reads errors by their names, waits for "in progress" instead of failing, and must
# not take a link that is about to fall for one that it can use.
#
# Runs the packages bluez, dbus, linux-image and systemd of each Debian, unpacked and in a virtual machine
# (tools/real-stack/run), against Bumble 0.0.236 of PyPI. Takes three minutes. Ends with 1 if something has changed.
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

device=/org/bluez/hci0/dev_F0_F1_F2_F3_F4_F5

peer() { socat -t5 - "UNIX-CONNECT:$BALLMACHINE_REAL_STACK/peer.sock" <<< "$1" | grep --quiet '"event": "done"'; }

# call OBJECT METHOD ARGUMENT...: the answer's error, or `ok`.
call() {
  local said
  said=$(dbus-send --system --print-reply --reply-timeout=60000 --dest=org.bluez "$@" 2>&1 > /dev/null) || true
  echo "${said:-ok}"
}

property() { busctl --system get-property org.bluez "$device" org.bluez.Device1 "$1"; }

# until_property NAME VALUE
until_property() {
  local end=$((SECONDS + 30))
  until [[ $(property "$1") == "b $2" ]]; do
    ((SECONDS < end)) || { echo "$1 did not become $2" >&2 && exit 1; }
    sleep 0.2
  done
}

# What came first on the bus: the answer to Disconnect, or Connected=false.
order_of_disconnect() {
  awk '
    /member=Disconnect/ { match($0, /serial=[0-9]+/); serial = substr($0, RSTART + 7, RLENGTH - 7) }
    serial && /^method return/ && $0 ~ "reply_serial=" serial "$" { print "answer" }
    /string "Connected"/ { getline; if (/false/) print "Connected=false" }
  ' "$1" | paste --serial --delimiters=,
}

# Where the object with this UUID is.
characteristic() {
  busctl --system tree --list org.bluez | grep "^$device/.*char[0-9a-f]*$" | while read -r path; do
    if busctl --system get-property org.bluez "$path" org.bluez.GattCharacteristic1 UUID | grep --quiet "$1"; then
      echo "$path"
    fi
  done
}

seen=()
see() { seen+=("$1: $2") && echo "  $1: $2"; }

version=$(bluetoothctl --version | sed 's/.* //')
echo "BlueZ $version, Linux $(uname --kernel-release)"
peer "machine F0:F1:F2:F3:F4:F5"
bluetoothctl --timeout 8 scan on > /dev/null
call "$device" org.bluez.Device1.Connect > /dev/null
until_property ServicesResolved true
# Without buffering: it is ended by a signal.
stdbuf --output=L dbus-monitor --system > /tmp/bus &
monitor=$!
sleep 2
busctl --system call org.bluez "$(characteristic 00002a29)" org.bluez.GattCharacteristic1 WriteValue 'aya{sv}' 1 65 0 || true
sleep 1
see "a write to what can only be read" "$(grep --only-matching 'error_name=[^ ]*' /tmp/bus | tail --lines=1)"
call "$device" org.bluez.Device1.Disconnect > /dev/null
until_property Connected false
sleep 1
kill "$monitor"
see "Disconnect" "$(order_of_disconnect /tmp/bus)"
peer "vanish F0:F1:F2:F3:F4:F5"
call "$device" org.bluez.Device1.Connect > /dev/null &
sleep 2
see "a second Connect" "$(call "$device" org.bluez.Device1.Connect)"

case $version in
  5.66)
    expected="a write to what can only be read: error_name=org.bluez.Error.NotSupported
Disconnect: answer,Connected=false
a second Connect: Error org.bluez.Error.Failed: Operation already in progress"
    ;;
  5.82)
    expected="a write to what can only be read: error_name=org.bluez.Error.NotAuthorized
Disconnect: Connected=false,answer
a second Connect: Error org.bluez.Error.InProgress: In Progress"
    ;;
  *) expected="a version of BlueZ that was seen" ;;
esac
diff <(echo "$expected") <(printf '%s\n' "${seen[@]}")
