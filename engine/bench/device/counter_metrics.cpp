// SPDX-License-Identifier: MIT
#include "engine/bench/device/counter_metrics.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace tessera::bench {

namespace {

using Count = std::optional<double> KernelCounters::*;

// Each of Tessera's counters is a sum of NVIDIA's metrics, each multiplied by a factor.
struct Term {
  const char *metric;
  double factor;
};
struct Rule {
  const char *what; // for the user
  Count count;
  std::vector<Term> terms;
};

constexpr double kPassBytes = 128; // shared memory per wavefront: 32 banks of 4 bytes

const std::vector<Rule> &rules() {
  using C = KernelCounters;
  static const std::vector<Rule> kRules{
      {"bytes read from device memory", &C::dramReadBytes, {{"dram__bytes_read.sum", 1}}},
      {"bytes written to device memory", &C::dramWriteBytes, {{"dram__bytes_write.sum", 1}}},
      {"bytes of the second-level cache", &C::l2Bytes, {{"lts__t_bytes.sum", 1}}},
      {"bytes of the first-level cache", &C::l1Bytes, {{"l1tex__t_bytes.sum", 1}}},
      {"bytes of shared memory",
       &C::sharedBytes,
       {{"l1tex__data_pipe_lsu_wavefronts_mem_shared.sum", kPassBytes}}},
      {"operations of 64-bit floats",
       &C::fp64,
       {{"smsp__sass_thread_inst_executed_op_dadd_pred_on.sum", 1},
        {"smsp__sass_thread_inst_executed_op_dmul_pred_on.sum", 1},
        {"smsp__sass_thread_inst_executed_op_dfma_pred_on.sum", 2}}},
      {"operations of 32-bit floats",
       &C::fp32,
       {{"smsp__sass_thread_inst_executed_op_fadd_pred_on.sum", 1},
        {"smsp__sass_thread_inst_executed_op_fmul_pred_on.sum", 1},
        {"smsp__sass_thread_inst_executed_op_ffma_pred_on.sum", 2}}},
      // An instruction works on two 16-bit floats.
      {"operations of 16-bit floats",
       &C::fp16,
       {{"smsp__sass_thread_inst_executed_op_hadd_pred_on.sum", 2},
        {"smsp__sass_thread_inst_executed_op_hmul_pred_on.sum", 2},
        {"smsp__sass_thread_inst_executed_op_hfma_pred_on.sum", 4}}},
      {"integer instructions",
       &C::integers,
       {{"smsp__sass_thread_inst_executed_op_integer_pred_on.sum", 1}}},
      {"achieved occupancy",
       &C::occupancy,
       {{"sm__warps_active.avg.pct_of_peak_sustained_active", 0.01}}},
      {"time", &C::seconds, {{"gpu__time_duration.sum", 1e-9}}},
  };
  return kRules;
}

constexpr const char *kResident = "smsp__warps_active.sum";
constexpr std::array kStalls{
    "long_scoreboard", "short_scoreboard",   "barrier",      "wait",           "not_selected",
    "selected",        "math_pipe_throttle", "mio_throttle", "lg_throttle",    "tex_throttle",
    "no_instruction",  "branch_resolving",   "drain",        "dispatch_stall", "membar",
    "imc_miss",        "sleeping",           "misc"};

std::string stallMetric(const char *reason) {
  return std::string("smsp__warps_issue_stalled_") + reason + ".sum";
}

std::optional<double> plus(std::optional<double> a, std::optional<double> b) {
  if (!a || !b) return std::nullopt;
  return *a + *b;
}

// A mean weighted by time. Launches whose time is unknown have equal weights.
class WeighedMean {
public:
  void add(double value, double weight) {
    m_sum += value * weight;
    m_weight += weight;
  }
  double value() const { return m_weight > 0 ? m_sum / m_weight : 0; }

private:
  double m_sum = 0, m_weight = 0;
};

double weightOf(const KernelCounters &launch) { return launch.seconds.value_or(1); }

std::vector<Stall> stallsOf(std::span<const KernelCounters> launches) {
  std::vector<std::pair<std::string, WeighedMean>> means;
  for (const KernelCounters &launch : launches)
    for (const Stall &stall : launch.stalls) {
      auto mean =
          std::ranges::find(means, stall.reason, &std::pair<std::string, WeighedMean>::first);
      if (mean == means.end()) mean = means.insert(means.end(), {stall.reason, {}});
      mean->second.add(stall.share, weightOf(launch));
    }
  std::vector<Stall> stalls;
  for (const auto &[reason, mean] : means)
    stalls.push_back({reason, mean.value()});
  std::ranges::stable_sort(stalls, std::greater<>{}, &Stall::share);
  return stalls;
}

} // namespace

CounterMetrics::CounterMetrics(const std::function<bool(const std::string &)> &isCounted) {
  for (const Rule &rule : rules()) {
    std::vector<std::string> metrics;
    for (const Term &term : rule.terms)
      metrics.emplace_back(term.metric);
    if (std::ranges::all_of(metrics, isCounted))
      m_names.insert(m_names.end(), metrics.begin(), metrics.end());
    else
      m_absent.emplace_back(rule.what);
  }
  if (!isCounted(kResident)) {
    m_absent.emplace_back("why warps wait");
    return;
  }
  m_names.emplace_back(kResident);
  for (const char *reason : kStalls)
    if (const std::string metric = stallMetric(reason); isCounted(metric))
      m_names.push_back(metric);
}

KernelCounters CounterMetrics::of(std::span<const double> values) const {
  const auto valueOf = [&](const std::string &metric) -> std::optional<double> {
    const auto found = std::ranges::find(m_names, metric);
    if (found == m_names.end()) return std::nullopt;
    return values[static_cast<std::size_t>(found - m_names.begin())];
  };
  KernelCounters counters;
  counters.launches = 1;
  for (const Rule &rule : rules()) {
    std::optional<double> sum = 0.0;
    for (const Term &term : rule.terms) {
      const auto value = valueOf(term.metric);
      sum = plus(sum, value ? std::optional(*value * term.factor) : std::nullopt);
    }
    counters.*rule.count = sum;
  }
  const double resident = valueOf(kResident).value_or(0);
  for (const char *reason : kStalls)
    if (const auto stalled = valueOf(stallMetric(reason)); stalled && resident > 0)
      counters.stalls.push_back({reason, *stalled / resident});
  std::ranges::stable_sort(counters.stalls, std::greater<>{}, &Stall::share);
  return counters;
}

KernelCounters together(const std::string &kernel, std::span<const KernelCounters> launches) {
  KernelCounters all;
  all.name = kernel;
  if (launches.empty()) return all;
  for (const Rule &rule : rules()) {
    std::optional<double> sum = 0.0;
    for (const KernelCounters &launch : launches)
      sum = plus(sum, launch.*rule.count);
    all.*rule.count = sum;
  }
  WeighedMean occupancy;
  for (const KernelCounters &launch : launches) {
    all.launches += launch.launches;
    if (launch.occupancy) occupancy.add(*launch.occupancy, weightOf(launch));
  }
  if (all.occupancy) all.occupancy = occupancy.value();
  all.stalls = stallsOf(launches);
  return all;
}

} // namespace tessera::bench
