# SPDX-License-Identifier: MIT
# shellcheck shell=bash source-path=SCRIPTDIR
# Sourced by packaging/run and packaging/test.
lib=$(dirname "${BASH_SOURCE[0]}")
# shellcheck source=common.sh
source "$lib/common.sh"
# shellcheck source=packages.sh
source "$lib/packages.sh"
# shellcheck source=python_env.sh
source "$lib/python_env.sh"
# shellcheck source=qcustomplot.sh
source "$lib/qcustomplot.sh"
# shellcheck source=build.sh
source "$lib/build.sh"
