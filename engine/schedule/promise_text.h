// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"
#include "engine/schedule/schedule.h"

#include <string>
#include <string_view>

namespace tessera::schedule {

// A promise as a sentence in the header of a text, in Halide's words:
//
//   input.dim(1).min == 0 && input.dim(1).stride == 2560 && input.host_alignment == 16
//
// and back. Of a promise about alignment alone the dimension is not told, since it means none; one
// that says nothing is "". Characters of a name that the sentence itself uses become \xHH.
std::string textOf(const Promise &promise);
Result<Promise> promiseFromText(std::string_view text);

} // namespace tessera::schedule
