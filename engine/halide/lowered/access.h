// SPDX-License-Identifier: MIT
#pragma once

#include "engine/halide/lowered/state.h"

namespace tessera::halide::lowered {

// Loads of all threads. What lies outside of the memory is a finding, and unknown.
Value load(State &state, const Halide::Internal::Load &op, const ValuePtr &index,
           const ValuePtr &predicate);

// Stores of all threads, in their order.
void store(State &state, const Halide::Internal::Store &op, const ValuePtr &index,
           const ValuePtr &value, const ValuePtr &predicate);

} // namespace tessera::halide::lowered
