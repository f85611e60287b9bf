#!/usr/bin/env bash
# Runs the tests of the module: "quick" what every change has to pass while it
# is made, "full" all there is. docs/testing.md says what is in which.
#
# With DROVER_TEST_JSON set, quick writes what "go test -json" says into that
# file, for bin/testtimes, and runs everything anew.
set -euo pipefail
cd "$(dirname "$0")/.."
go=${GO:-go}

# What the tests use that Go's cache of results does not see: a result that was
# kept with another Chromium is none.
DROVER_TEST_VERSIONS=$(scripts/setup.sh --versions)
export DROVER_TEST_VERSIONS

# The race detector sleeps a second at the end of every process, so that
# goroutines that still run can show a race. Tests wait for theirs.
export GORACE="atexit_sleep_ms=50 ${GORACE:-}"

# What is compiled without the race detector, five to ten times quicker: SQLite, C that
# was translated into Go, which one goroutine calls at a time, and parsers of others
# that import nothing of sync, since the detector learns from its functions what comes
# before what.
without_sync() {
  "$go" list -f '{{$sync := false}}{{range .Imports}}{{if or (eq . "sync") (eq . "sync/atomic") (eq . "unique")}}{{$sync = true}}{{end}}{{end}}{{if not $sync}}{{.ImportPath}}{{end}}' "$@"
}
race=(-race)
unraced() {
  for package in "$@"; do
    race+=("-gcflags=$package=-race=false")
  done
}
unraced modernc.org/sqlite/lib modernc.org/libc modernc.org/memory $(without_sync golang.org/x/net/html golang.org/x/net/html/atom github.com/andybalholm/cascadia \
  github.com/JohannesKaufmann/dom github.com/santhosh-tekuri/jsonschema/v6 github.com/chromedp/cdproto/...)

printed=$(mktemp)
beside=
trap '[ -z "$beside" ] || kill $beside 2>/dev/null || true; rm -f "$printed"' EXIT

# What failed, once more: the names of tests come long before the end of what a run
# prints, and where one hangs, the goroutines of its package follow them.
failed() {
  echo "what failed, or ran when its package had no more time:"
  grep -E '^( *--- FAIL|FAIL|panic: |[[:space:]]+(running tests:$|(Test|Fuzz|Example)[^ ]* \())' "$printed" | head -100
}

case "${1:-}" in
full)
  export DROVER_TEST_FULL=1
  "$go" test "${race[@]}" -shuffle=on -timeout 60m ./... 2>&1 | tee "$printed" && exit
  failed
  exit 1
  ;;
quick) ;;
*)
  echo "usage: scripts/test.sh quick|full" >&2
  exit 2
  ;;
esac

# Packages with goroutines run under the race detector. What parses and decodes
# for them is compiled without it, as above. "full" has all of our own under it.
pure=$(bin/concurrent -not ./...)
concurrent=$(bin/concurrent ./...)
unraced $(without_sync $(grep /fetch/ <<<"$pure"))
# No flag here that keeps Go from reusing results: no -count, no -shuffle. The
# code has been vetted, tests and all.
flags=(-vet=off -timeout 20m)
run() { "$go" test "${flags[@]}" "$@"; }
if [ -n "${DROVER_TEST_JSON:-}" ]; then
  run() { "$go" test "${flags[@]}" -count=1 -json "$@"; }
fi

# What is pure goes on beside the others, four packages of them at once: much
# of their time they wait for browsers. What it prints comes last.
run -p 1 $pure >"$printed" 2>&1 &
beside=$!
all() {
  local status=0
  run -p "${DROVER_TEST_PACKAGES:-4}" "${race[@]}" $concurrent || status=1
  wait $beside || status=1
  cat "$printed"
  return $status
}
if [ -n "${DROVER_TEST_JSON:-}" ]; then
  all >"$DROVER_TEST_JSON"
else
  all
fi
