// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"

#include <Halide.h>

#include <string>

namespace tessera::halide {

// Writes the pipeline as it is now to `path` (*.hlpipe), and a sidecar file beside it with the
// properties of inputs that Halide's file format drops. The plugin calls this function before
// anything is scheduled; schedulePeer() calls it after another autoscheduler has scheduled the
// pipeline.
Status capturePipeline(const Halide::Pipeline &pipeline, const std::string &path);

} // namespace tessera::halide
