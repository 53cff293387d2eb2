// SPDX-License-Identifier: MIT
#pragma once

#include "engine/pipeline/pipeline.h"

#include <string>

namespace tessera::pipeline {

// The pipeline as a person reads it on a terminal: inputs and outputs with their estimates, then
// every func under the one that needs it. A func that several need is written out once; a branch
// that grows too deep goes on further down under its own heading, so that lines stay short on
// pipelines of a thousand stages.
std::string textTree(const Pipeline &pipeline);

} // namespace tessera::pipeline
