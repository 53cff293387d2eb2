// SPDX-License-Identifier: MIT
#pragma once

#include "tests/engine/pipeline/sketch.h"

namespace tessera::search::testing {

// The blur of figure 2 of Mullapudi et al. 2016 at the size of table 1, shifted so that regions
// begin at 0. A value of either func takes three operations.
inline constexpr pipeline::FuncId kBlurX{0}, kBlurOut{1};
pipeline::PipelinePtr paperBlur();

// The matrix product of figure 3 at the size of table 1. The matrices are funcs, so that they have
// four bytes an element.
inline constexpr pipeline::FuncId kMatrixA{0}, kMatrixB{1}, kMatrixC{2};
pipeline::PipelinePtr paperMatMul();

} // namespace tessera::search::testing
