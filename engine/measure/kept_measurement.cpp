// SPDX-License-Identifier: MIT
#include "engine/measure/kept_measurement.h"

#include "engine/measure/basis_json.h"

#include <utility>

namespace tessera::measure {

using nlohmann::json;
using nlohmann::ordered_json;

namespace {

constexpr const char *kTimes = "measurement";
constexpr const char *kOf = "measured";

} // namespace

report::CompileReport withoutTexts(report::CompileReport report) {
  report.loweredLines.clear();
  report.directives.clear();
  report.files = {};
  for (report::KernelReport &kernel : report.kernels)
    kernel.firstLine = kernel.lineCount = kernel.sassFirstLine = kernel.sassLineCount = 0;
  return report;
}

void addTo(ordered_json &object, const KeptMeasurement &measurement) {
  object[kTimes] = bench::toJson(measurement.times);
  if (measurement.of == Basis()) return;
  ordered_json of;
  addTo(of, measurement.of);
  if (measurement.hasBundle()) of["bundle"] = report::toJson(measurement.bundle);
  if (measurement.counters) of["counters"] = bench::toJson(*measurement.counters);
  object[kOf] = std::move(of);
}

Result<KeptMeasurement> keptMeasurementFrom(const json &object) {
  try {
    bench::ObjectReader reader(object, "the measured candidate");
    auto times = bench::measurementFromJson(reader.at(kTimes));
    if (!times) return times.error();
    KeptMeasurement kept{std::move(*times), {}, {}, {}};
    if (!reader.has(kOf)) return kept;
    bench::ObjectReader of(reader.at(kOf), "the measured candidate");
    kept.of = basisFrom(of);
    if (of.has("counters")) {
      auto counters = bench::counterReportFromJson(of.at("counters"));
      if (!counters) return counters.error();
      kept.counters = std::move(*counters);
    }
    if (!of.has("bundle")) return kept;
    auto bundle = report::compileReportFromJson(of.at("bundle"));
    if (!bundle) return bundle.error();
    kept.bundle = std::move(*bundle);
    return kept;
  } catch (const bench::Malformed &wrong) {
    return Error{ErrorCode::InputRefused, wrong.what(), ""};
  }
}

} // namespace tessera::measure
