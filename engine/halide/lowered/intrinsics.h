// SPDX-License-Identifier: MIT
#pragma once

#include "engine/halide/lowered/value.h"

#include <span>
#include <string_view>

namespace tessera::halide::lowered {

// A call whose result depends on its arguments alone, in all threads and lanes at once. The
// definitions are those that Halide documents for its intrinsics, on integers of 128 bits: an
// intrinsic is not taken apart as Halide's own code generators do it, so that a fault of theirs is
// not repeated here.
using PureCall = Value (*)(const Halide::Type &type, std::span<const ValuePtr> arguments);

// nullptr: there is no such call.
PureCall pureCall(std::string_view name);

} // namespace tessera::halide::lowered
