# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2154 # root and venv come from common.sh
# ensure_packages LIST…: installs the Debian packages of packages-LIST.txt that are missing.

listed_packages() {
  local list
  for list; do
    grep -v -E '^(#|$)' "$root/packaging/packages-$list.txt"
  done
}

missing_packages() {
  local wanted present
  wanted=$(listed_packages "$@" | sort -u)
  # shellcheck disable=SC2086 # one word a package
  present=$(dpkg-query -W -f='${db:Status-Status} ${Package}\n' $wanted 2>/dev/null |
    sed -n 's/^installed //p' | sort -u)
  comm -23 <(echo "$wanted") <(echo "$present")
}

ensure_packages() {
  [[ -z ${TESSERA_SKIP_PACKAGES:-} ]] || return 0
  if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    fail 'this system has no apt-get, and only Debian bookworm is known to these scripts' \
      "install what provides: $(listed_packages "$@" | tr '\n' ' ')" \
      'then run the same command with TESSERA_SKIP_PACKAGES=1'
  fi
  local missing become=()
  missing=$(missing_packages "$@" | tr '\n' ' ')
  missing=${missing% }
  [[ -n $missing ]] || return 0

  if ((EUID != 0)); then
    if sudo -n true 2>/dev/null; then
      become=(sudo -n)
    elif command -v sudo >/dev/null && [[ -t 0 && -z ${CI:-} ]]; then
      become=(sudo)
    else
      fail 'some packages are missing and this user may not install them; ask for:' \
        "sudo apt-get update && sudo apt-get install -y --no-install-recommends $missing"
    fi
  fi
  say "installing packages: $missing"
  local apt=("${become[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q
    -o Acquire::Retries=3 -o DPkg::Lock::Timeout=600)
  "${apt[@]}" update >&2 </dev/null ||
    say 'apt-get update reported problems; trying with the lists that are here'
  # shellcheck disable=SC2086 # one word a package
  "${apt[@]}" install -y --no-install-recommends $missing >&2 </dev/null ||
    fail 'apt-get could not install all packages; see its message above' \
      "try by hand: sudo apt-get install -y --no-install-recommends $missing"
}
