# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2154 # root and venv come from common.sh
# ensure_python_env: .venv holds Halide, CMake and, where no toolkit is found, parts of CUDA; and
# NVIDIA's disassembler where there is none (some toolkits leave it out).

# A toolkit is worth using if it can assemble PTX; the rest of it comes along.
has_cuda_toolkit() {
  command -v ptxas >/dev/null || [[ -x ${CUDA_HOME:-/usr/local/cuda}/bin/ptxas ]]
}

has_disassembler() {
  local program
  for program in nvdisasm cuobjdump; do
    ! command -v "$program" >/dev/null || return 0
    [[ ! -x ${CUDA_HOME:-/usr/local/cuda}/bin/$program ]] || return 0
  done
  return 1
}

# pip_install LIST…: requirement lists, wheels only. </dev/null and --no-input: never wait for an
# answer that nobody gives.
pip_install() {
  local list arguments=()
  for list; do arguments+=(-r "$list"); done
  "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-input --no-deps \
    --only-binary :all: --require-hashes "${arguments[@]}" >&2 </dev/null
}

ensure_python_env() {
  local lists=("$root/packaging/requirements.txt") extra=() wanted
  has_cuda_toolkit || lists+=("$root/packaging/requirements-cuda.txt")
  has_disassembler || extra=("$root/packaging/requirements-sass.txt")
  # The scripts of an environment hold its absolute path: one that moved is made anew.
  wanted=$(printf '%s\n' "$venv" "$(cat "${lists[@]}" "${extra[@]}")" | sha256sum)
  [[ $(cat "$venv/.requirements" 2>/dev/null) != "$wanted" ]] || return 0

  [[ $(uname -m) == x86_64 ]] ||
    fail "Halide 21 has no wheel for $(uname -m); Tessera builds on x86-64 only"
  say 'installing Halide and CMake into .venv'
  if ! "$venv/bin/pip" --version >/dev/null 2>&1; then
    /usr/bin/python3 -m venv --clear "$venv" >&2 ||
      fail 'cannot make the Python environment .venv; see the message above' \
        'check that python3-venv is installed and that this folder is writable and not full'
  fi
  pip_install "${lists[@]}" ||
    fail 'pip could not install what Tessera needs; see its message above' \
      'without a network: put the wheels into a folder and set PIP_FIND_LINKS and PIP_NO_INDEX=1'
  # Nothing else needs it.
  ((${#extra[@]} == 0)) || pip_install "${extra[@]}" ||
    say 'no disassembler: machine code cannot be shown (pip could not install nvdisasm; see above)'
  printf '%s\n' "$wanted" >"$venv/.requirements"
}
