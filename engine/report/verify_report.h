// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"
#include "engine/pipeline/types.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace tessera::report {

// How an output is compared with the reference.
enum class ComparisonRule : std::uint8_t {
  Exact,     // integers that depend on no float
  WithinOne, // integers that depend on floats: off by at most one; more in at most 1e-5 of them
  Relative,  // floats: |error| / max(|reference|, largest reference / 10); at most 1e-5 of the
             // elements exceed the tolerance, and none exceeds kMagnified times the tolerance
};
inline constexpr double kMagnified = 10;
std::string_view name(ComparisonRule rule);

struct OutputComparison {
  std::string name;
  ComparisonRule rule = ComparisonRule::Exact;
  double tolerance = 0; // largest error that the rule allows
  std::int64_t elements = 0;
  std::vector<std::int64_t> begin; // coordinates of the first element; empty in older reports
  std::int64_t different = 0;      // elements whose values are not equal; NaN equals NaN
  // Elements that are off by more than the tolerance, where runs of the reference with other
  // rounding show that rounding can cause this. The members below do not count them.
  std::int64_t undecided = 0;
  std::int64_t beyond = 0; // elements whose error exceeds the tolerance
  std::int64_t allowedBeyond = 0;
  double worstError = 0;             // infinite where one of the values is NaN or infinite
  std::vector<std::int64_t> worstAt; // coordinates; empty where nothing differs
  std::string expected, found;       // the values at worstAt

  bool equal() const { return beyond <= allowedBeyond; }
  friend bool operator==(const OutputComparison &, const OutputComparison &) = default;
};

// Whether a schedule computes the values of the pipeline: the reply of the worker to "verify".
struct VerifyReport {
  std::vector<OutputComparison> outputs;
  std::vector<std::string> remarks;

  bool equal() const;
  double worstError() const;
  friend bool operator==(const VerifyReport &, const VerifyReport &) = default;
};

// {"equal":…, "worst_error":…, "outputs":[{name, rule, tolerance, elements, begin, different,
// beyond, undecided, allowed_beyond, worst_error, worst_at, expected, found}…], "remarks":[…]}. An
// infinite error is null, since JSON cannot write infinity.
nlohmann::ordered_json toJson(const VerifyReport &report);
Result<VerifyReport> verifyReportFromJson(const nlohmann::json &document);

} // namespace tessera::report
