# Everything runs from a clean clone with Go, git, make and a C compiler, and
# leaves nothing outside of the clone but the caches of Go and of its linter.
# `make help` lists the targets.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
LDFLAGS ?= -X main.version=$(VERSION)
ASSETS  := $(abspath $(or $(KUBEBUILDER_ASSETS),bin/k8s))

# ARGS are given on to the program that a target runs: make run ARGS=--reset
ARGS ?=

TOOL           := go tool -modfile=tools/go.mod
CONTROLLER_GEN ?= $(TOOL) controller-gen
GOLANGCI_LINT  ?= $(TOOL) golangci-lint

# SUITES are the packages whose tests run against a real control plane, without
# the race detector, which `make race` adds. They wait most of the time and run two
# at a time, the longest of them first. The tests of TIMED, which are in the packages
# of CLOCKED, measure times and run one after the other.
SUITES  := cmd/plait/cluster test/integration test/examples test/bench test/faults
LONGEST := test/faults test/integration/connection test/integration/identity test/integration/instance test/integration/mounts
CLOCKED := test/bench test/integration/mounts
TIMED   := ^(TestBudgets|TestScale)$$
suites   = $(addprefix ./,$(addsuffix /...,$(wildcard $(SUITES))))
clocked  = $(addprefix ./,$(wildcard $(CLOCKED)))
longest  = $(addprefix ./,$(wildcard $(LONGEST)))
others   = $$(go list $(suites) | grep -vE '/($(subst $() $(),|,$(LONGEST)))$$')
units   = $$(go list ./... | grep -vE '^github.com/plait-run/plait/($(subst $() $(),|,$(SUITES)))(/|$$)')

TEST_TIMEOUT ?= 20m
TEST_FLAGS   ?=

.PHONY: help
help: ## Show the targets
	@awk -F ':.*## ' '/^##@ / { printf "\n%s\n", substr($$0, 5) } \
		/^[a-z-]+:.*## / { printf "  %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

##@ Program

.PHONY: controlplane
controlplane: ## Build the control plane for trying and testing into bin/k8s (cached; 15 minutes at first)
	@test/controlplane/build.sh bin/k8s

.PHONY: build
build: ## Build bin/plait, which is the kubectl plugin bin/kubectl-plait too
	go build -ldflags '$(LDFLAGS)' -o bin/plait ./cmd/plait
	ln -sf plait bin/kubectl-plait
	ln -sf plait bin/kubectl_complete-plait

.PHONY: run
run: controlplane build ## Start a local cluster, the engine and the example (ARGS="--reset")
	bin/plait dev --assets '$(ASSETS)' $(ARGS)

##@ Checks

.PHONY: test
test: controlplane verify vet lint test-unit test-suites ## Run everything that CI runs

.PHONY: test-unit
test-unit: ## Run the tests that need no cluster, with the race detector
	go test -race -timeout $(TEST_TIMEOUT) $(TEST_FLAGS) $(units)

.PHONY: test-suites
test-suites: controlplane ## Run the tests against real control planes
	KUBEBUILDER_ASSETS='$(ASSETS)' go test -p 2 -timeout $(TEST_TIMEOUT) $(TEST_FLAGS) -skip '$(TIMED)' $(longest) $(others)
	KUBEBUILDER_ASSETS='$(ASSETS)' go test -p 1 -timeout $(TEST_TIMEOUT) $(TEST_FLAGS) -run '$(TIMED)' $(clocked)

.PHONY: race
race: controlplane ## Run the tests against real control planes with the race detector
	KUBEBUILDER_ASSETS='$(ASSETS)' go test -race -p 1 -timeout 40m $(TEST_FLAGS) $(suites)

.PHONY: browser
browser: controlplane ## Try the console in Chromium, which has to be installed; pictures of its pages go to bin/pictures
	@mkdir -p bin/pictures
	cd test/browser && KUBEBUILDER_ASSETS='$(ASSETS)' go test -count=1 -v -artifacts -outputdir '$(abspath bin/pictures)' $(TEST_FLAGS) .

