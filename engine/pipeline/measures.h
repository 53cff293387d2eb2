// SPDX-License-Identifier: MIT
#pragma once

#include "engine/pipeline/pipeline.h"

#include <cstdint>
#include <span>
#include <string>

namespace tessera::pipeline {

// The plain numbers that every table shows, so that the explorer and the command line cannot
// differ.

std::uint64_t operationCount(const Stage &stage); // in one evaluation, loads not counted
std::uint64_t loadCount(const Stage &stage);      // in one evaluation
std::int64_t evaluationCount(const Stage &stage); // under the estimates
std::int64_t elementBytes(const Func &func);      // of all tuple elements

// Of the whole estimated region; nothing where an input has no estimate.
std::optional<std::int64_t> regionBytes(const Pipeline &pipeline, Producer producer);

bool isReduction(const Stage &stage);

std::string typesText(const Func &func); // "uint16", "(float32, int32)"
std::string extentsText(const Box &box); // "1536×2560×3", "scalar", "?" for an unknown extent
std::string extentsText(std::span<const std::int64_t> extents);

} // namespace tessera::pipeline
