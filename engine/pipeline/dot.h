// SPDX-License-Identifier: MIT
#pragma once

#include "engine/pipeline/pipeline.h"

#include <string>

namespace tessera::pipeline {

// The DAG in Graphviz's language: inputs as parallelograms, outputs with a double border,
// reductions as octagons; an arrow for each producer that a func reads, labelled with the loads of
// one evaluation when there is more than one. The same pipeline gives the same bytes.
std::string toDot(const Pipeline &pipeline);

} // namespace tessera::pipeline
