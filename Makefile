# Everything a developer runs. "make help" lists it.

GO         ?= go
BIN        := bin/drover
STATICCHECK := bin/staticcheck
# The corpora of pages with gold answers, for the tests that can use them.
export DROVER_CORPORA ?= $(abspath ../shared/corpora)

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

.PHONY: cover
cover: ## Print test coverage by package
	@scripts/setup.sh
	$(GO) test -coverprofile=bin/cover.out -timeout 20m ./...
	@$(GO) tool cover -func=bin/cover.out | tail -n 1

.PHONY: clean
clean: ## Remove what was built
	rm -rf bin
