// SPDX-License-Identifier: MIT
#pragma once

#include "engine/report/compile_report.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::halide {

// "f.s1.x.xi" is a loop of the second stage of f, for example.
std::optional<report::KernelStage> stageOfLoop(std::string_view loop);

// Finds which stage each line of Halide's text of lowered loops computes. Lines of no stage (checks
// of arguments, sizes) are left out. `stages` gives the number of stages of every func, by its name
// in the text. The text is read instead of Halide's tree, because only Halide's printer knows
// which line a node is printed on.
//
// The innermost `produce` tells the func; loops and lets called f.sN.… tell the stage. Loops over
// threads and unrolled loops have lost that name. There, a stage after the first is recognised by a
// value that is computed from itself, or by the barrier before it.
std::vector<report::StageLines> stagesOfLines(std::string_view lowered,
                                              const std::map<std::string, std::uint32_t> &stages);

} // namespace tessera::halide
