#!/usr/bin/env python3
"""Turns a topic of ROS 2 into the bridge's lines, as `ros2 topic echo` prints it.

Usage: from-ros2.py [--size WIDTH HEIGHT] [--class NAME] [FILE]

A PoseStamped, PoseWithCovarianceStamped or PointStamped is a position in metres. A Detection2DArray of
vision_msgs 4 has boxes, in pixels of a picture of this size; those of the class NAME (person) count.

Check:   ros2 topic echo /player > FILE; from-ros2.py FILE | ballmachine check-track -
Replay:  from-ros2.py FILE | ballmachine replay --dry-run -
Live:    PYTHONUNBUFFERED=1 ros2 topic echo /player | from-ros2.py |
           socat -u - UNIX-CONNECT:/run/ballmachine/positions.sock
"""

import argparse
import json
import re
import sys

BOX = "center.position.x", "center.position.y", "size_x", "size_y"


def messages(lines):
    """The values of each message by their paths, such as pose.position.x; a list for each detection."""
    path, message = [], [{}]
    for line in lines:
        if line.startswith("---"):
            yield message
            path, message = [], [{}]
        elif found := re.match(r"([ -]*)(\w+): *(.*)", line):
            path = [key for key in path if key[0] < len(found[1])] + [(len(found[1]), found[2])]
            name = ".".join(key for _, key in path)
            if name == "detections.header":
                message.append({})
            # A detection's first result is its best one.
            message[-1].setdefault(name, found[3].strip("'\""))


def number(text):
    """YAML has a point before these two; the bridge refuses them."""
    return float(text.replace(".nan", "nan").replace(".inf", "inf"))


def lines(message, wanted):
    """The bridge's lines for a message."""
    header, *detections = message
    t = int(header["header.stamp.sec"]) + int(header["header.stamp.nanosec"]) / 1e9
    for key in "pose.position.", "pose.pose.position.", "point.":
        if key + "x" in header:
            yield {"t": t, "x": number(header[key + "x"]), "y": number(header[key + "y"])}
    for detection in detections:
        x, y, width, height = (number(detection["detections.bbox." + key]) for key in BOX)
        if detection.get("detections.results.hypothesis.class_id") == wanted:
            yield {"t": t, "id": detection["detections.id"],
                   "confidence": number(detection["detections.results.hypothesis.score"]),
                   "box": [x - width / 2, y - height / 2, width, height]}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", nargs="?", type=argparse.FileType(), default=sys.stdin)
    parser.add_argument("--size", nargs=2, type=int, metavar=("WIDTH", "HEIGHT"))
    parser.add_argument("--class", dest="wanted", metavar="NAME", default="person")
    options = parser.parse_args()
    if options.size:
        print(json.dumps({"size": options.size}), flush=True)
    for message in messages(options.file):
        for line in lines(message, options.wanted):
            print(json.dumps(line), flush=True)


if __name__ == "__main__":
    main()
