#!/bin/bash
# Feeds the bridge with a player who stands still, ten times a second, through socat.
#
# Usage: feeder.sh [X Y [SOCKET]]
#
# The socket of `ballmachine simulate` is /tmp/ballmachine-simulation-UID/positions.sock.
set -eu
x=${1:-4.1} y=${2:-9.8} socket=${3:-/run/ballmachine/positions.sock}
# The script becomes socat: however it is killed, the loop loses its reader, and the feeding ends.
exec socat -u - "UNIX-CONNECT:$socket" \
  < <(while printf '{"x": %s, "y": %s}\n' "$x" "$y"; do sleep 0.1; done)
