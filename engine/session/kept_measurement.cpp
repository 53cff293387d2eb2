// SPDX-License-Identifier: MIT
#include "engine/session/kept_measurement.h"

#include "engine/bench/json_reader.h"

#include <array>
#include <utility>

namespace tessera::session {

using nlohmann::json;
using nlohmann::ordered_json;

namespace {

constexpr std::array<std::string_view, 3> kFreshness{"fresh", "other pipeline", "other schedule"};
constexpr const char *kTimes = "measurement";
constexpr const char *kOf = "measured";

} // namespace

std::string_view name(Freshness freshness) {
  return kFreshness[static_cast<std::size_t>(freshness)];
}

schedule::CompileReport withoutTexts(schedule::CompileReport report) {
  report.loweredLines.clear();
  report.directives.clear();
  report.files = {};
  for (schedule::KernelReport &kernel : report.kernels)
    kernel.firstLine = kernel.lineCount = kernel.sassFirstLine = kernel.sassLineCount = 0;
  return report;
}

// What nobody wrote down is taken for fresh: a document of then had no other measurements.
Freshness freshnessOf(std::string_view ofContent, std::uint64_t ofSchedule,
                      std::uint64_t scheduleHash, std::string_view contentSha256) {
  if (!ofContent.empty() && !contentSha256.empty() && ofContent != contentSha256)
    return Freshness::OtherPipeline;
  if (ofSchedule != 0 && ofSchedule != scheduleHash) return Freshness::OtherSchedule;
  return Freshness::Fresh;
}

Freshness freshnessOf(const KeptMeasurement &measurement, std::uint64_t scheduleHash,
                      std::string_view contentSha256) {
  return freshnessOf(measurement.contentSha256, measurement.scheduleHash, scheduleHash,
                     contentSha256);
}

void addTo(ordered_json &object, const KeptMeasurement &measurement) {
  object[kTimes] = bench::toJson(measurement.times);
  if (measurement.scheduleHash == 0 && measurement.contentSha256.empty()) return;
  ordered_json of{{"schedule_hash", measurement.scheduleHash},
                  {"content_sha256", measurement.contentSha256}};
  if (measurement.hasBundle()) of["bundle"] = schedule::toJson(measurement.bundle);
  if (measurement.counters) of["counters"] = bench::toJson(*measurement.counters);
  object[kOf] = std::move(of);
}

Result<KeptMeasurement> keptMeasurementFrom(const json &object) {
  try {
    bench::ObjectReader reader(object, "what was measured");
    auto times = bench::measurementFromJson(reader.at(kTimes));
    if (!times) return times.error();
    KeptMeasurement kept{std::move(*times), 0, {}, {}, {}};
    if (!reader.has(kOf)) return kept;
    bench::ObjectReader of(reader.at(kOf), "what was measured");
    const json &hash = of.at("schedule_hash");
    if (!hash.is_number_unsigned()) throw bench::Malformed("'schedule_hash' is no number");
    kept.scheduleHash = hash.get<std::uint64_t>();
    kept.contentSha256 = of.word("content_sha256");
    if (of.has("counters")) {
      auto counters = bench::counterReportFromJson(of.at("counters"));
      if (!counters) return counters.error();
      kept.counters = std::move(*counters);
    }
    if (!of.has("bundle")) return kept;
    auto bundle = schedule::compileReportFromJson(of.at("bundle"));
    if (!bundle) return bundle.error();
    kept.bundle = std::move(*bundle);
    return kept;
  } catch (const bench::Malformed &wrong) {
    return Error{ErrorCode::InputRefused, wrong.what(), ""};
  }
}

} // namespace tessera::session
