// SPDX-License-Identifier: MIT
#pragma once

#include "engine/report/given_tolerance.h"
#include "engine/base/result.h"
#include "engine/pipeline/types.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace tessera::report {

// How an output is compared with the reference.
enum class ComparisonRule : std::uint8_t {
  Exact,     // integers that no float is rounded to
  WithinOne, // integers that floats are rounded to: off by at most one, and that only in as many
             // elements as rounding explains; more in at most 1e-5 of them
  Relative,  // floats: |error| / max(|reference|, largest reference / 10); at most 1e-5 of the
             // elements exceed the tolerance, and none exceeds kMagnified times the tolerance
};
inline constexpr double kMagnified = 10;
std::string_view name(ComparisonRule rule);

// What a comparison says of a schedule. Undecided: it does not tell a right schedule from a wrong
// one, since rounding decides too many elements or the outputs would be the same anyway.
enum class Verdict : std::uint8_t { Equal, Different, Undecided };
std::string_view name(Verdict verdict); // "equal", "different", "undecided"

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

  std::int64_t allowedUndecided = 0;
  // As `undecided`, but rounding moves the value by no more than kMagnified times the tolerance, so
  // the comparison still says something.
  std::int64_t magnified = 0;
  // WithinOne: elements that are off by one where no run of the reference changes the value.
  std::int64_t offByOne = 0, allowedOffByOne = 0;
  std::int64_t notNumbers = 0; // elements of the reference that are NaN
  bool isConstant = false;     // all elements of the reference, more than one, are the same

  // Elements that are wrong: further off than allowed, or off by one without a reason.
  std::int64_t wrong() const { return beyond + (offByOne > allowedOffByOne ? offByOne : 0); }
  Verdict verdict() const;
  std::string whyUndecided() const; // a sentence without its end; empty unless undecided
  friend bool operator==(const OutputComparison &, const OutputComparison &) = default;
};

// Whether a schedule computes the values of the pipeline: the reply of the worker to "verify".
struct VerifyReport {
  std::vector<OutputComparison> outputs;
  std::vector<std::string> remarks;
  GivenTolerance given = {}; // what the user allowed instead of our tolerances

  Verdict verdict() const; // of the worst output; undecided if there is none
  bool equal() const { return verdict() == Verdict::Equal; }
  bool different() const { return verdict() == Verdict::Different; }
  // "f: rounding decides …": why the verdict is undecided, for each such output; else empty.
  std::string whyUndecided() const;
  double worstError() const;
  friend bool operator==(const VerifyReport &, const VerifyReport &) = default;
};

// {"equal":…, "verdict":…, "tolerance":… where the user gave one, "worst_error":…,
// "outputs":[{name, verdict, rule, tolerance, elements, begin, different, beyond, undecided,
// allowed_beyond, worst_error, worst_at, expected, found, allowed_undecided, magnified, off_by_one,
// allowed_off_by_one, not_numbers, constant}…], "remarks":[…]}. An infinite error is null, since
// JSON cannot write infinity. Older reports end at "found".
nlohmann::ordered_json toJson(const VerifyReport &report);
Result<VerifyReport> verifyReportFromJson(const nlohmann::json &document);

} // namespace tessera::report
