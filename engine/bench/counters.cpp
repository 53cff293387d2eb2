// SPDX-License-Identifier: MIT
#include "engine/bench/counters.h"

#include "engine/bench/json_reader.h"

namespace tessera::bench {

using nlohmann::json;
using nlohmann::ordered_json;

namespace {

// One list of members, shared by writing and reading. Calls `visit(key, value)` for each.
template <typename Counters, typename Visit>
void forEachCount(Counters &counters, const Visit &visit) {
  visit("dram_read_bytes", counters.dramReadBytes);
  visit("dram_write_bytes", counters.dramWriteBytes);
  visit("l2_bytes", counters.l2Bytes);
  visit("l1_bytes", counters.l1Bytes);
  visit("shared_bytes", counters.sharedBytes);
  visit("fp64_operations", counters.fp64);
  visit("fp32_operations", counters.fp32);
  visit("fp16_operations", counters.fp16);
  visit("integer_instructions", counters.integers);
  visit("occupancy", counters.occupancy);
  visit("seconds", counters.seconds);
}

ordered_json toJson(const KernelCounters &kernel) {
  ordered_json out{{"name", kernel.name}, {"launches", kernel.launches}};
  forEachCount(kernel, [&](const char *key, const std::optional<double> &value) {
    out[key] = value ? ordered_json(*value) : ordered_json(nullptr);
  });
  out["stalls"] = ordered_json::array();
  for (const Stall &stall : kernel.stalls)
    out["stalls"].push_back({{"reason", stall.reason}, {"share", stall.share}});
  return out;
}

KernelCounters kernelFrom(const json &value) {
  ObjectReader reader(value, "the counters of a kernel");
  KernelCounters kernel;
  kernel.name = reader.word("name");
  kernel.launches = reader.number<double>("launches");
  forEachCount(kernel, [&](const char *key, std::optional<double> &count) {
    if (reader.has(key)) count = reader.number<double>(key);
  });
  kernel.stalls = reader.list<Stall>("stalls", [](const json &item) {
    ObjectReader stall(item, "a stall");
    return Stall{stall.word("reason"), stall.number<double>("share")};
  });
  reader.refuseOthers();
  return kernel;
}

} // namespace

ordered_json toJson(const CounterReport &report) {
  ordered_json out{{"profiler", report.profiler},
                   {"chip", report.chip},
                   {"refused", report.refused},
                   {"hint", report.hint},
                   {"passes", report.passes}};
  out["kernels"] = ordered_json::array();
  for (const KernelCounters &kernel : report.kernels)
    out["kernels"].push_back(toJson(kernel));
  out["remarks"] = report.remarks;
  return out;
}

Result<CounterReport> counterReportFromJson(const json &document) {
  return readOr(ErrorCode::InputRefused, "counters: ", [&] {
    ObjectReader reader(document, "the counters");
    CounterReport report;
    report.profiler = reader.word("profiler");
    report.chip = reader.word("chip");
    report.refused = reader.word("refused");
    report.hint = reader.word("hint");
    report.passes = reader.number<int>("passes");
    report.kernels = reader.list<KernelCounters>("kernels", kernelFrom);
    report.remarks = reader.words("remarks");
    reader.refuseOthers();
    return report;
  });
}

} // namespace tessera::bench
