// SPDX-License-Identifier: MIT
#include "engine/bench/ceilings.h"

#include "engine/bench/device_state_json.h"
#include "engine/bench/json_reader.h"

#include <algorithm>

namespace tessera::bench {

using nlohmann::json;
using nlohmann::ordered_json;

namespace {

constexpr const char *kFormat = "tessera-ceilings";
constexpr int kVersion = 1;

ordered_json toJson(const CeilingRate &rate) {
  return {{"name", rate.name},
          {"label", rate.label},
          {"unit", rate.unit},
          {"per_second", rate.perSecond},
          {"median_per_second", rate.medianPerSecond},
          {"samples", rate.samples},
          {"working_set_bytes", rate.workingSet}};
}

CeilingRate rateFrom(const json &value) {
  ObjectReader reader(value, "a rate");
  CeilingRate rate;
  rate.name = reader.word("name");
  rate.label = reader.word("label");
  rate.unit = reader.word("unit");
  rate.perSecond = reader.number<double>("per_second");
  rate.medianPerSecond = reader.number<double>("median_per_second");
  rate.samples = reader.number<int>("samples");
  rate.workingSet = reader.number<std::int64_t>("working_set_bytes");
  reader.refuseOthers();
  if (!(rate.perSecond > 0)) throw Malformed("the rate '" + rate.name + "' is not positive");
  return rate;
}

MeasuredCeilings ceilingsFrom(const json &document) {
  ObjectReader reader(document, "the ceilings");
  reader.expectFormat(kFormat, kVersion, "these are not ceilings", "they have");
  MeasuredCeilings result;
  readOrigin(reader, result);
  result.uuid = reader.word("uuid");
  result.seconds = reader.number<double>("seconds");
  result.before = deviceStateFrom(reader.at("before"));
  result.after = deviceStateFrom(reader.at("after"));
  result.rates = reader.list<CeilingRate>("rates", rateFrom);
  reader.refuseOthers();
  return result;
}

} // namespace

double MeasuredCeilings::rate(std::string_view name) const {
  const auto found = std::ranges::find(rates, name, &CeilingRate::name);
  return found == rates.end() ? 0 : found->perSecond;
}

ordered_json toJson(const MeasuredCeilings &ceilings) {
  ordered_json out{{"format", kFormat},
                   {"version", kVersion},
                   {"machine", ceilings.machine},
                   {"uuid", ceilings.uuid},
                   {"driver", ceilings.driver},
                   {"cuda_version", ceilings.cudaVersion},
                   {"date", ceilings.date},
                   {"program", ceilings.program},
                   {"seconds", ceilings.seconds},
                   {"before", toJson(ceilings.before)},
                   {"after", toJson(ceilings.after)}};
  out["rates"] = ordered_json::array();
  for (const CeilingRate &rate : ceilings.rates)
    out["rates"].push_back(toJson(rate));
  return out;
}

Result<MeasuredCeilings> ceilingsFromJson(const json &document) {
  return readOr(ErrorCode::InputRefused, "ceilings: ", [&] { return ceilingsFrom(document); });
}

} // namespace tessera::bench
