# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2154 # root and venv come from common.sh
# configure PRESET [-D…] and build PRESET [TARGET…]; both are cheap when nothing changed.

cmake() { "$venv/bin/cmake" "$@"; }

# Clang compiles our sources faster than GCC. CXX names another; without either, the system's c++ is taken.
compiler() { command -v "${CXX:-clang++-16}" || command -v c++ || echo c++; }

# Ninja re-runs CMake when a CMakeLists.txt changed; what it cannot see is compared here.
configure() {
  local preset=$1 folder=$root/build/$1 cxx wanted fresh=()
  shift
  cxx=$(compiler)
  wanted=$(printf '%s\n' "$root" "$cxx" "$@" "$(cat "$root/CMakePresets.json" "$venv/.requirements")" |
    sha256sum)
  if [[ -f $folder/build.ninja && $(cat "$folder/.configured" 2>/dev/null) == "$wanted" ]]; then
    return 0
  fi
  # A build folder that came from elsewhere, from another compiler, or from an older CMake.
  if [[ -f $folder/CMakeCache.txt ]] &&
    ! { grep -q -x -F "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$folder/CMakeCache.txt" &&
      grep -q -x "CMAKE_CXX_COMPILER:[A-Z]*=$cxx" "$folder/CMakeCache.txt"; }; then
    fresh=(--fresh)
  fi
  say "configuring build/$preset"
  cmake -S "$root" --preset "$preset" "${fresh[@]}" \
    -DCMAKE_CXX_COMPILER="$cxx" "$@" >&2 ||
    fail "CMake could not configure build/$preset; see its message above" \
      "if it speaks of a stale cache: rm -r build/$preset, then run the same command again"
  printf '%s\n' "$wanted" >"$folder/.configured"
}

build() {
  local preset=$1 targets=()
  shift
  (($# == 0)) || targets=(--target "$@")
  cmake --build "$root/build/$preset" --parallel "$(job_count)" "${targets[@]}" >&2 ||
    fail "the build of build/$preset failed; the first error above says where"
}
