#!/usr/bin/env -S jq --null-input --compact-output --unbuffered -f
# Turns Frigate's events into the bridge's lines: the boxes of people, in pixels.
#
# It reads the payloads of the MQTT topic `frigate/events`; $size is the size of the camera's `detect`
# stream. Frigate sends an event when something changes, not for every frame. That shows whether its
# positions are right, but is too rare to play: after a second without one no ball flies.
#
# Check:   from-frigate.jq --arg camera court --argjson size '[1280, 720]' FILE | ballmachine check-track -
# Replay:  from-frigate.jq … FILE | ballmachine replay --dry-run -
# Live:    mosquitto_sub -h BROKER -t frigate/events | from-frigate.jq … |
#            socat -u - UNIX-CONNECT:/run/ballmachine/positions.sock
{size: $size},
(inputs | select(.type != "end") | .after | select(.camera == $camera and .label == "person") | {
  t: .frame_time, id, confidence: .score, box: (.box | [.[0], .[1], .[2] - .[0], .[3] - .[1]])
})
