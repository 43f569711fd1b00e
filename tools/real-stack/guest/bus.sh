# To be sourced: reads BlueZ's signals on the system bus.
# shellcheck shell=bash

# Returns when it listens, so that nothing that follows is missed.
listen_to_bus() {
  local of_bus="type='signal',sender='org.freedesktop.DBus',member='NameOwnerChanged',arg0='org.bluez'"
  local of_bluez="type='signal',member='InterfacesAdded',path='/'"
  exec {bus}< <(exec dbus-monitor --system "$of_bus" "$of_bluez" 2> /dev/null)
  monitor=$!
  # A monitor gives up its own name as it becomes one.
  await "the bus" '*member=NameLost'
}

# await WHAT PATTERN: reads until a line of the monitor's matches.
await() {
  local line
  while read -r -t 60 line <&"$bus"; do
    # shellcheck disable=SC2053  # a pattern it is
    if [[ $line == $2 ]]; then return; fi
  done
  printf '%s did not appear in time\n' "$1" >&2
  return 1
}

# An owner's name begins with a colon; without an owner it is empty. The old owner comes first.
await_bluez() { await "bluetoothd's name on the bus" '*member=NameOwnerChanged' && await "its owner" 'string ":*'; }
await_no_bluez() { await "the end of bluetoothd's name on the bus" '*member=NameOwnerChanged' && await "its end" 'string ""'; }
await_adapter() { await "the adapter $1 in bluetoothd" "object path \"/org/bluez/$1\""; }

stop_listening() {
  kill "$monitor"
  exec {bus}<&-
}
