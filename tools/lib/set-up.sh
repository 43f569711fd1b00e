# What tools/run, tools/test and tools/check share. To be sourced.
# shellcheck shell=bash

# As SwiftPM has it, without links: what it builds is of no use below another name.
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)
# shellcheck source=tools/lib/toolchain.sh
source "$root/tools/lib/toolchain.sh"

# See Package.swift.
export BALLMACHINE_OPTIMISED_TESTS=1

# The build that tools/check and tools/test share. A plain `swift build` keeps its own files in
# .build, so that the one doesn't undo the other's work.
# shellcheck disable=SC2034  # used by the scripts that source this one
strict=(--package-path "$root" --scratch-path "$root/.build/strict" -Xswiftc -warnings-as-errors)

# The build of what is installed, and of what is measured beside it. With a section for each function,
# lld leaves out what nothing calls or what is there twice; it packs the relocations, which Debian 12's
# glibc is the first to know.
# shellcheck disable=SC2034  # used by the scripts that source this one
installed=(--package-path "$root" --scratch-path "$root/.build/static" -c release --static-swift-stdlib
  -Xswiftc -Xfrontend -Xswiftc -function-sections -Xswiftc -use-ld=lld -Xlinker --icf=safe -Xlinker --no-export-dynamic
  -Xlinker -z -Xlinker pack-relative-relocs -Xlinker -z -Xlinker now)

# commit MARK: the commit that the sources are of, with MARK behind it where they aren't quite that
# one's, or nothing where git knows none.
commit() {
  local hash changes
  hash=$(git -C "$root" rev-parse --short=8 HEAD 2> /dev/null) || return 0
  changes=$(git -C "$root" status --porcelain --untracked-files=no)
  echo "$hash${changes:+$1}"
}

fail() {
  printf '%s: %s\n' "${0##*/}" "$*" >&2
  exit 1
}

# The comment at the top of the calling script is its help.
show_help() {
  awk 'NR > 1 && !/^#/ { exit } NR > 2 { sub(/^# ?/, ""); print }' "$0"
}

# Prints the Debian packages that are missing. It looks at what they bring, not at the package
# manager, so that libraries from elsewhere count as well.
missing_packages() {
  command -v pkg-config > /dev/null || echo pkg-config
  pkg-config --exists dbus-1 2> /dev/null || echo libdbus-1-dev
  pkg-config --exists bluez 2> /dev/null || echo libbluetooth-dev
  pkg-config --exists libsystemd 2> /dev/null || echo libsystemd-dev
  pkg-config --exists libedit 2> /dev/null || echo libedit-dev
  pkg-config --exists jansson 2> /dev/null || echo libjansson-dev
  pkg-config --exists yaml-0.1 2> /dev/null || echo libyaml-dev
  pkg-config --exists libjpeg 2> /dev/null || echo libjpeg62-turbo-dev
  pkg-config --exists libmicrohttpd 2> /dev/null || echo libmicrohttpd-dev
  pkg-config --exists gnutls 2> /dev/null || echo libgnutls28-dev
  pkg-config --exists libqrencode 2> /dev/null || echo libqrencode-dev
  pkg-config --exists libmosquitto 2> /dev/null || echo libmosquitto-dev
  pkg-config --exists openssl 2> /dev/null || echo libssl-dev
  pkg-config --exists zlib 2> /dev/null || echo zlib1g-dev
  command -v dbus-daemon > /dev/null || echo dbus-daemon
}

# Of Debian's own Python, which another one on the PATH would hide.
need_jsonschema() {
  /usr/bin/python3 -c "import jsonschema" 2> /dev/null || install_packages python3-jsonschema
}

# A broker of MQTT, which Debian has outside of a user's PATH.
need_broker() {
  PATH=$PATH:/usr/sbin command -v mosquitto > /dev/null || install_packages mosquitto
}

# What drives the page, of Debian.
need_browser() {
  command -v python3 > /dev/null || install_packages python3
  command -v openssl > /dev/null || install_packages openssl
  [[ -x /usr/bin/chromium && -x /usr/bin/chromedriver ]] || install_packages chromium chromium-driver
}

