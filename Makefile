# `make run` starts the app, `make test` tests everything, `make serve` is for machines without a screen.

SHELL := /bin/bash
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help

TARGET := $(or $(CARGO_TARGET_DIR),target)
BIN := $(TARGET)/debug
export CARGO_TARGET_DIR := $(abspath $(TARGET))

# Where `make serve` keeps its state and where it listens.
DATA_DIR ?= $(HOME)/.local/share/quarterdeck-server
LISTEN ?= 127.0.0.1:8420
# Where `make publish-detections` and `make replay-turtlebot` find the running app or server.
ENDPOINT ?= tcp/127.0.0.1:7447

.PHONY: help run serve test setup ui bundle publish-detections replay-turtlebot fake-robots

help:
	@echo 'make run               build and start the app with simulated robots'
	@echo 'make serve             the same in a browser, for a machine without a screen'
	@echo 'make test              run every check and every test'
	@echo 'make setup             install what the others need; they do it themselves'
	@echo 'make bundle            build the Debian package'
	@echo 'make publish-detections  publish samples of a foreign client into a running app or server'
	@echo 'make fake-robots       a station in a browser, with a robot and an arm of ROS 2, robots of VDA 5050 and of a program behind their gates'
	@echo 'make replay-turtlebot  play a recorded run of a real robot into a running app or server'

setup:
	@scripts/setup

# Every Cargo command here selects the whole workspace: a part of it would resolve other features and build twice.
ui: setup
	npm run build

run: | screen ui
	cargo build --workspace --bins
	$(BIN)/quarterdeck --with-sim

.PHONY: screen
screen:
	@if [ -z "$$DISPLAY$$WAYLAND_DISPLAY" ]; then \
		echo 'No display: neither DISPLAY nor WAYLAND_DISPLAY is set, so there is no screen for the window.' >&2; \
		echo 'Use `make serve` to run the station here and open it in a browser.' >&2; \
		exit 1; \
	fi

serve: ui
	cargo build --workspace --bin quarterdeck-server --bin quarterdeck-sim --bin quarterdeck-gate
	@mkdir -p -m 700 '$(DATA_DIR)'
	@$(BIN)/quarterdeck-server --data-dir '$(DATA_DIR)' --listen '$(LISTEN)' --with-sim | node scripts/show-address.mjs

test: setup
	cargo build --workspace --bin xtask
	$(BIN)/xtask ci

# The bundler wants the programs beside the app under names that carry their platform.
bundle: ui
	cargo build --release --workspace --bin quarterdeck-sim --bin quarterdeck-gate
	for program in quarterdeck-sim quarterdeck-gate; do \
		install -D $(TARGET)/release/$$program "target/sidecar/$$program-$$(rustc --print host-tuple)" || exit 1; done
	npm run tauri -- build --config tauri.bundle.conf.json

publish-detections: setup
	tests/foreign/run publish $(ENDPOINT)

fake-robots: ui
	cargo build --workspace --bin quarterdeck-server --bin quarterdeck-gate --example arm_server
	tests/foreign/run fake-robots

replay-turtlebot: setup
	tests/foreign/run replay $(ENDPOINT)
