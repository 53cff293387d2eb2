// SPDX-License-Identifier: MIT
#include "engine/measure/run_profile.h"

#include "engine/cost/roofline/roofline_work.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace tessera::measure {

using pipeline::FuncId;
using report::KernelReport;
using schedule::Schedule;

namespace {

std::int64_t bytesOf(const report::CompileReport &bundle, report::PipelineArgument::Kind kind) {
  std::int64_t bytes = 0;
  for (const report::PipelineArgument &argument : bundle.arguments)
    if (argument.kind == kind) bytes += pipeline::volume(argument.region) * argument.type.bytes();
  return bytes;
}

// The first and the last kernel that need each buffer, from its writers and readers.
class Lifetimes {
public:
  Lifetimes(const Schedule &schedule, const std::vector<RunProfile::Kernel> &kernels)
      : m_schedule(schedule), m_last(kernels.empty() ? 0 : kernels.size() - 1) {
    for (std::size_t k = 0; k < kernels.size(); ++k)
      for (const report::KernelStage &stage : kernels[k].stages)
        m_kernels[{stage.func, stage.stage}].push_back(k);
    const auto funcs = schedule.pipeline()->funcs();
    for (std::uint32_t f = 0; f < funcs.size(); ++f)
      m_funcs.emplace(funcs[f].name, FuncId{f});
  }

  // If no kernel is known to write the buffer, it counts as needed all the time. If a kernel that
  // reads it is unknown, it counts as needed until the last kernel.
  void place(RunProfile::Intermediate &buffer) const {
    buffer.from = 0;
    buffer.to = m_last;
    const auto func = find(buffer.func);
    if (func == m_funcs.end()) return;
    const pipeline::Func &of = m_schedule.pipeline()->func(func->second);
    std::vector<std::size_t> users;
    for (std::uint32_t stage = 0; stage < of.stageCount; ++stage)
      addKernels(of.name, stage, users);
    if (users.empty()) return;
    buffer.from = *std::ranges::min_element(users);
    for (const pipeline::StageId reader : schedule::readersOf(m_schedule, func->second)) {
      const pipeline::Stage &stage = m_schedule.pipeline()->stage(reader);
      const std::size_t before = users.size();
      addKernels(m_schedule.pipeline()->func(stage.func).name, stage.index, users);
      if (users.size() == before) return; // a reader outside of all kernels: needed to the end
    }
    buffer.to = *std::ranges::max_element(users);
  }

private:
  using Funcs = std::map<std::string, FuncId>;

  // The buffers of a tuple are called f.0, f.1 and so on.
  Funcs::const_iterator find(const std::string &buffer) const {
    const auto whole = m_funcs.find(buffer);
    return whole != m_funcs.end() ? whole : m_funcs.find(buffer.substr(0, buffer.rfind('.')));
  }
  void addKernels(const std::string &func, std::uint32_t stage,
                  std::vector<std::size_t> &to) const {
    const auto at = m_kernels.find({func, stage});
    if (at != m_kernels.end()) to.insert(to.end(), at->second.begin(), at->second.end());
  }

  const Schedule &m_schedule;
  std::size_t m_last;
  std::map<std::pair<std::string, std::uint32_t>, std::vector<std::size_t>> m_kernels;
  Funcs m_funcs;
};

} // namespace

std::int64_t RunProfile::intermediateBytes() const {
  return std::accumulate(intermediates.begin(), intermediates.end(), std::int64_t{0},
                         [](std::int64_t sum, const Intermediate &one) { return sum + one.bytes; });
}

RunProfile profileOf(const KeptMeasurement &measurement, const Schedule &schedule) {
  RunProfile profile;
  const bench::Measurement &times = measurement.times;
  profile.seconds = times.backToBack.median;
  profile.gapSeconds = times.gapSeconds();
  profile.allocationSeconds = times.allocationSeconds();
  profile.isTimed = times.kernelSeconds().has_value();
  double begin = 0;
  for (const KernelReport &report : measurement.bundle.kernels) {
    const double seconds = times.secondsOf(report.name).value_or(0);
    profile.kernels.push_back({report.name, report.stages, report.launches, seconds, begin, 0});
    begin += seconds;
  }
  const Lifetimes lifetimes(schedule, profile.kernels);
  for (const report::DeviceAllocation &allocation : measurement.bundle.allocations) {
    RunProfile::Intermediate buffer{allocation.func, allocation.bytes, allocation.times};
    lifetimes.place(buffer);
    for (std::size_t k = buffer.from; k <= buffer.to && k < profile.kernels.size(); ++k)
      profile.kernels[k].aliveBytes += buffer.bytes;
    profile.intermediates.push_back(std::move(buffer));
  }
  for (const RunProfile::Kernel &kernel : profile.kernels)
    profile.peakBytes = std::max(profile.peakBytes, kernel.aliveBytes);
  profile.inputBytes = bytesOf(measurement.bundle, report::PipelineArgument::Kind::Input);
  profile.outputBytes = bytesOf(measurement.bundle, report::PipelineArgument::Kind::Output);
  return profile;
}

std::vector<std::optional<double>> measuredSeconds(const KeptMeasurement &measurement,
                                                   const std::vector<std::string> &owners) {
  std::map<std::string, double> byOwner;
  for (const KernelReport &report : measurement.bundle.kernels)
    if (const auto seconds = measurement.times.secondsOf(report.name))
      byOwner[cost::ownerOf(report)] += *seconds;
  std::vector<std::optional<double>> found;
  for (const std::string &owner : owners) {
    const auto at = byOwner.find(owner);
    found.push_back(at == byOwner.end() ? std::nullopt : std::optional(at->second));
  }
  return found;
}

std::vector<const bench::KernelCounters *> countedKernels(const KeptMeasurement &measurement,
                                                          const std::vector<std::string> &owners) {
  std::vector<const bench::KernelCounters *> found(owners.size(), nullptr);
  if (!measurement.counters) return found;
  for (const bench::KernelCounters &counted : measurement.counters->kernels) {
    const auto report =
        std::ranges::find(measurement.bundle.kernels, counted.name, &KernelReport::name);
    if (report == measurement.bundle.kernels.end()) continue;
    const auto owner = std::ranges::find(owners, cost::ownerOf(*report));
    if (owner != owners.end()) found[std::size_t(owner - owners.begin())] = &counted;
  }
  return found;
}

} // namespace tessera::measure
