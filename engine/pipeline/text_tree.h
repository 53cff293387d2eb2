// SPDX-License-Identifier: MIT
#pragma once

#include "engine/pipeline/pipeline.h"

#include <string>

namespace tessera::pipeline {

// The pipeline as text for a terminal: inputs and outputs with their estimates, then every func
// below the func that needs it. A func that several funcs need is written only once. A branch that
// gets too deep continues further down as a tree of its own, so that lines stay short in pipelines
// of a thousand stages.
std::string textTree(const Pipeline &pipeline);

} // namespace tessera::pipeline
