# Everything a developer runs. "make help" lists it.

GO         ?= go
BIN        := bin/drover
STATICCHECK := bin/staticcheck
# The corpora of pages with gold answers, for the tests that can use them.
export DROVER_CORPORA ?= $(abspath ../shared/corpora)

# A Node.js of our own comes first, where scripts/setup.sh has put one.
export PATH := $(CURDIR)/.tools/node_modules/node/bin:$(PATH)

.DEFAULT_GOAL := help

.PHONY: help
help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: demo
demo: ## Build, then watch an agent do a task in a small shop
	@scripts/setup.sh
	@$(GO) build -o $(BIN) ./cmd/drover
	@$(BIN) demo

.PHONY: test
test: ## Run everything that a change has to pass
	@scripts/setup.sh --race
	$(GO) build ./...
	$(GO) vet ./...
	@$(MAKE) --no-print-directory gofmt staticcheck
	$(GO) test -race -shuffle=on -timeout 20m ./...

.PHONY: gofmt
gofmt: ## Fail if a file is not formatted
	@bad=$$(gofmt -l $$(git ls-files '*.go')); [ -z "$$bad" ] || { echo "not gofmt-ed:"; echo "$$bad"; exit 1; }

.PHONY: staticcheck
staticcheck: $(STATICCHECK) ## Run staticcheck
	$(STATICCHECK) ./...

$(STATICCHECK): tools/go.mod
	$(GO) build -C tools -o ../$(STATICCHECK) honnef.co/go/tools/cmd/staticcheck

.PHONY: bench
bench: ## Run the benchmarks that the performance goals are read from
	@scripts/setup.sh
	$(GO) test -run '^$$' -bench . -benchtime 2s -timeout 60m $$($(GO) list ./...)

.PHONY: quality
quality: ## Score pages with gold answers beside others, against the baselines; needs the corpora
	@GO=$(GO) scripts/quality.sh

.PHONY: fuzz
fuzz: ## Run every fuzz test for FUZZTIME (30s) each
	@scripts/fuzz.sh

.PHONY: torture
torture: ## The long forms: many kill -9, many commands of hostile clients, many repetitions under the race detector
	@scripts/setup.sh --race
	DROVER_TORTURE=50 $(GO) test -race -run 'Torture|Kill|LargeProfile' -count 1 -timeout 90m ./...
	$(GO) test -race -shuffle=on -count 50 -timeout 120m ./internal/jobs/... ./internal/notify/... ./internal/lifecycle/... ./storage/...

.PHONY: cover
cover: ## Print test coverage by package
	@scripts/setup.sh
	$(GO) test -coverprofile=bin/cover.out -timeout 20m ./...
	@$(GO) tool cover -func=bin/cover.out | tail -n 1

.PHONY: clean
clean: ## Remove what was built
	rm -rf bin
