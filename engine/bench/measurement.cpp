// SPDX-License-Identifier: MIT
#include "engine/bench/measurement.h"

#include "engine/bench/device_state_json.h"
#include "engine/bench/json_reader.h"

#include <algorithm>
#include <array>

namespace tessera::bench {

using nlohmann::json;
using nlohmann::ordered_json;

namespace {

constexpr const char *kFormat = "tessera-measurement";
constexpr int kVersion = 1;
constexpr std::array<std::string_view, 3> kClocks{"none", "cupti", "events"};

ordered_json toJson(const Spread &spread) {
  if (!spread.measured()) return nullptr;
  return {{"median", spread.median},
          {"lower_quartile", spread.lower},
          {"upper_quartile", spread.upper},
          {"samples", spread.samples}};
}

ordered_json toJson(const KernelTime &kernel) {
  return {{"name", kernel.name},
          {"launches", kernel.launches},
          {"seconds", toJson(kernel.seconds)},
          {"registers", kernel.registers},
          {"local_bytes", kernel.localBytes}};
}

Spread spreadFrom(const json &value) {
  ObjectReader reader(value, "a time");
  Spread spread;
  spread.median = reader.number<double>("median");
  spread.lower = reader.number<double>("lower_quartile");
  spread.upper = reader.number<double>("upper_quartile");
  spread.samples = reader.number<int>("samples");
  reader.refuseOthers();
  return spread;
}

Spread spreadAt(ObjectReader &reader, const char *key) {
  return reader.has(key) ? spreadFrom(reader.at(key)) : Spread{};
}

KernelTime kernelFrom(const json &value) {
  ObjectReader reader(value, "a kernel");
  KernelTime kernel;
  kernel.name = reader.word("name");
  kernel.launches = reader.number<double>("launches");
  kernel.seconds = spreadAt(reader, "seconds");
  kernel.registers = reader.number<int>("registers");
  kernel.localBytes = reader.number<std::int64_t>("local_bytes");
  reader.refuseOthers();
  return kernel;
}

WarmUp warmUpFrom(const json &value) {
  ObjectReader reader(value, "the warm-up");
  WarmUp warmUp{reader.number<int>("runs"), reader.number<double>("seconds"),
                reader.number<bool>("stable")};
  reader.refuseOthers();
  return warmUp;
}

KernelClock clockFrom(const std::string &word) {
  for (std::size_t i = 0; i < kClocks.size(); ++i)
    if (kClocks[i] == word) return static_cast<KernelClock>(i);
  throw Malformed("'" + word + "' is not a kernel clock");
}

Measurement measurementFrom(const json &document) {
  ObjectReader reader(document, "the measurement");
  reader.expectFormat(kFormat, kVersion, "it is not a measurement", "it has");
  Measurement result;
  readOrigin(reader, result);
  result.pipeline = reader.word("pipeline");
  result.librarySha256 = reader.word("library_sha256");
  result.registerCap = reader.number<int>("register_cap");
  result.backToBack = spreadAt(reader, "back_to_back");
  result.runsPerSample = reader.number<int>("runs_per_sample");
  result.single = spreadAt(reader, "single");
  result.coldCache = spreadAt(reader, "cold_cache");
  result.allocating = spreadAt(reader, "allocating");
  result.graph = spreadAt(reader, "graph"); // older measurements lack it
  result.allocations = reader.number<double>("allocations");
  result.firstSeconds = reader.number<double>("first_seconds");
  result.warmUp = warmUpFrom(reader.at("warm_up"));
  result.kernelClock = clockFrom(reader.word("kernel_clock"));
  result.kernels = reader.list<KernelTime>("kernels", kernelFrom);
  (void)reader.has("gap_seconds"); // accepted but not read: computed from the other members
  (void)reader.has("verified");
  result.before = deviceStateFrom(reader.at("before"));
  result.after = deviceStateFrom(reader.at("after"));
  result.outputs = reader.list<OutputHash>("outputs", [](const json &value) {
    ObjectReader output(value, "an output");
    return OutputHash{output.word("name"), output.word("sha256")};
  });
  if (reader.has("comparison")) {
    auto report = report::verifyReportFromJson(reader.at("comparison"));
    if (!report) throw Malformed(report.error().message);
    result.comparison = std::move(*report);
  }
  result.remarks = reader.words("remarks");
  reader.refuseOthers();
  return result;
}

} // namespace

std::string_view name(KernelClock clock) { return kClocks[static_cast<std::size_t>(clock)]; }

std::optional<double> Measurement::secondsOf(std::string_view kernel) const {
  const auto timed = std::ranges::find(kernels, kernel, &KernelTime::name);
  if (timed == kernels.end() || !timed->seconds.measured()) return std::nullopt;
  return timed->launches * timed->seconds.median;
}

std::optional<double> Measurement::kernelSeconds() const {
  if (kernelClock == KernelClock::None) return std::nullopt;
  double busy = 0;
  for (const KernelTime &kernel : kernels) {
    if (!kernel.seconds.measured()) return std::nullopt;
    busy += kernel.launches * kernel.seconds.median;
  }
  return busy;
}

std::optional<double> Measurement::allocationSeconds() const {
  if (!allocating.measured() || !backToBack.measured()) return std::nullopt;
  return std::max(0.0, allocating.median - backToBack.median);
}

// Times from CUDA events include part of the gaps between the kernels, so they cannot be used.
std::optional<double> Measurement::gapSeconds() const {
  const auto busy = kernelSeconds();
  if (kernelClock != KernelClock::Cupti || !backToBack.measured() || !busy) return std::nullopt;
  return std::max(0.0, backToBack.median - *busy);
}

ordered_json toJson(const Measurement &measurement) {
  ordered_json out{{"format", kFormat},
                   {"version", kVersion},
                   {"machine", measurement.machine},
                   {"driver", measurement.driver},
                   {"cuda_version", measurement.cudaVersion},
                   {"date", measurement.date},
                   {"program", measurement.program},
                   {"pipeline", measurement.pipeline},
                   {"library_sha256", measurement.librarySha256},
                   {"register_cap", measurement.registerCap},
                   {"verified", measurement.verified()},
                   {"back_to_back", toJson(measurement.backToBack)},
                   {"runs_per_sample", measurement.runsPerSample},
                   {"single", toJson(measurement.single)},
                   {"cold_cache", toJson(measurement.coldCache)},
                   {"allocating", toJson(measurement.allocating)},
                   {"graph", toJson(measurement.graph)},
                   {"allocations", measurement.allocations},
                   {"first_seconds", measurement.firstSeconds},
                   {"warm_up",
                    {{"runs", measurement.warmUp.runs},
                     {"seconds", measurement.warmUp.seconds},
                     {"stable", measurement.warmUp.stable}}},
                   {"kernel_clock", name(measurement.kernelClock)}};
  out["kernels"] = ordered_json::array();
  for (const KernelTime &kernel : measurement.kernels)
    out["kernels"].push_back(toJson(kernel));
  if (const auto gap = measurement.gapSeconds()) out["gap_seconds"] = *gap;
  out["before"] = toJson(measurement.before);
  out["after"] = toJson(measurement.after);
  out["outputs"] = ordered_json::array();
  for (const OutputHash &output : measurement.outputs)
    out["outputs"].push_back({{"name", output.name}, {"sha256", output.sha256}});
  if (measurement.comparison) out["comparison"] = report::toJson(*measurement.comparison);
  out["remarks"] = measurement.remarks;
  return out;
}

Result<Measurement> measurementFromJson(const json &document) {
  return readOr(ErrorCode::InputRefused,
                "measurement: ", [&] { return measurementFrom(document); });
}

} // namespace tessera::bench
