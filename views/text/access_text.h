// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/pipeline/pipeline.h"

#include <span>
#include <string>

namespace tessera::views {

// Access maps in readable form: "input(clamp(x + [-1, 1], 0, 1535), y)". An interval in brackets
// stands for every value in it; "…" is an unbounded end.
std::string intervalText(const pipeline::Interval &interval);
std::string indexText(const pipeline::IndexMap &map, std::span<const pipeline::LoopDim> loops);
std::string accessText(const pipeline::Pipeline &pipeline, const pipeline::Stage &stage,
                       const pipeline::Access &access);

} // namespace tessera::views
