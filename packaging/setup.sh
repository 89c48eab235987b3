# Prepares a fresh Debian or Ubuntu machine; sourced by run.sh and test.sh, not run by itself.
# Debian packages and the Python packages of a lock file (in .venv) are all that it installs.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"

window_packages="libgl1 libegl1 libdbus-1-3 libfontconfig1 libxkbcommon0 libglib2.0-0 libxcb-cursor0 libxcb-icccm4 libxcb-keysyms1 libxcb-xkb1 libxcb-shape0 libxkbcommon-x11-0"
test_packages="xvfb xauth poppler-utils qpdf libnss3-tools softhsm2"

die() { echo "fairassay: $*" >&2; exit 1; }

find_python() {
  for candidate in python3 python3.13 python3.12 python3.11 python3.14; do
    if "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
      command -v "$candidate"; return
    fi
  done
  return 1
}

installed() { # a later Debian or Ubuntu renames libglib2.0-0 to libglib2.0-0t64
  local name
  for name in "$1" "$1t64"; do
    [ "$(dpkg-query -W -f='${db:Status-Status}' "$name" 2>/dev/null)" = installed ] && return 0
  done
  return 1
}

debian_packages() { # installs those of "$@" that are missing; says which, in one line
  command -v dpkg-query >/dev/null || return 0
  local missing="" name as_root=""
  for name in "$@"; do installed "$name" || missing="$missing $name"; done
  [ -z "$missing" ] && return 0
  [ "$(id -u)" = 0 ] || as_root=sudo
  if [ -n "$as_root" ] && ! command -v sudo >/dev/null; then
    echo "fairassay: these Debian packages are missing; install them as root and start again: apt-get install$missing" >&2
    return 1
  fi
  echo "Installing these Debian packages:$missing" >&2
  $as_root apt-get -qq update >/dev/null || true
  # shellcheck disable=SC2086
  DEBIAN_FRONTEND=noninteractive $as_root apt-get -qq -y install --no-install-recommends $missing >/dev/null \
    || { echo "fairassay: could not install:$missing. Run: apt-get install$missing" >&2; return 1; }
}

python_packages() { # $1 is a lock file; .venv is made anew only when the lock file has changed
  local lock=$1 python stamp=.venv/installed-from
  if [ -f "$stamp" ] && cmp -s "$lock" "$stamp"; then return 0; fi
  # the test lock holds all that the program needs, so a tested .venv also runs it
  if [ "$lock" = packaging/requirements.lock ] && [ -f "$stamp" ] && cmp -s packaging/requirements-test.lock "$stamp"; then return 0; fi
  python=$(find_python) || { debian_packages python3 || true; python=$(find_python); } || die "needs Python 3.11 or newer; install it and start again"
  "$python" -c 'import ensurepip' 2>/dev/null || debian_packages python3-venv || die "Python's venv is missing: install python3-venv"
  echo "Installing $(grep -c '==' "$lock") Python packages into .venv (about 1 GB, checked against the hashes of $lock)" >&2
  [ -x .venv/bin/python ] || "$python" -m venv .venv
  .venv/bin/python -m pip install --quiet --disable-pip-version-check --only-binary :all: --require-hashes -r "$lock" \
    || die "the Python packages could not be installed; see the lines above"
  cp "$lock" "$stamp"
}
