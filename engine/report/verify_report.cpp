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
    if (value && value->is_number_unsigned() && value->get<std::uint64_t>() <= INT64_MAX)
      return value->get<std::int64_t>();
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
  if (!members.good) return std::nullopt;
  return output;
}

} // namespace

std::string_view name(ComparisonRule rule) { return kRules[static_cast<std::size_t>(rule)]; }

bool VerifyReport::equal() const {
  return std::all_of(outputs.begin(), outputs.end(),
                     [](const OutputComparison &output) { return output.equal(); });
}

double VerifyReport::worstError() const {
  double worst = 0;
  for (const OutputComparison &output : outputs)
    worst = std::max(worst, output.worstError);
  return worst;
}

ordered_json toJson(const VerifyReport &report) {
  ordered_json out{{"equal", report.equal()}, {"worst_error", errorToJson(report.worstError())}};
  out["outputs"] = ordered_json::array();
  for (const OutputComparison &output : report.outputs)
    out["outputs"].push_back({{"name", output.name},
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
                              {"found", output.found}});
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
  if (!members.good) return malformed;
  return report;
}

} // namespace tessera::report
