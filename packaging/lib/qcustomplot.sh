# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2154 # root comes from common.sh
# ensure_qcustomplot: .cache/qcustomplot holds the header of QCustomPlot for Qt 6, its library and
# its CMake package. Debian's development package depends on all of Qt 5's development files and
# needs none of them, so it is unpacked here and not installed.

qcustomplot_packages=(libqcustomplot-dev libqcustomplot2.1-qt6)

# download_packages FOLDER PACKAGE…: as this user, who may be nobody special. The lists of packages
# may be missing or old: a second try reads them anew, into the folder.
download_packages() {
  local folder=$1 apt=(apt-get -q -o Acquire::Retries=3 -o APT::Sandbox::User="$(id -un)")
  shift
  (cd "$folder" && "${apt[@]}" download "$@") >&2 </dev/null && return 0
  say 'reading the lists of packages anew'
  mkdir -p "$folder/lists/partial"
  apt+=(-o Dir::State::Lists="$folder/lists" -o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache=)
  "${apt[@]}" update >&2 </dev/null || return 1
  (cd "$folder" && "${apt[@]}" download "$@") >&2 </dev/null
}

ensure_qcustomplot() {
  [[ -z ${TESSERA_SKIP_PACKAGES:-} ]] || return 0
  local prefix=$root/.cache/qcustomplot wanted=${qcustomplot_packages[*]} work package
  [[ $(cat "$prefix/.unpacked" 2>/dev/null) != "$wanted" ]] || return 0

  say 'unpacking QCustomPlot into .cache/qcustomplot'
  mkdir -p "$root/.cache"
  work=$(mktemp -d "$root/.cache/qcustomplot.XXXXXX")
  # Not a trap: whoever sources this may have one of its own.
  if ! download_packages "$work" "${qcustomplot_packages[@]}"; then
    rm -r "$work"
    fail 'apt-get could not download QCustomPlot; see its message above' \
      "without a network, unpack these packages of bookworm with dpkg-deb -x into $prefix:" \
      "  $wanted" \
      "and write that line into $prefix/.unpacked; then run the same command again"
  fi
  for package in "$work"/*.deb; do
    if ! dpkg-deb -x "$package" "$work/prefix" >&2; then
      rm -r "$work"
      fail "dpkg-deb could not unpack $(basename "$package"); see its message above" \
        'check that this folder is writable and that the disk is not full'
    fi
  done
  printf '%s\n' "$wanted" >"$work/prefix/.unpacked"
  # All of it or nothing: a command that is stopped in between leaves no half of it.
  rm -rf "$prefix"
  mv "$work/prefix" "$prefix"
  rm -r "$work"
}
