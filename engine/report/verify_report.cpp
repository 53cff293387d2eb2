// SPDX-License-Identifier: MIT
#include "engine/report/verify_report.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

namespace tessera::report {

namespace {

using nlohmann::json;
using nlohmann::ordered_json;

constexpr std::array<std::string_view, 3> kRules{"exact", "within_one", "relative"};
constexpr std::array<std::string_view, 3> kVerdicts{"equal", "different", "undecided"};

ordered_json errorToJson(double error) {
  return std::isfinite(error) ? ordered_json(error) : ordered_json(nullptr);
}

// Reads the members of one object. `good` is false once a member is wrong.
class Members {
public:
  explicit Members(const json &object) : m_object(object) {}
  bool good = true;

  std::string text(const char *key) {
    const json *value = find(key);
    if (value && value->is_string()) return value->get<std::string>();
    good = false;
    return {};
  }
  std::int64_t count(const char *key) {
    const json *value = find(key);
    // A document that was not read from a text has its counts as signed numbers.
    const bool isCount =
        value && (value->is_number_unsigned()
                      ? value->get<std::uint64_t>() <= INT64_MAX
                      : value->is_number_integer() && value->get<std::int64_t>() >= 0);
    if (isCount) return value->get<std::int64_t>();
    good = false;
    return 0;
  }
  double error(const char *key) {
    const json *value = find(key);
    if (value && value->is_null()) return std::numeric_limits<double>::infinity();
    if (value && value->is_number() && value->get<double>() >= 0) return value->get<double>();
    good = false;
    return 0;
  }
  // A count that older reports lack.
  std::int64_t countOr(const char *key, std::int64_t missing) {
    return find(key) ? count(key) : missing;
  }
  bool flagOr(const char *key, bool missing) {
    const json *value = find(key);
    if (!value) return missing;
    good = good && value->is_boolean();
    return value->is_boolean() && value->get<bool>();
  }
  const json &list(const char *key) {
    static const json none = json::array();
    const json *value = find(key);
    if (value && value->is_array()) return *value;
    good = false;
    return none;
  }

private:
  const json *find(const char *key) const {
    const auto at = m_object.find(key);
    return at == m_object.end() ? nullptr : &*at;
  }
  const json &m_object;
};

bool takeCoordinates(const std::vector<json> &list, std::vector<std::int64_t> &coordinates) {
  for (const json &coordinate : list) {
    if (!coordinate.is_number_integer()) return false;
    coordinates.push_back(coordinate.get<std::int64_t>());
  }
  return true;
}

std::optional<OutputComparison> outputFrom(const json &value) {
  if (!value.is_object()) return std::nullopt;
  Members members(value);
  OutputComparison output;
  output.name = members.text("name");
  const auto rule = std::find(kRules.begin(), kRules.end(), members.text("rule"));
  if (rule == kRules.end()) return std::nullopt;
  output.rule = static_cast<ComparisonRule>(rule - kRules.begin());
  output.tolerance = members.error("tolerance");
  output.elements = members.count("elements");
  output.different = members.count("different");
  output.undecided = members.count("undecided");
  output.beyond = members.count("beyond");
  output.allowedBeyond = members.count("allowed_beyond");
  output.worstError = members.error("worst_error");
  if (!takeCoordinates(members.list("worst_at"), output.worstAt)) return std::nullopt;
  if (value.contains("begin") && !takeCoordinates(members.list("begin"), output.begin))
    return std::nullopt;
  output.expected = members.text("expected");
  output.found = members.text("found");
  output.allowedUndecided = members.countOr("allowed_undecided", output.elements / 100);
  output.magnified = members.countOr("magnified", 0);
  output.offByOne = members.countOr("off_by_one", 0);
  output.allowedOffByOne = members.countOr("allowed_off_by_one", 0);
  output.notNumbers = members.countOr("not_numbers", 0);
  output.isConstant = members.flagOr("constant", false);
  if (!members.good) return std::nullopt;
  return output;
}

} // namespace

std::string_view name(ComparisonRule rule) { return kRules[static_cast<std::size_t>(rule)]; }
std::string_view name(Verdict verdict) { return kVerdicts[static_cast<std::size_t>(verdict)]; }

Verdict OutputComparison::verdict() const {
  if (beyond > allowedBeyond || offByOne > allowedOffByOne) return Verdict::Different;
  return whyUndecided().empty() ? Verdict::Equal : Verdict::Undecided;
}

std::string OutputComparison::whyUndecided() const {
  if (beyond > allowedBeyond || offByOne > allowedOffByOne) return {};
  const std::string of = " of " + std::to_string(elements) + " elements";
  if (undecided > allowedUndecided)
    return "rounding decides about " + std::to_string(undecided) + of +
           ", where the reference itself changes when it is rounded in another way; at most " +
           std::to_string(allowedUndecided) + " may be undecided";
  // The first sample of a paper is NaN in three quarters of its plane: the others tell enough.
  if (100 * (elements - notNumbers) < elements)
    return std::to_string(notNumbers) + of +
           " are NaN in the reference, so nearly nothing is compared";
  if (isConstant)
    return "all elements of the reference are the same, so a wrong schedule could be equal too";
  return {};
}

Verdict VerifyReport::verdict() const {
  const auto has = [&](Verdict verdict) {
    return std::ranges::any_of(
        outputs, [&](const OutputComparison &output) { return output.verdict() == verdict; });
  };
  if (has(Verdict::Different)) return Verdict::Different;
  return outputs.empty() || has(Verdict::Undecided) ? Verdict::Undecided : Verdict::Equal;
}

std::string VerifyReport::whyUndecided() const {
  if (verdict() != Verdict::Undecided) return {};
  if (outputs.empty()) return "there are no outputs to compare";
  std::string text;
  for (const OutputComparison &output : outputs)
    if (const std::string why = output.whyUndecided(); !why.empty())
      text += (text.empty() ? "" : "; ") + output.name + ": " + why;
  return text;
}

double VerifyReport::worstError() const {
  double worst = 0;
  for (const OutputComparison &output : outputs)
    worst = std::max(worst, output.worstError);
  return worst;
}

ordered_json toJson(const VerifyReport &report) {
  ordered_json out{{"equal", report.equal()}, {"verdict", name(report.verdict())}};
  if (!report.given.isNothing()) out["tolerance"] = textOf(report.given);
  out["worst_error"] = errorToJson(report.worstError());
  out["outputs"] = ordered_json::array();
  for (const OutputComparison &output : report.outputs)
    out["outputs"].push_back({{"name", output.name},
                              {"verdict", name(output.verdict())},
                              {"rule", name(output.rule)},
                              {"tolerance", output.tolerance},
                              {"elements", output.elements},
                              {"begin", output.begin},
                              {"different", output.different},
                              {"undecided", output.undecided},
                              {"beyond", output.beyond},
                              {"allowed_beyond", output.allowedBeyond},
                              {"worst_error", errorToJson(output.worstError)},
                              {"worst_at", output.worstAt},
                              {"expected", output.expected},
                              {"found", output.found},
                              {"allowed_undecided", output.allowedUndecided},
                              {"magnified", output.magnified},
                              {"off_by_one", output.offByOne},
                              {"allowed_off_by_one", output.allowedOffByOne},
                              {"not_numbers", output.notNumbers},
                              {"constant", output.isConstant}});
  out["remarks"] = report.remarks;
  return out;
}

Result<VerifyReport> verifyReportFromJson(const json &document) {
  const Error malformed{ErrorCode::InputRefused, "the report of a verification cannot be read", ""};
  if (!document.is_object()) return malformed;
  Members members(document);
  VerifyReport report;
  for (const json &value : members.list("outputs")) {
    auto output = outputFrom(value);
    if (!output) return malformed;
    report.outputs.push_back(std::move(*output));
  }
  for (const json &remark : members.list("remarks")) {
    if (!remark.is_string()) return malformed;
    report.remarks.push_back(remark.get<std::string>());
  }
  if (const auto given = document.find("tolerance"); given != document.end()) {
    auto tolerance = givenToleranceFrom(given->is_string() ? given->get<std::string>() : "");
    if (!tolerance) return malformed;
    report.given = *tolerance;
  }
  if (!members.good) return malformed;
  return report;
}

} // namespace tessera::report
