#!/bin/sh
# Scores pages with gold answers, prints the figures, and fails where one is
# below its baseline or where the corpora are missing.
set -u
export DROVER_QUALITY=1
out=$(mktemp)
trap 'rm -f "$out"' EXIT
failed=0

run() {
	echo "== $1"
	shift
	"$@" >"$out" 2>&1 || failed=1
	grep -vE '^(=== |PASS$| *--- (PASS|SKIP))' "$out"
}

go=${GO:-go}
run "pages as JSON, metadata, markdown, invariants" "$go" test -count 1 -v -run 'Quality|RoundTrip|Invariants' -timeout 30m ./fetch/...
run "main content of hosts that the trees do not know, five folds" "$go" run ./fetch/maincontent/internal/train -check cv -seeds 1 -least 0.877
cd bench || exit 1
run "main content beside others, task pages" "$go" test -count 1 -v -timeout 60m ./quality
exit $failed
