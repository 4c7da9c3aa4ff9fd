# Everything here needs Go and make, and nothing else but a C compiler for `race`, which Go's race detector asks for.
# Go fetches the libraries that go.sum pins.

BENCH     ?= ./sim/... ./model/... ./checkers/... ./scenarios/...
BENCHTIME ?= 200ms

.DEFAULT_GOAL := help
.PHONY: help build run test lint bench race

help: ## print this list
	@sed -n 's/^\([a-z]*\):[^#]*## \(.*\)/make \1	\2/p' Makefile

build: ## compile everything, and put the command into bin/
	go build ./...
	go build -o bin/ ./cmd/mirrorsim

run: ## a failover and a failback, told step by step, then the verdict
	go run ./cmd/mirrorsim run

test: ## run all tests
	go test ./...

lint: ## check the format, go vet, and the project's own rules (go run ./cmd/mirrorlint help)
	@unformatted=$$(gofmt -l .) && test -z "$$unformatted" || { echo "run gofmt -w on:"; echo "$$unformatted"; exit 1; }
	go vet ./...
	go run ./cmd/mirrorlint ./...

bench: ## measure in short form: BENCHTIME=200ms a benchmark, BENCH=the packages
	go test -run '^$$' -bench . -benchmem -benchtime=$(BENCHTIME) $(BENCH)

race: ## run all tests under the race detector (needs a C compiler)
	go test -race ./...