# What reads cameras at the network, and what plays them, of Debian.
need_cameras() {
  command -v ffmpeg > /dev/null || install_packages ffmpeg
  [[ -n $(compgen -G '/usr/lib/*/gstreamer-1.0/libgstx264.so') ]] || install_packages gstreamer1.0-plugins-ugly
  [[ -n $(compgen -G '/usr/lib/*/gstreamer-1.0/libgstjpegformat.so') ]] || install_packages gstreamer1.0-plugins-bad
  [[ -n $(compgen -G '/usr/lib/*/gstreamer-1.0/libgstrtp.so') ]] || install_packages gstreamer1.0-plugins-good
  [[ -n $(compgen -G '/usr/lib/*/gstreamer-1.0/libgstvideorate.so') ]] || install_packages gstreamer1.0-plugins-base
  /usr/bin/python3 -c "import gi; gi.require_version('GstRtspServer', '1.0')" 2> /dev/null ||
    install_packages python3-gi gir1.2-gst-rtsp-server-1.0
}

# axe-core's script, from PyPI; `axe' is where it is.
need_axe() {
  local of_what new
  of_what=$(sha256sum "$root/tools/page/requirements.txt")
  axe=$root/.build/axe/${of_what:0:12}.js
  [[ ! -s $axe ]] || return 0
  python3 -c 'import ensurepip' 2> /dev/null || install_packages python3-venv
  new=$(mktemp -d)
  quietly "Getting axe-core" get_axe "$new" || fail "axe-core can't be had from PyPI"
  mkdir -p "${axe%/*}"
  mv "$new/axe_playwright_python/axe.min.js" "$axe"
  rm -rf "$new"
}

