# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# Sourced by packaging/run and packaging/test: where things are, how we speak, one at a time.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)
# shellcheck disable=SC2034 # used by the other parts
venv=$root/.venv

say() { printf 'tessera: %s\n' "$*" >&2; }

# fail MESSAGE [HINT…]: what went wrong, then what can be done about it.
fail() {
  say "$1"
  shift
  (($# == 0)) || printf '  %s\n' "$@" >&2
  exit 1
}

# As many jobs as processors, but no more than memory can hold: a source that includes Halide.h
# takes about 1.5 GB to compile.
job_count() {
  local processors memory
  processors=$(nproc)
  memory=$(awk '/^MemAvailable:/ { print int($2 / 1572864) }' /proc/meminfo)
  ((memory >= 1)) || memory=1
  echo $((processors < memory ? processors : memory))
}

# take_lock build|test-PRESET: two commands at once in one checkout take turns. One lock at a time.
take_lock() {
  mkdir -p "$root/build"
  exec 9>"$root/build/.lock-$1"
  if ! flock --nonblock 9; then
    say "another command is busy in this checkout ($1); waiting for it"
    flock 9
  fi
}
release_lock() { exec 9>&-; }
