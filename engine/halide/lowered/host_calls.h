// SPDX-License-Identifier: MIT
#pragma once

#include "engine/halide/lowered/value.h"

#include <map>
#include <optional>
#include <string>

namespace tessera::halide::lowered {

class Evaluator;

// A pointer. Code that asks whether there is one finds one, well aligned; nothing follows it.
Value pointer(const Halide::Type &type);

// What the host asks of a buffer, and what it asks of Halide's runtime: host and GPU share one
// memory here, so allocations and copies succeed and do nothing. nullopt: no such call.
std::optional<Value> hostCall(const Halide::Internal::Call &op,
                              const std::map<std::string, Halide::Buffer<>> &buffers,
                              Evaluator &evaluator);

// The text of a failed check, such as "access out of bounds: Input buffer in, 0, -1, 63, 0, 62".
std::string complaintOf(const Halide::Expr &message, Evaluator &evaluator);

} // namespace tessera::halide::lowered