# shellcheck disable=SC2317  # quietly calls it
get_axe() {
  python3 -m venv "$1/venv" &&
    "$1/venv/bin/pip" download --quiet --no-deps --require-hashes --requirement "$root/tools/page/requirements.txt" \
      --dest "$1" &&
    python3 -m zipfile --extract "$1"/*.whl "$1"
}

have_updated=false

# update_lists WHY COMMAND: fetches Debian's lists, once a run, as root or with sudo.
update_lists() {
  need_root "$@"
  $have_updated || quietly "Installing" "${as_root[@]}" "${one_at_a_time[@]}" apt-get update
  have_updated=true
}

# Scripts that install at the same time wait for each other: apt would fail.
one_at_a_time=(flock /run/lock/ballmachine-packages)

# mirror LABEL: where this system's apt gets packages with that label from, if it does.
mirror() {
  apt-get indextargets --format "\$(LABEL) \$(REPO_URI)" 'Created-By: Packages' 2> /dev/null |
    sed --quiet "s|^$1 ||p" | head --lines=1
}

# install_packages PACKAGE...: from Debian.
install_packages() {
  command -v apt-get > /dev/null ||
    fail "missing: $*. There is no apt-get here: install your system's equivalents of these Debian packages."
  need_root "missing: $*" "apt-get install $*"
  printf 'Installing %s\n' "$*" >&2
  update_lists "missing: $*" "apt-get install $*"
  quietly "Installing" "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive "${one_at_a_time[@]}" \
    apt-get install --yes --no-install-recommends "$@"
}

# need_root WHY COMMAND: sets as_root to the prefix of a command that needs root, or fails and
# says what to run instead.
need_root() {
  as_root=()
  ((EUID != 0)) || return 0
  command -v sudo > /dev/null || fail "$1. There is no sudo here; as root: $2"
  as_root=(sudo)
}

need_packages() {
  local missing
  mapfile -t missing < <(missing_packages)
  if ((${#missing[@]} > 0)); then install_packages "${missing[@]}"; fi
}

# build_products PRODUCT...: a release build, silent but on a terminal.
build_products() {
  # show_progress reads it.
  local built=("$@")
  quietly "Building" build_each
}

# shellcheck disable=SC2317  # quietly calls it
build_each() {
  local product
  for product in "${built[@]}"; do
    swift build --package-path "$root" -c release --product "$product" || return
  done
}

# modules_of PRODUCT...: how many modules are in these, as SwiftPM has planned the release build; nothing
# before that. Its own count grows while it builds.
modules_of() {
  [[ -f $root/.build/release.yaml ]] || return 0
  awk -v products=" $* " '
    /^  "C\./ {
      name = $1
      sub(/^"C\./, "", name)
      isWanted = sub(/-[^-]+-[^-]+-[^-]+-[^-]+-release\.exe":$/, "", name) && index(products, " " name " ")
    }
    isWanted && $1 == "inputs:" {
      count = split($0, parts, "/")
      for (part = 1; part <= count; part++) if (parts[part] ~ /\.build$/) modules[parts[part]] = 1
      isWanted = 0
    }
    END {
      for (module in modules) if (module != ".build") total++
      if (total > 0) print total
    }
  ' "$root/.build/release.yaml"
}

# quietly LABEL COMMAND...: hides the output, unless the command fails. What takes long shows that it
# is alive: a running line on a terminal, a line every 15 s elsewhere. Standard output stays clean.
quietly() {
  local label=$1 log ticker status=0
  shift
  log=$(mktemp)
  show_progress "$label" "$log" &
  ticker=$!
  "$@" > "$log" 2>&1 || status=$?
  kill "$ticker" 2> /dev/null || true
  wait "$ticker" 2> /dev/null || true
  if [[ -t 2 ]]; then printf '\r\e[K' >&2; fi
  if ((status != 0)); then cat "$log" >&2; fi
  rm -f "$log"
  return "$status"
}

# Runs in the background until it is killed. Of a build it says how far that is: "Building 212 of 697".
show_progress() {
  local label=$1 log=$2 seconds last far module total=
  for ((seconds = 1; ; seconds++)); do
    sleep 1 > /dev/null 2>&1 || return
    if [[ ! -t 2 ]] && { ((seconds % 15 != 0)) || [[ -v built ]]; }; then continue; fi
    last=$(tail -n 1 "$log" 2> /dev/null | tr -d '\r') || true
    far=
    if [[ -v built ]]; then
      last=$(grep -oE '\] (Compiling [^ ]+|Linking .+)' "$log" 2> /dev/null | tail -n 1) || true
      last=${last#\] } last=${last#Compiling }
      module=$(grep -o '\] Compiling [^ ]*' "$log" 2> /dev/null | sort -u | wc -l) || true
      if ((module > 0)); then
        total=${total:-$(modules_of "${built[@]}")}
        far=" module $module${total:+ of $total}"
      fi
    elif [[ $last =~ ^\[([0-9]+)/([0-9]+)\]\ (.*) ]]; then
      far=" ${BASH_REMATCH[1]} of ${BASH_REMATCH[2]}"
      last=${BASH_REMATCH[3]}
    fi
    if [[ -t 2 ]]; then
      printf '\r%s%s … %d s  %s\e[K' "$label" "$far" "$seconds" "${last:0:40}" >&2
    else
      printf '%s%s …\n' "$label" "$far" >&2
    fi
  done
}

# replace_marked PAGE WHO FILE: puts what is in FILE between the page's marks "WHO from here" and "to
# here".
replace_marked() {
  local new
  [[ -s $3 ]] || fail "there is nothing to write in $1"
  new=$(mktemp)
  if ! awk -v begin="<!-- $2 from here -->" -v file="$3" '
    $0 == "<!-- to here -->" { skipping = 0 }
    !skipping { print }
    $0 == begin {
      skipping = found = 1
      print ""
      while ((getline line < file) > 0) print line
      print ""
    }
    END { exit !found }
  ' "$1" > "$new"; then
    rm -f "$new"
    fail "$1 has no place for what $2"
  fi
  cat "$new" > "$1"
  rm -f "$new"
}
