#!/usr/bin/awk -f
# Turns the labels of Ultralytics' tracker into the bridge's lines: the boxes of people, in pixels.
#
# It reads the files that `save_txt=True` wrote, one a frame, also with `save_conf=True` or of a pose
# model. A row is class, centre, size, [17 points,] [confidence,] [id], as parts of the picture.
#
# Check:   from-ultralytics.awk -v size=1280,720 -v rate=30 $(ls -v labels/*.txt) | ballmachine check-track -
# Replay:  from-ultralytics.awk … | ballmachine replay --dry-run -
# Live:    from-ultralytics.jq; these files come when the film is over
BEGIN {
  split(size, side, ",")
  printf "{\"size\": [%d, %d]}\n", side[1], side[2]
}
FNR == 1 {
  frame = FILENAME
  sub(/[.]txt$/, "", frame)
  sub(/.*_/, "", frame)
}
$1 == 0 {
  printf "{\"t\": %.3f, ", frame / rate
  # An id is a whole number, a confidence is not.
  for (column = NF > 7 ? 57 : 6; column <= NF; column++)
    printf "\"%s\": %s, ", $column ~ /[.]/ ? "confidence" : "id", $column
  printf "\"box\": [%.2f, %.2f, %.2f, %.2f]}\n",
    ($2 - $4 / 2) * side[1], ($3 - $5 / 2) * side[2], $4 * side[1], $5 * side[2]
}
