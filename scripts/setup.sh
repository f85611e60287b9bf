#!/usr/bin/env bash
# Installs what the tests and the demo need and this machine lacks: Chromium,
# and, with --race, a C compiler for the race detector and a Node.js for the
# clients in tests. It says what it does and does nothing when all is there.
#
# With --versions it installs nothing and prints, in one line, what the tests
# use that is no part of the module: see docs/testing.md.
set -euo pipefail

have() { command -v "$1" >/dev/null 2>&1; }

# find_chromium prints the program.
find_chromium() {
  local name
  if [ -n "${DROVER_CHROMIUM:-}" ]; then
    have "$DROVER_CHROMIUM" && echo "$DROVER_CHROMIUM" && return 0
    echo "setup: DROVER_CHROMIUM names $DROVER_CHROMIUM, which is no program" >&2
    exit 1
  fi
  for name in chromium chromium-browser google-chrome google-chrome-stable chrome \
    "/Applications/Chromium.app/Contents/MacOS/Chromium" "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"; do
    have "$name" && echo "$name" && return 0
  done
  return 1
}
have_chromium() { find_chromium >/dev/null; }

sum() {
  if have sha256sum; then sha256sum; else shasum -a 256; fi | cut -c1-16
}

# versions is the line of --versions. What is missing has none.
versions() {
  local browser node
  browser=$(find_chromium) && browser=$("$browser" --version 2>/dev/null) || browser=none
  node=$(PATH="$node_dir/node_modules/node/bin:$PATH" node --version 2>/dev/null) || node=none
  echo "$browser, node $node, $(go env GOVERSION)," \
    "locks $(find . \( -name node_modules -o -name .git -o -name .tools \) -prune -o \( -name package-lock.json -o -name go.sum \) -type f -print0 | sort -z | xargs -0 cat | sum)," \
    "corpora $(find "${DROVER_CORPORA:-../shared/corpora}/" -type f -exec ls -ln {} + 2>/dev/null | sort | sum)"
}

# The version of Node.js that the tests of npm clients need, and where one of
# ours is put if the machine's is older; the Makefile looks there first.
node_major=20
node_dir=.tools

have_node() {
  local found
  found=$(PATH="$node_dir/node_modules/node/bin:$PATH" node --version 2>/dev/null) || return 1
  found=${found#v}
  [ "${found%%.*}" -ge "$node_major" ] && have npm
}

# Node.js is for some tests only, which are skipped aloud without it: so it is
# no failure if it cannot be had.
install_node() {
  have npm || return 1
  echo "setup: installing Node.js $node_major into $node_dir, for the tests of npm clients"
  npm install --prefix "$node_dir" --no-save --no-audit --no-fund "node@$node_major" >/dev/null 2>&1 && have_node && return 0
  echo "setup: Node.js $node_major cannot be installed; the tests of npm clients will be skipped" >&2
}

if [ "${1:-}" = "--versions" ]; then
  versions
  exit
fi

missing=()
have_chromium || missing+=(chromium)
if [ "${1:-}" = "--race" ]; then
  have "${CC:-gcc}" || have cc || missing+=(gcc libc6-dev)
  have_node || have npm || missing+=(npm)
fi
if [ ${#missing[@]} -eq 0 ]; then
  [ "${1:-}" != "--race" ] || have_node || install_node || true
  exit 0
fi

if ! have apt-get; then
  echo "setup: ${missing[*]} missing, and this machine has no apt-get. Install it with your package manager" >&2
  echo "setup: (for Chromium, any recent Chromium or Chrome will do: set DROVER_CHROMIUM to its path)." >&2
  exit 1
fi
as_root=()
if [ "$(id -u)" -ne 0 ]; then
  have sudo || { echo "setup: ${missing[*]} missing; as root, run: apt-get install ${missing[*]}" >&2; exit 1; }
  as_root=(sudo)
fi
echo "setup: installing ${missing[*]} with apt-get (this happens once and takes a minute or two)"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if ! { "${as_root[@]}" apt-get update && "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "${missing[@]}"; } >"$log" 2>&1; then
  tail -n 20 "$log" >&2
  echo "setup: apt-get failed; see above" >&2
  exit 1
fi
echo "setup: installed ${missing[*]}"
[ "${1:-}" != "--race" ] || have_node || install_node || true
