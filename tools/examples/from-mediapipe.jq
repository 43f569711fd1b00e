#!/usr/bin/env -S jq --null-input --compact-output --unbuffered -f
# Turns MediaPipe's pose landmarks into the bridge's lines: the 17 points of COCO, in pixels.
#
# It reads an object a frame, as a page or an application on a phone sends it: the `landmarks` of
# MediaPipe's PoseLandmarkerResult, or those of one person alone, and the frame's `timestamp` in
# milliseconds. They are 33 points, as parts of the picture; $size is the picture's.
#
# Check:   from-mediapipe.jq --argjson size '[720, 1280]' FILE | ballmachine check-track -
# Replay:  from-mediapipe.jq … FILE | ballmachine replay --dry-run -
# Live:    websocat ws-l:0.0.0.0:8080 - | from-mediapipe.jq … |
#            socat -u - UNIX-CONNECT:/run/ballmachine/positions.sock
{size: $size},
(inputs | {
  t: (.timestamp / 1000),
  points: (.landmarks | if (.[0] | type) == "array" then .[0] else . end)
} | select(.points | length == 33) | {
  t,
  keypoints: [
    .points[0, 2, 5, 7, 8, 11, 12, 13, 14, 15, 16, 23, 24, 25, 26, 27, 28]
    | [.x * $size[0], .y * $size[1], .visibility]
  ]
})
