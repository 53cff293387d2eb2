// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"
#include "engine/bench/measurement.h"
#include "engine/cost/roofline/roofline.h"

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::tune {

// How far a contender of a comparison got.
enum class ContenderState : std::uint8_t {
  NoSchedule,  // no schedule was made, or it cannot be used here
  NotCompiled, // it has no bundle
  Ready,       // waits for the measurement
  Measured,
  WrongOutput, // outputs are wrong, so it has no time
  NotMeasured  // launch failed, run hung or GPU was lost
};
std::string_view name(ContenderState state); // "no schedule", "ready", …

// One contender of a comparison: where its schedule comes from, and its results.
struct Contender {
  std::string word; // the word in the request: "li2018", "mine.schedule.h"
  std::string name; // unique; names its folder and its table row
  ContenderState state = ContenderState::NoSchedule;
  std::string why;       // why the contender got no further, or why it is opaque
  bool isOpaque = false; // compiled from a file with a schedule that decisions cannot express
  std::optional<double> scheduleSeconds; // time to find it; nullopt: it existed already
  std::optional<double> predictedSeconds;
  std::uint64_t hash = 0; // hash of the schedule; 0: opaque or none
  std::size_t kernels = 0;
  int registerCap = 0;
  std::optional<bench::Measurement> measurement;

  bool hasBundle() const {
    return state != ContenderState::NoSchedule && state != ContenderState::NotCompiled;
  }
  // Seconds of a run, if its outputs were compared and right.
  std::optional<double> seconds() const;

  friend bool operator==(const Contender &, const Contender &) = default;
};

// The contenders for one pipeline, in the order of the request. On disk, a comparison is a folder
// with comparison.json, `reference`, and one bundle per contender under its name. The folder can be
// copied to a machine with a GPU.
struct Comparison {
  std::string pipeline, machine;    // machine: the one for which the schedules were made
  std::uint64_t seed = 1;           // for the inputs
  std::optional<cost::Floor> floor; // of the pipeline at its size; nullopt in old comparisons
  std::vector<Contender> contenders;
  std::vector<std::string> remarks;

  std::optional<double> bestSeconds() const;
  std::string gpu() const; // the GPU of the measurement; empty: not measured
  friend bool operator==(const Comparison &, const Comparison &) = default;
};

nlohmann::ordered_json toJson(const Comparison &comparison);
Result<Comparison> comparisonFromJson(const nlohmann::json &document);

bool isComparison(const std::string &folder);
Result<Comparison> readComparison(const std::string &folder);
Status writeComparison(const Comparison &comparison, const std::string &folder);

// One line per contender, with full precision; missing values are empty. `floor` is for the GPU of
// the measurement; nullopt if unknown.
std::string csvText(const Comparison &comparison,
                    const std::optional<cost::PlacedFloor> &floor = {});

} // namespace tessera::tune
