// SPDX-License-Identifier: MIT
#pragma once

#include "engine/pipeline/pipeline.h"
#include "engine/base/result.h"

namespace tessera::pipeline {

// Checks everything that users of Pipeline rely on: ids are in range, producers come before
// consumers, each dimension has one index map, loops exist, and regions are bounded.
Status validate(const PipelineParts &parts);

} // namespace tessera::pipeline
