# Everything a developer runs. "make help" lists it.

GO         ?= go
BIN        := bin/drover
STATICCHECK := bin/staticcheck
CHECKED    := bin/staticcheck.passed
CONCURRENT := bin/concurrent
TESTTIMES  := bin/testtimes
# What "make torture" repeats under the race detector: packages, and tests of
# browsers, with their names' beginnings, that several sessions or projects share.
REPEATED := ./internal/telemetry/... ./internal/jobs/... ./internal/execution ./internal/joblog ./internal/child ./internal/admission ./internal/reaper ./internal/notify/... \
  ./internal/lifecycle/... ./internal/osuser ./internal/webhooks ./functions/internal/... ./storage/... ./drovertest ./runs/actors/internal/runproxy
REPEATED_BROWSERS := Project|Spare|Slot|Hung|Busy|Idle|NetworkService|ManySessions|StoresWithoutEnd|Dies|Closing
# The corpora of pages with gold answers, for the tests that can use them.
export DROVER_CORPORA ?= $(abspath ../shared/corpora)

# A Node.js of our own comes first, where scripts/setup.sh has put one.
export PATH := $(CURDIR)/.tools/node_modules/node/bin:$(PATH)

.DEFAULT_GOAL := help
MAKEFLAGS += --no-builtin-rules

.PHONY: help
help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-11s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: demo
demo: ## Build, then watch an agent do a task in a small shop
	@scripts/setup.sh
	@$(GO) build -o $(BIN) ./cmd/drover
	@$(BIN) demo

.PHONY: test
test: check ## Run what a change has to pass while it is made: a minute if nothing changed, docs/testing.md
	@GO=$(GO) scripts/test.sh quick

.PHONY: test-full
test-full: check ## Run everything, all under the race detector, in random order
	$(GO) test -C tools ./...
	$(GO) vet -C bench ./...
	@GO=$(GO) scripts/test.sh full

.PHONY: test-times
test-times: $(TESTTIMES) $(CONCURRENT) ## Run the tests of "make test" anew and print which packages and tests take longest
	@scripts/setup.sh --race
	@status=0; GO=$(GO) DROVER_TEST_JSON=bin/times.json scripts/test.sh quick || status=1; $(TESTTIMES) bin/times.json; exit $$status

# What the compiler and others say of the code, before tests take their time.
.PHONY: check
check: $(CONCURRENT)
	@scripts/setup.sh --race
	$(GO) vet ./...
	@$(MAKE) --no-print-directory gofmt $(CHECKED)

.PHONY: gofmt
gofmt: ## Fail if a file is not formatted
	@bad=$$(gofmt -l $$(git ls-files '*.go')); [ -z "$$bad" ] || { echo "not gofmt-ed:"; echo "$$bad"; exit 1; }

.PHONY: staticcheck
staticcheck: $(STATICCHECK) ## Run staticcheck
	$(STATICCHECK) ./...

# What staticcheck has passed, it is not asked again: it takes twenty seconds to
# say so. A folder is newer once a file of it has gone.
CODE := $(wildcard $(shell git ls-files -co --exclude-standard '*.go' go.mod go.sum))
$(CHECKED): $(STATICCHECK) $(CODE) $(sort $(dir $(CODE)))
	@$(MAKE) --no-print-directory staticcheck
	@touch $@

$(STATICCHECK): tools/go.mod
	$(GO) build -C tools -o ../$(STATICCHECK) honnef.co/go/tools/cmd/staticcheck

# Which packages belong under the race detector, read from their code.
$(CONCURRENT): $(wildcard tools/concurrent/*.go)
	$(GO) build -C tools -o ../$(CONCURRENT) ./concurrent

$(TESTTIMES): $(wildcard tools/testtimes/*.go)
	$(GO) build -C tools -o ../$(TESTTIMES) ./testtimes

.PHONY: bench
bench: ## Run the benchmarks that the performance goals are read from
	@scripts/setup.sh
	$(GO) test -run '^$$' -bench . -benchtime 2s -timeout 60m $$($(GO) list ./...)

.PHONY: quality
quality: ## Score pages with gold answers beside others, and task pages, against the baselines; needs the corpora
	@GO=$(GO) scripts/quality.sh

.PHONY: fuzz
fuzz: ## Run every fuzz test for FUZZTIME (30s) each
	@scripts/fuzz.sh

.PHONY: torture
torture: ## The long forms: many kill -9, many commands of hostile clients, many repetitions under the race detector
	@scripts/setup.sh --race
	DROVER_TORTURE=50 $(GO) test -race -run 'Torture|Kill|LargeProfile|Foresee' -count 1 -timeout 90m ./...
	$(GO) test -race -shuffle=on -count 50 -timeout 120m -p 1 $(REPEATED)
	$(GO) test -race -shuffle=on -count 10 -timeout 120m -run '$(REPEATED_BROWSERS)' ./runs/browser/chrome
	$(GO) test -race -shuffle=on -count 10 -timeout 120m ./functions

.PHONY: cover
cover: ## Print test coverage by package
	@scripts/setup.sh
	DROVER_TEST_FULL=1 $(GO) test -coverprofile=bin/cover.out -timeout 60m ./...
	@$(GO) tool cover -func=bin/cover.out | tail -n 1

.PHONY: clean
clean: ## Remove what was built
	rm -rf bin
