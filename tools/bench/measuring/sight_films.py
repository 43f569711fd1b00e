"""Real clips as a worse camera, or worse light, would show them. tools/bench/sight --real uses them."""

import ctypes
import ctypes.util
import math
import shutil
import subprocess
import sys
from dataclasses import dataclass
from fractions import Fraction

SIZE = (1280, 720)
# Of the empty court before a warm film, in seconds: the finder learns it in two.
EMPTY = 3
# As cameras compress; the libraries' own usual one.
QUALITY = 90


@dataclass(frozen=True)
class Condition:
    """What is done to a clip."""

    name: str
    # ffmpeg's, after the frames are 1280 x 720.
    filters: str = ""
    size: tuple = SIZE
    quality: int = QUALITY
    # In kbit/s of H.264.
    bits: int = 0
    # A factor for each row: of the seconds since the film's beginning, and of the row as a share of the height.
    light: object = None
    # About so many frames a second; nothing: every second frame, as the labels are numbered.
    rate: float = 0
    # Whether the empty court is seen first.
    warm: bool = True
    # Whether a few conditions are enough.
    quick: bool = False
    # Whether the player must be found: not where silence is right.
    findable: bool = True


def _shifted(across, down):
    """The picture moved by up to 8 pixels, its edges drawn out."""
    return (
        f"format=yuv444p,crop=1264:704:'8+({across})':'8+({down})',pad=1280:720:8:8,"
        "fillborders=left=8:right=8:top=8:bottom=8:mode=smear"
    )


def _lamps(share):
    """Lamps of 50 Hz, whose light swings with 100, in a picture that is read row by row in 1/30 s."""
    return lambda time, row: 1 + share * math.sin(2 * math.pi * 100 * (time + row / 30))


def _steps(time, _row):
    """An automatic exposure that finds no rest."""
    return (1.0, 0.8, 1.0, 1.25)[int(time / 1.3) % 4]


def _noise(strength):
    return f"noise=alls={strength}:allf=t"


def _dark(share):
    return f"lutyuv=y=val*{share}:u=128+(val-128)*{share}:v=128+(val-128)*{share},{_noise(8)}"


