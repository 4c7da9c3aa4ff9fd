# Everything here needs Go and make, and nothing else but a C compiler for `race`, which Go's race detector asks for.
# Go fetches the libraries that go.sum pins.

BENCH     ?= ./sim/... ./model/... ./checkers/... ./scenarios/...
BENCHTIME ?= 200ms
COUNT     ?= 2000
SEED      ?= 0
FAULTS    ?= light
DEPARTURES ?= 0
CRASHES   ?= 1
ARGS      ?=
NAME      ?=
ALL       ?=

.DEFAULT_GOAL := help
.PHONY: help build run sweep compare reach explore soak proof mutants test lint bench long race

help: ## print this list
	@sed -n 's/^\([a-z]*\):[^#]*## \(.*\)/make \1	\2/p' Makefile

build: ## compile everything, and put the command into bin/
	go build ./...
	go build -o bin/ ./cmd/mirrorsim

run: ## a failover and a failback, told step by step, then 500 generated runs under light faults
	go run ./cmd/mirrorsim run
	go run ./cmd/mirrorsim sweep --count 500 --faults light --protocol hardened

sweep: ## generated runs under faults: COUNT=2000, FAULTS=light, SEED=0 the first seed, ARGS=--protocol=start-stop and the like
	go run ./cmd/mirrorsim sweep --count $(COUNT) --seed-start $(SEED) --faults $(FAULTS) $(ARGS)

compare: ## what falls under each revision in COUNT=2000 generated runs, as a table: FAULTS=light, SEED=0, ARGS=--decision=marker and the like (status 1: the older ones fall)
	go run ./cmd/mirrorsim compare --count $(COUNT) --seed-start $(SEED) --faults $(FAULTS) $(ARGS)

reach: ## COUNT=2000 swarm seeds dealt over the three published revisions: what they hit of the protocol, and what never (status 1: those revisions fall)
	go run ./cmd/mirrorsim sweep --count $(COUNT) --seed-start $(SEED) --faults swarm --protocol add-remove,start-stop,aligned --no-shrink $(ARGS)

soak: ## 20,000 swarm seeds of hardened, from SEED=0 on; interrupted, it goes on where it was (soak.jsonl)
	go run ./cmd/mirrorsim sweep --count 20000 --seed-start $(SEED) --faults swarm --protocol hardened --resume soak.jsonl $(ARGS)

explore: ## follow every run near a stop and its failback: DEPARTURES=0, CRASHES=1, ARGS=--protocol=start-stop and the like, as scenarios/EXPLORE.md says (status 1: something falls)
	go run ./cmd/mirrorsim explore scenarios/explore/stop-and-failback.scn --from 5 --departures $(DEPARTURES) --crashes $(CRASHES) $(ARGS)

proof: ## show that every property can fail, NAME=exact-cut one of them, and that two judges agree on 10,000 histories
	go run ./cmd/mirrorproof $(NAME)
	@test -n "$(NAME)" || go test ./checkers -run '^TestSecondOpinionAgrees$$' -v -histories 10000

mutants: ## make 300 small changes of model/, ALL=1 all of them, and tell which no check notices; interrupted, it goes on (mutants.jsonl)
	go run ./cmd/mirrormutants $(if $(ALL),-all) $(ARGS)

test: ## run all tests
	go test ./...

lint: ## check the format, go vet, and the project's own rules (go run ./cmd/mirrorlint help)
	@unformatted=$$(gofmt -l .) && test -z "$$unformatted" || { echo "run gofmt -w on:"; echo "$$unformatted"; exit 1; }
	go vet ./...
	go run ./cmd/mirrorlint ./...

bench: ## measure in short form: BENCHTIME=200ms a benchmark, BENCH=the packages
	go test -run '^$$' -bench . -benchmem -benchtime=$(BENCHTIME) $(BENCH)

long: ## explore every finding, and measure what a checker takes for an event in the first and in the tenth million of a run, and the heap (some minutes)
	go test ./scenarios -run '^TestExploreFindings$$' -bench BenchmarkLong -benchtime 1x -long

race: ## run the tests under the race detector, but the longest of those that start no goroutine (needs a C compiler)
	go test -race -short ./...
