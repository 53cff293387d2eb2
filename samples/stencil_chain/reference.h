// SPDX-License-Identifier: MIT
#pragma once

#include "samples/common/image.h"

#include <cstdint>

namespace tessera::samples::stencil_chain {

// Applies `stencils` rounded 5x5 binomial blurs, one after the other. Pixels outside of the picture
// repeat its edge and are blurred like the rest.
Image<std::uint16_t> reference(const Image<std::uint16_t> &input, int stencils);

} // namespace tessera::samples::stencil_chain
