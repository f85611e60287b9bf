#!/usr/bin/env bash
# Runs every fuzz test of the module for a while each: FUZZTIME, 30s by default.
set -euo pipefail
for file in $(git ls-files '*_test.go' | xargs grep -l '^func Fuzz' | sort); do
  for name in $(sed -n 's/^func \(Fuzz[A-Za-z0-9_]*\)(.*/\1/p' "$file"); do
    echo "== ./$(dirname "$file") $name"
    go test -run '^$' -fuzz "^$name\$" -fuzztime "${FUZZTIME:-30s}" "./$(dirname "$file")"
  done
done
