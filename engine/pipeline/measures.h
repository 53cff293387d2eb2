// SPDX-License-Identifier: MIT
#pragma once

#include "engine/pipeline/pipeline.h"

#include <cstdint>
#include <span>
#include <string>

namespace tessera::pipeline {

// The numbers that every table shows. The explorer and the command line both take them from here,
// so that they agree.

std::uint64_t operationCount(const Stage &stage); // per evaluation, without loads
std::uint64_t loadCount(const Stage &stage);      // per evaluation
std::int64_t evaluationCount(const Stage &stage); // with the estimated sizes
std::int64_t elementBytes(const Func &func);      // the sum over all tuple elements

// The bytes of the whole estimated region. Empty for an input without an estimate.
std::optional<std::int64_t> regionBytes(const Pipeline &pipeline, Producer producer);

bool isReduction(const Stage &stage);

std::string typesText(const Func &func); // "uint16", "(float32, int32)"
std::string extentsText(const Box &box); // "1536×2560×3", "scalar", "?" for an unknown extent
std::string extentsText(std::span<const std::int64_t> extents);

} // namespace tessera::pipeline
