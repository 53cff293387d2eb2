// SPDX-License-Identifier: MIT
#pragma once

#include "engine/halide/import/estimates.h"
#include "engine/halide/import/graph.h"

#include <cstdint>
#include <vector>

namespace tessera::halide {

// The expression with the definition of a pure func in place of each of its calls.
Halide::Expr withInlined(const Halide::Expr &e, const FuncSource &func);

// Takes pure funcs out of the graph: their definitions stand in what reads them from here on. The
// funcs behind them get other numbers, also in the estimates. None may be an output, or be read by
// an extern stage.
void inlineFuncs(Graph &graph, Estimates &estimates, const std::vector<std::uint32_t> &funcs);

} // namespace tessera::halide
