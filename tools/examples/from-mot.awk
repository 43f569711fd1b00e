#!/usr/bin/awk -f
# Turns a tracker's file in the form of the MOT challenge into the bridge's lines: boxes, in pixels.
#
# A row is frame,id,left,top,width,height,confidence,x,y,z; a confidence of -1 is none. Some trackers write
# one person after the other, so sort the rows first.
#
# Check:   sort -t, -k1,1n FILE | from-mot.awk -v size=1280,720 -v rate=30 | ballmachine check-track -
# Replay:  sort -t, -k1,1n FILE | from-mot.awk … | ballmachine replay --dry-run -
# Live:    no; trackers write this file when the film is over
BEGIN {
  FS = ","
  printf "{\"size\": [%s]}\n", size
}
{
  confidence = $7 < 0 ? "" : ", \"confidence\": " $7
  printf "{\"t\": %.3f, \"id\": \"%s\", \"box\": [%s, %s, %s, %s]%s}\n",
    $1 / rate, $2, $3, $4, $5, $6, confidence
}
