#!/usr/bin/env -S jq --null-input --compact-output --unbuffered -f
# Turns the results of Ultralytics' tracker into the bridge's lines: the boxes of people, in pixels.
#
# It reads `result.to_json()` of every frame, also of those without a person. $size is the picture's,
# $rate the film's frames a second, which doesn't matter live. In one line each:
#
# Check:   from-ultralytics.jq --argjson size '[1280, 720]' --argjson rate 30 FILE | ballmachine check-track -
# Replay:  from-ultralytics.jq … FILE | ballmachine replay --dry-run -
# Live:    python3 track.py | from-ultralytics.jq … | socat -u - UNIX-CONNECT:/run/ballmachine/positions.sock
#
# track.py:
#   from ultralytics import YOLO
#   for result in YOLO("yolo11n.pt").track(0, stream=True, verbose=False):
#       print(result.to_json(), flush=True)
{size: $size},
foreach inputs as $boxes (-1; . + 1;
  {t: (. / $rate)} + ($boxes[] | select(.name == "person") | {
    id: .track_id, confidence, box: (.box | [.x1, .y1, .x2 - .x1, .y2 - .y1])
  }))
