// SPDX-License-Identifier: MIT
#pragma once

#include "engine/cost/roofline/roofline.h"

#include <string>

namespace tessera::chart {

// A roofline as a table for other programs (RFC 4180): a row for each kernel, pipeline and roof, in
// units without prefixes. Unknown values are empty.
std::string csvOf(const cost::Roofline &roofline);

} // namespace tessera::chart
