// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::report {

// What the caller of the compiled pipeline has to guarantee, because decisions of the schedule rely
// on it.
struct Promise {
  std::string buffer; // an input or output
  std::uint16_t dim = 0;
  std::optional<std::int64_t> min, extent, stride;
  std::int64_t hostAlignment = 0; // bytes, of the whole buffer; 0: none

  friend bool operator==(const Promise &, const Promise &) = default;
};

// A promise as a sentence in the header of an exported schedule, in Halide's words, and back:
//
//   input.dim(1).min == 0 && input.dim(1).stride == 2560 && input.host_alignment == 16
//
// If a promise has only an alignment, its dimension means nothing and is not written. A promise
// without content is "". Characters of a name that the sentence itself uses become \xHH.
std::string textOf(const Promise &promise);
Result<Promise> promiseFromText(std::string_view text);

// A promise as calls of Halide's Parameter, the same in C++ and in Python: set_min_constraint(1, 0)
std::vector<std::string> halideCalls(const Promise &promise);

} // namespace tessera::report
