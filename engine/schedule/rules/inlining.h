// SPDX-License-Identifier: MIT
#pragma once

#include "engine/pipeline/pipeline.h"

namespace tessera::schedule {

// Whether a func has a value that no stage reads, and reads other funcs. If such a func is inlined,
// what only that value needs is computed nowhere, and Halide 21 follows a null pointer when it
// infers the bounds (tests/engine/halide/tst_halide_facts.cpp).
bool hasUnreadValue(const pipeline::Pipeline &pipeline, pipeline::FuncId func);

// Whether a func can be inlined, wherever its readers are.
bool mayBeInlined(const pipeline::Pipeline &pipeline, pipeline::FuncId func);

} // namespace tessera::schedule
