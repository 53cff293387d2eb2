// SPDX-License-Identifier: MIT
#pragma once

#include "engine/search/beam/beam_sample.h"
#include "engine/search/trace.h"

#include <cstddef>
#include <string>
#include <string_view>

// What a trace says of a beam search.
namespace tessera::search {

TraceRow rowOf(const EndedPass &pass);
TraceRow rowOf(const FrozenChoice &choice, const std::string &func);

// `sample` counts from 0, which is the beam sample. Without `refusal` it is the best so far.
TraceRow sampleRow(std::size_t sample, double cost, std::string_view refusal);

} // namespace tessera::search
