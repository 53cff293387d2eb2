// SPDX-License-Identifier: MIT
#pragma once

#include "engine/halide/import/import.h"

#include <nlohmann/json_fwd.hpp>

#include <vector>

namespace tessera::halide {

// One tile of one stage, from a "boxes" request: an interval for each loop of the stage.
struct TileQuery {
  std::size_t stage = 0; // index among the stages of all funcs
  std::vector<pipeline::Interval> loops;
};

// Reads a list of promises, as textOf() writes them; a member that is missing gives none.
Status readPromises(const nlohmann::json &fields, const char *key,
                    std::vector<report::Promise> &promises);
Result<ImportOptions> importOptionsFrom(const nlohmann::json &fields);
Result<std::vector<TileQuery>> tilesFrom(const nlohmann::json &fields, const Graph &graph);

} // namespace tessera::halide