CONDITIONS = [
    Condition("as given", quick=True),
    Condition("cold", warm=False, quick=True),
    *(Condition(f"JPEG quality {quality}", quality=quality, quick=quality == 30)
      for quality in (75, 60, 50, 40, 30, 20, 12)),
    *(Condition(f"blur {blur} px", f"gblur=sigma={blur}", quick=blur == 1.5) for blur in (1.5, 2, 3, 4)),
    *(Condition(f"{width} × {width * 9 // 16}", size=(width, width * 9 // 16), quick=width in (1024, 320))
      for width in (1024, 800, 640, 320)),
    *(Condition(f"H.264, {bits} kbit/s", bits=bits, quick=bits == 500) for bits in (1500, 1000, 500, 250)),
    Condition("light × 0.35", _dark(0.35)),
    Condition("light × 0.2", _dark(0.2), quick=True, findable=False),
    Condition("exposure steps", light=_steps),
    Condition("shake", _shifted("round(1.5*sin(n*2.4)+sin(n*0.7))", "round(sin(n*1.9+1))")),
    # From 4 px on the camera has moved, and that is said.
    Condition("tripod sinks 5 px", _shifted("0", "min(5,floor(t/1.5))"), quick=True, findable=False),
    Condition("grey", "hue=s=0"),
    Condition("lamps flicker by 6 %", light=_lamps(0.06)),
    Condition("lamps flicker by 12 %", light=_lamps(0.12), quick=True),
    *(Condition(f"{rate} frames a second", rate=rate) for rate in (5, 8, 10, 25)),
]


class Clip:
    """A clip and what is known of it."""

    def __init__(self, folder, name, labels):
        self.name = name
        self.path = folder / f"{name}.mp4"
        self.court = folder / f"{name}.yaml"
        # By the time in seconds since the clip's beginning.
        self.fps = self._fps()
        self.feet = {2 * int(frame) / self.fps: foot for frame, foot in labels.get("feet", {}).items()}
        # Frames, numbered as the labels are, without a player in the picture: [first, last].
        self.nobody = [(2 * first / self.fps, 2 * last / self.fps) for first, last in labels.get("nobody", [])]

    def _fps(self):
        answer = _run("ffprobe", "-select_streams", "v:0", "-show_entries", "stream=r_frame_rate", "-of",
                      "default=noprint_wrappers=1:nokey=1", self.path)
        return float(Fraction(answer.decode().strip()))

    def step(self, condition):
        """Which frames are kept: each second one, or each third, …"""
        return max(1, round(self.fps / condition.rate)) if condition.rate else 2

    def write(self, condition, film, scratch):
        """Writes the clip under that condition as a film of JPEGs."""
        step = self.step(condition)
        base = self._base(step, condition.warm, scratch)
        filters = condition.filters
        if condition.size != SIZE:
            filters = ",".join(filter(None, [filters, "scale={}:{}:flags=area".format(*condition.size)]))
        source = base
        part = scratch / "part.mjpeg"
        if condition.bits:
            source = scratch / "compressed.mp4"
            _run("ffmpeg", "-y", "-i", base, "-c:v", "libx264", "-preset", "fast", "-b:v",
                 f"{condition.bits}k", "-maxrate", f"{condition.bits}k", "-bufsize", f"{condition.bits}k", source)
        _compress(source, filters, part, condition, self.fps / step)
        shutil.move(part, film)

    def _base(self, step, warm, scratch):
        """The frames that are kept, 1280 x 720, after the empty court where the film is warm; without loss."""
        base = scratch / f"{self.name}-{step}-{'warm' if warm else 'cold'}.mkv"
        if base.exists():
            return base
        rate = self.fps / step
        kept = f"select='not(mod(n,{step}))',setpts=N/{rate}/TB,scale=1280:720,format=yuv420p,setsar=1"
        lossless = ["-an", "-r", str(rate), "-c:v", "libx264", "-preset", "ultrafast", "-qp", "0"]
        if not warm:
            _run("ffmpeg", "-y", "-i", self.path, "-vf", kept, *lossless, base)
            return base
        court = scratch / f"{self.name}.png"
        if not court.exists():
            # Of 41 frames, evenly from the whole clip: the median of each pixel.
            frames = int(_run("ffprobe", "-select_streams", "v:0", "-count_packets", "-show_entries",
                              "stream=nb_read_packets", "-of", "default=noprint_wrappers=1:nokey=1", self.path))
            few = f"select='not(mod(n,{max(1, frames // 41)}))'"
            _run("ffmpeg", "-y", "-i", self.path, "-vf", f"{few},scale=1280:720,tmedian=radius=20",
                 "-frames:v", "1", court)
        empty = (f"[0:v]scale=1280:720,format=yuv420p,setsar=1,{_noise(4)},trim=end_frame={round(EMPTY * rate)},"
                 f"setpts=N/{rate}/TB[a];[1:v]{kept}[b];[a][b]concat=n=2:v=1[c]")
        _run("ffmpeg", "-y", "-loop", "1", "-framerate", str(rate), "-t", str(EMPTY + 1), "-i", court,
             "-i", self.path, "-filter_complex", empty, "-map", "[c]", *lossless, base)
        return base


def _compress(source, filters, film, condition, rate):
    """Each frame as a JPEG, in the condition's light."""
    width, height = condition.size
    kept = ",".join(filter(None, [filters, "scale=out_range=full,format=yuvj420p"]))
    command = ["ffmpeg", "-v", "error", "-i", source, "-vf", kept, "-f", "rawvideo", "-"]
    length = width * height * 3 // 2
    encoder = JPEGEncoder()
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process, open(film, "wb") as output:
        number = 0
        while len(frame := process.stdout.read(length)) == length:
            if condition.light:
                frame = _lit(frame, width, height, lambda row: condition.light(number / rate, row))
            output.write(encoder.encode(frame, width, height, condition.quality))
            number += 1
    if process.returncode:
        sys.exit(f"ffmpeg ended with {process.returncode}")


def _lit(frame, width, height, light):
    """The same picture with each row's brightness and colour times its light."""
    result = bytearray()
    at = 0
    for plane, (across, down) in enumerate([(width, height), (width // 2, height // 2), (width // 2, height // 2)]):
        middle = 128 if plane else 0
        for row in range(down):
            result += frame[at : at + across].translate(_table(round(light(row / down), 3), middle))
            at += across
    return bytes(result)


_TABLES = {}


def _table(factor, middle):
    key = (factor, middle)
    if key not in _TABLES:
        _TABLES[key] = bytes(max(0, min(255, round(middle + (value - middle) * factor))) for value in range(256))
    return _TABLES[key]


class JPEGEncoder:
    """libturbojpeg's, which the project links."""

    SUBSAMPLING_420 = 2

    def __init__(self):
        self._library = ctypes.CDLL(ctypes.util.find_library("turbojpeg"))
        self._library.tjInitCompress.restype = ctypes.c_void_p
        self._library.tjFree.argtypes = [ctypes.c_void_p]
        self._handle = ctypes.c_void_p(self._library.tjInitCompress())

    def encode(self, frame, width, height, quality):
        packed = ctypes.c_void_p()
        count = ctypes.c_ulong()
        result = self._library.tjCompressFromYUV(
            self._handle, frame, width, 1, height, self.SUBSAMPLING_420, ctypes.byref(packed),
            ctypes.byref(count), quality, 0)
        if result:
            sys.exit("libturbojpeg can't compress a frame")
        bytes_ = ctypes.string_at(packed, count.value)
        self._library.tjFree(packed)
        return bytes_


def _run(name, *arguments):
    command = [name, "-v", "error", *(str(argument) for argument in arguments)]
    process = subprocess.run(command, capture_output=True, check=False)
    if process.returncode:
        sys.exit(f"{' '.join(command)}: {process.stderr.decode(errors='replace')}")
    return process.stdout
