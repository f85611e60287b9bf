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

case "${1:-}" in
full)
  export DROVER_TEST_FULL=1
  exec "$go" test -race -shuffle=on -timeout 60m ./...
  ;;
quick) ;;
*)
  echo "usage: scripts/test.sh quick|full" >&2
  exit 2
  ;;
esac

# SQLite is C that was translated into Go, called by one goroutine at a time:
# under the race detector it finds nothing and takes ten times as long. The
# driver, whose locks say so, stays under it; "full" leaves nothing out.
race=(-race '-gcflags=modernc.org/sqlite/lib=-race=false' '-gcflags=modernc.org/libc=-race=false')
# No flag here that keeps Go from reusing results: no -count, no -shuffle.
flags=(-timeout 20m)
run() { "$go" test "${flags[@]}" "$@"; }
if [ -n "${DROVER_TEST_JSON:-}" ]; then
  : >"$DROVER_TEST_JSON"
  run() { "$go" test "${flags[@]}" -count=1 -json "$@" >>"$DROVER_TEST_JSON"; }
fi

# Packages with goroutines run under the race detector, which makes the others
# five to ten times slower and cannot find anything in them.
status=0
run $(bin/concurrent -not ./...) || status=1
# Three packages at once: much of their time they wait for browsers.
run -p "${DROVER_TEST_PACKAGES:-3}" "${race[@]}" $(bin/concurrent ./...) || status=1
exit $status
