// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"

#include <Halide.h>

#include <string>

namespace tessera::halide {

// Writes the pipeline as it is now to `path` (*.hlpipe), and beside it the sidecar with what the
// format drops. Used by the plugin, before anything was scheduled, and by tests.
Status capturePipeline(const Halide::Pipeline &pipeline, const std::string &path);

} // namespace tessera::halide
