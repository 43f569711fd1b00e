# A system of Debian's testing with Home Assistant from PyPI, for tools/test --home-assistant. To be sourced after
# set-up.sh.
# shellcheck shell=bash disable=SC2154

# need_home_assistant: makes the system, unless it is there; about a minute, and 1.5 GB on the disk.
need_home_assistant() {
  local main here=$root/.build/home-assistant of_what
  need_root "Home Assistant needs a newer Python than this system's, and root makes a system with it" "tools/test"
  of_what=$(sha256sum "$root/tools/home-assistant/requirements.txt")
  home_assistant_system=$here/${of_what:0:12}
  [[ ! -e $home_assistant_system ]] || return 0
  command -v mmdebstrap > /dev/null || install_packages mmdebstrap
  main=$(mirror Debian)
  [[ -n $main ]] || fail "this system's apt has no mirror of Debian, of whose packages that system is made"
  mkdir -p "$here"
  # Those of earlier requirements, and one that was not finished.
  "${as_root[@]}" find "$here" -mindepth 1 -maxdepth 1 -type d -exec rm -rf {} +
  # This system's settings, such as a proxy, hold there, too.
  apt-config dump | grep '^Acquire::' > "$here/apt.conf" || true
  quietly "Making a system of testing" "${as_root[@]}" mmdebstrap --mode=root --variant=minbase \
    --aptopt="$here/apt.conf" --include=ca-certificates,g++,libturbojpeg0,mosquitto,python3-dev,python3-venv \
    testing "$home_assistant_system.new" "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $main testing main" ||
    fail "the system of testing can't be made"
  "${as_root[@]}" cp /etc/resolv.conf "$home_assistant_system.new/etc/"
  "${as_root[@]}" cp /etc/ssl/certs/ca-certificates.crt "$home_assistant_system.new/etc/ssl/of-the-host.crt"
  "${as_root[@]}" cp "$root/tools/home-assistant/requirements.txt" "$home_assistant_system.new/"
  quietly "Getting Home Assistant" "${as_root[@]}" chroot "$home_assistant_system.new" \
    env PIP_CERT=/etc/ssl/of-the-host.crt SSL_CERT_FILE=/etc/ssl/of-the-host.crt sh -ec '
      python3 -m venv /venv
      /venv/bin/pip install --quiet --requirement /requirements.txt' ||
    fail "Home Assistant can't be had from PyPI"
  "${as_root[@]}" mv "$home_assistant_system.new" "$home_assistant_system"
}
