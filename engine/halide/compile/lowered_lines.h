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

// "f.s1.x.xi" is a loop of the second stage of f.
std::optional<report::KernelStage> stageOfLoop(std::string_view loop);

// Which stage each line of Halide's text of lowered loops computes; lines of no stage (checks of
// arguments, sizes) are left out. `stages`: of every func, by its name in the text. Reads the text,
// not Halide's tree: lines are what is asked for, and only the printer knows them.
//
// The innermost `produce` says the func, loops and lets called f.sN.… the stage. Loops over threads
// and unrolled ones have lost that name; then a stage other than the first is known by a value that
// is computed from itself, or by the barrier that separates it from the one before.
std::vector<report::StageLines> stagesOfLines(std::string_view lowered,
                                              const std::map<std::string, std::uint32_t> &stages);

} // namespace tessera::halide
