// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"
#include "engine/pipeline/pipeline.h"

namespace tessera::pipeline {

// Everything that Pipeline promises to its readers: ids in range, producers before consumers, one
// index map for each dimension, loops that exist, bounded regions.
Status validate(const PipelineParts &parts);

} // namespace tessera::pipeline
