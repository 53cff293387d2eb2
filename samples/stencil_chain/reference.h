// SPDX-License-Identifier: MIT
#pragma once

#include "samples/common/image.h"

#include <cstdint>

namespace tessera::samples::stencil_chain {

// `stencils` rounded 5x5 binomial blurs, one after the other. What lies outside of the picture
// repeats its edge, and is blurred like the rest.
Image<std::uint16_t> reference(const Image<std::uint16_t> &input, int stencils);

} // namespace tessera::samples::stencil_chain
