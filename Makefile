# The two commands that matter: make demo, make test.
GO ?= go
SHELL := bash
.SHELLFLAGS := -o pipefail -ec
CACHE := $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/mcp-lint/tools
export PATH := $(PATH):$(CACHE)/uv/bin

# Where things happen at the same time; these are tested again with -race.
RACE := ./webhook ./checks ./linter ./internal/queue ./internal/store ./internal/worker ./internal/githubapp ./internal/collect ./internal/audit

.PHONY: demo test bench lint fuzz build

build: ## the programs, in bin/
	$(GO) build -o bin/ ./cmd/...

demo: ## a pull request on a loopback GitHub, checked by the real bot in the real sandbox
	@scripts/install-tools demo
	@$(GO) build -o bin/ ./cmd/...
	@bin/bot demo $(ARGS)

test: ## everything; installs what it needs and names what it must skip
	@scripts/install-tools test
	@$(GO) build ./...
	@$(GO) vet ./...
	@{ $(GO) test -json -timeout 30m $(ARGS) ./...; \
	if command -v gcc >/dev/null; then $(GO) test -json -timeout 30m -race $(ARGS) $(RACE); \
	else echo "skipped: -race needs gcc" >&2; fi; } | $(GO) run ./scripts/testreport

bench: ## the budgets of docs/budgets.md, as ratios in one run
	@scripts/bench

lint: ## gofmt, vet, staticcheck, govulncheck where it runs, cross-builds
	@test -z "$$(gofmt -l $$(git ls-files '*.go'))" || { gofmt -d $$(git ls-files '*.go'); exit 1; }
	$(GO) vet ./...
	GOOS=darwin GOARCH=arm64 $(GO) build -o /dev/null ./cmd/mcp-lint
	GOOS=windows GOARCH=amd64 $(GO) build -o /dev/null ./cmd/mcp-lint
	$(GO) run honnef.co/go/tools/cmd/staticcheck@v0.8.2 ./...
	@scripts/govulncheck

fuzz: ## each fuzz target for a while (FUZZTIME=1m)
	@scripts/fuzz $(or $(FUZZTIME),20s)
