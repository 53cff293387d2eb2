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

// How far a candidate of a comparison came.
enum class ContenderState : std::uint8_t {
  NoSchedule,  // nobody made one, or it cannot be used here
  NotCompiled, // it has no bundle
  Ready,       // to be measured
  Measured,
  WrongOutput, // so it has no time
  NotMeasured  // the launch failed, it hung, a GPU was lost
};
std::string_view name(ContenderState state); // "no schedule", "ready", …

// One candidate of a comparison: where its schedule is from, and what came of it.
struct Contender {
  std::string word; // as it was asked for: "li2018", "mine.schedule.h"
  std::string name; // of its folder, and in tables; no two have the same
  ContenderState state = ContenderState::NoSchedule;
  std::string why;       // it is no further; or why it is opaque
  bool isOpaque = false; // compiled from a file that has its schedule in it, not from decisions
  std::optional<double> scheduleSeconds; // that finding it took; none: it was there
  std::optional<double> predictedSeconds;
  std::uint64_t hash = 0; // of the schedule; 0: opaque
  std::size_t kernels = 0;
  int registerCap = 0;
  std::optional<bench::Measurement> measurement;

  bool hasBundle() const {
    return state != ContenderState::NoSchedule && state != ContenderState::NotCompiled;
  }
  // Of a run, where its outputs were compared and right.
  std::optional<double> seconds() const;

  friend bool operator==(const Contender &, const Contender &) = default;
};

// Candidates for one pipeline, in the order that they were asked for. With its bundles it is a
// folder: comparison.json, `reference`, and a bundle by the name of each contender. Such a folder
// can be carried to where a GPU is.
struct Comparison {
  std::string pipeline, machine;    // machine: that the schedules were made for
  std::uint64_t seed = 1;           // of the inputs
  std::optional<cost::Floor> floor; // of the pipeline at its size; none: of those of before
  std::vector<Contender> contenders;
  std::vector<std::string> remarks;

  std::optional<double> bestSeconds() const;
  std::string gpu() const; // that it was measured on; empty: none
  friend bool operator==(const Comparison &, const Comparison &) = default;
};

nlohmann::ordered_json toJson(const Comparison &comparison);
Result<Comparison> comparisonFromJson(const nlohmann::json &document);

bool isComparison(const std::string &folder);
Result<Comparison> readComparison(const std::string &folder);
Status writeComparison(const Comparison &comparison, const std::string &folder);

// A line for each contender; numbers in full, empty where there is none. `floor`: on the GPU that
// it was measured on; none: nobody knows.
std::string csvText(const Comparison &comparison,
                    const std::optional<cost::PlacedFloor> &floor = {});

} // namespace tessera::tune
