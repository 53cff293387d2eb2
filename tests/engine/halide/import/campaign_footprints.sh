#!/bin/sh
# SPDX-License-Identifier: MIT
# Our footprints against Halide's own boxes: all samples of a build and random pipelines.
#
#   tests/engine/halide/campaign_footprints.sh [BUILD_DIR] [RANDOM] [TILES] [SEED]
set -eu
build=${1:-build/release}
random=${2:-2000}
tiles=${3:-200}
seed=${4:-$(date +%s)}
set --
for file in "$build"/share/tessera/samples/*.hlpipe; do
  if [ -e "$file" ]; then set -- "$@" "$file"; fi
done
exec "$build/tests/campaign_footprints" --seed "$seed" --tiles "$tiles" --random "$random" "$@"
