#!/bin/sh
# Rings the terminal's bell and says why whenever the bridge's arming changes. `ballmachine watch
# --json` prints a record a line; jq reads them.
#
# Usage: dashboard.sh [OPTION of ballmachine watch, such as --simulate]
set -eu
ballmachine watch --json "$@" |
  jq --unbuffered --raw-output 'select(.event == "safety") | "\u0007" + ([.state, .reason | values] | join(": "))'