.PHONY: cases
cases: ## Run the language's cases through the command line's code
	go test -timeout $(TEST_TIMEOUT) $(TEST_FLAGS) ./test/cases/...

.PHONY: vet
vet: ## Run go vet
	go vet ./...

.PHONY: lint
lint: ## Run golangci-lint
	$(GOLANGCI_LINT) run

.PHONY: image
image: ## Build the container image (IMAGE=plait:dev)
	docker build --build-arg VERSION='$(VERSION)' -t '$(or $(IMAGE),plait:dev)' .

.PHONY: bench
bench: controlplane build ## Measure the engine beside its budgets (ARGS="-only wide,chain" or "-quick")
	KUBEBUILDER_ASSETS='$(ASSETS)' go run ./test/bench $(ARGS)
	$(if $(ARGS),,$(MAKE) bench-mounts)

.PHONY: bench-mounts
bench-mounts: controlplane ## Measure 10,000 Workspaces on 50 kinds
	KUBEBUILDER_ASSETS='$(ASSETS)' PLAIT_MOUNTS_SCALE=10000 go test -count=1 -v -timeout 30m -run TestScale ./test/integration/mounts

# BENCHES are the packages with benchmarks of the steps that every event and every group takes.
BENCHES ?= ./graph/... ./runtime/... ./dynamiccontroller/...
COUNT   ?= 6

.PHONY: bench-compare
bench-compare: ## Compare the Go benchmarks with those of another commit (BASE=main COUNT=6)
	@test -n '$(BASE)' || { echo 'bench-compare: say what to compare with: make bench-compare BASE=main' >&2; exit 2; }
	@work="$$(mktemp -d)"; trap 'git worktree remove --force "$$work/tree"; rm -rf "$$work"' EXIT; \
	git worktree add --quiet --detach "$$work/tree" '$(BASE)'; \
	run() { go test -run '^$$' -bench . -benchmem -count $(COUNT) $(BENCHES) | grep -E '^(goos|goarch|pkg|cpu|Benchmark)' >"$$1"; }; \
	(cd "$$work/tree" && run "$$work/base"); run "$$work/now"; \
	$(TOOL) benchstat base="$$work/base" now="$$work/now"

.PHONY: faults
faults: controlplane build ## Break every request of the engine, and the engine itself (ARGS="-only chain")
	KUBEBUILDER_ASSETS='$(ASSETS)' go run ./test/faults $(ARGS)

##@ Generated files

.PHONY: generate
generate: controlplane ## Write all generated files anew
	$(CONTROLLER_GEN) object paths=./api/...
	$(CONTROLLER_GEN) crd paths=./api/... output:crd:dir=api/config/crd
	KUBEBUILDER_ASSETS='$(ASSETS)' go run ./graph/schema/internal/genopenapi
	go run ./docs/internal/reference
	go run ./deploy/internal/generate
	deploy/kustomize/generate.sh

.PHONY: verify
verify: controlplane ## Fail when a generated file is not what `make generate` writes
	@work="$$(mktemp -d)"; trap 'rm -rf "$$work"' EXIT; \
	$(CONTROLLER_GEN) object paths=./api/... output:object:dir="$$work/object"; \
	$(CONTROLLER_GEN) crd paths=./api/... output:crd:dir="$$work/crd"; \
	diff -u api/v1alpha1/zz_generated.deepcopy.go "$$work/object/zz_generated.deepcopy.go"; \
	diff -ru api/config/crd "$$work/crd"
	KUBEBUILDER_ASSETS='$(ASSETS)' go run ./graph/schema/internal/genopenapi -check
	go run ./docs/internal/reference -check
	go run ./deploy/internal/generate -check
	@work="$$(mktemp -d)"; trap 'rm -rf "$$work"' EXIT; \
	cp -r deploy/kustomize/. "$$work"; deploy/kustomize/generate.sh "$$work"; diff -ru deploy/kustomize "$$work"

.PHONY: clean
clean: ## Remove what was built, and the data of the local cluster
	rm -rf bin .plait
