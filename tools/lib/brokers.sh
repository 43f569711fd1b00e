# The brokers of others, in Debian systems of their own below .build. To be sourced after set-up.sh.
# shellcheck shell=bash disable=SC2154

# need_brokers FOLDER: makes what isn't there yet: a minute, 250 MB to download, and 1 GB on the disk. To get newer ones,
# remove the folder.
need_brokers() {
  local suite main
  need_root "the brokers run in systems of their own" "tools/bench/fleet --brokers"
  command -v mmdebstrap > /dev/null || install_packages mmdebstrap
  command -v openssl > /dev/null || install_packages openssl
  python3 -c 'import ensurepip' 2> /dev/null || install_packages python3-venv
  main=$(mirror Debian)
  [[ -n $main ]] || fail "this system's apt has no mirror of Debian, of whose packages those systems are made"
  mkdir -p "$1"
  # This system's settings, such as a proxy, hold there, too. A mirror's list of `testing' may be an older one.
  { apt-config dump | grep '^Acquire::' || true; echo 'Acquire::Check-Valid-Until "false";'; } > "$1/apt.conf"
  for suite in bookworm trixie testing; do
    make_broker_system "$1/$suite" "$suite" "$main"
  done
  if [[ ! -e $1/python/finished ]]; then
    rm -rf "$1/python"
    quietly "Getting PyPI's brokers" get_python_brokers "$1/python" || fail "PyPI's brokers can't be had"
    touch "$1/python/finished"
  fi
}

# make_broker_system FOLDER SUITE MIRROR
make_broker_system() {
  local packages=mosquitto,rabbitmq-server
  if [[ -e $1 ]]; then return; fi
  if [[ $2 == trixie ]]; then packages+=,ejabberd; fi
  # One that was not finished.
  "${as_root[@]}" rm -rf "$1.new"
  quietly "Making a system of $2" "${as_root[@]}" mmdebstrap --mode=root --variant=minbase --aptopt="${1%/*}/apt.conf" \
    --include="$packages" "$2" "$1.new" "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $3 $2 main" ||
    fail "the system of $2 can't be made"
  "${as_root[@]}" mv "$1.new" "$1"
}

# shellcheck disable=SC2317  # quietly calls it
get_python_brokers() {
  python3 -m venv "$1" &&
    "$1/bin/python" -m pip install --quiet --no-deps --requirement "$root/tools/bench/brokers.txt"
}
