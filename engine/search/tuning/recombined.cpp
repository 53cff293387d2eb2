// SPDX-License-Identifier: MIT
#include "engine/search/tuning/recombined.h"

#include "engine/schedule/rules/legality.h"
#include "engine/search/kernels/group.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

namespace tessera::search {

using pipeline::FuncId;
using schedule::Schedule;

namespace {

constexpr double kClearly = 0.98; // a smaller gain is measurement noise

// For each func that is not inlined, the output of the kernel that computes it.
using Owners = std::map<FuncId, FuncId>;

Owners ownersOf(const Schedule &schedule) {
  Owners owners;
  for (const Group &group : groupsOf(schedule))
    for (const FuncId func : group.funcs())
      owners[func] = group.output;
  return owners;
}

// Divides the funcs into sets so that no kernel of either schedule has funcs of two sets. All funcs
// of two kernels with a func in common are in the same set.
class Parts {
public:
  explicit Parts(std::size_t funcs) : m_parents(funcs) {
    std::iota(m_parents.begin(), m_parents.end(), std::size_t{0});
  }

  void join(FuncId a, FuncId b) { m_parents[find(index(a))] = find(index(b)); }
  std::size_t of(FuncId func) { return find(index(func)); }

private:
  std::size_t find(std::size_t func) {
    while (m_parents[func] != func)
      func = m_parents[func] = m_parents[m_parents[func]];
    return func;
  }

  std::vector<std::size_t> m_parents;
};

class Recombination {
public:
  Recombination(const MeasuredSchedule &base, const machine::Machine &machine)
      : m_machine(machine), m_schedule(base.schedule), m_owners(ownersOf(base.schedule)),
        m_seconds(secondsOf(base)), m_all(base.seconds) {}

  void takeFrom(const MeasuredSchedule &other) {
    if (!canExchangeKernels(m_schedule, other.schedule)) return;
    const Owners owners = ownersOf(other.schedule);
    const std::map<FuncId, double> seconds = secondsOf(other);
    Parts parts(m_schedule.pipeline()->funcs().size());
    joinKernels(parts, m_schedule, m_owners, other.schedule);
    joinKernels(parts, other.schedule, owners, m_schedule);
    std::map<std::size_t, std::vector<FuncId>> members;
    for (std::uint32_t f = 0; f < m_schedule.pipeline()->funcs().size(); ++f)
      members[parts.of(FuncId{f})].push_back(FuncId{f});
    for (const auto &[part, funcs] : members)
      exchange(funcs, other.schedule, owners, seconds);
  }

  std::optional<Candidate> take() {
    if (!m_isOther) return std::nullopt;
    return Candidate{std::move(m_schedule), m_all};
  }

private:
  static std::map<FuncId, double> secondsOf(const MeasuredSchedule &measured) {
    std::map<FuncId, double> seconds;
    for (const MeasuredKernel &kernel : measured.kernels)
      seconds[kernel.output] += kernel.seconds;
    return seconds;
  }

  // If only this schedule inlines a func, its readers compute the func here, so it is put into the
  // set of these readers.
  static void joinKernels(Parts &parts, const Schedule &schedule, const Owners &owners,
                          const Schedule &other) {
    for (std::uint32_t f = 0; f < schedule.pipeline()->funcs().size(); ++f) {
      const FuncId func{f};
      const auto owner = owners.find(func);
      if (owner != owners.end()) parts.join(func, owner->second);
      if (!schedule.plan(func).isInline() || other.plan(func).isInline()) continue;
      for (const pipeline::StageId reader : schedule::readersOf(schedule, func))
        parts.join(func, schedule.pipeline()->stage(reader).func);
    }
  }

  // The measured time of the kernels of these funcs. Empty if one was not measured or cannot be
  // exchanged.
  static std::optional<double> sum(const std::vector<FuncId> &funcs, const Schedule &schedule,
                                   const Owners &owners, const std::map<FuncId, double> &seconds) {
    double all = 0;
    for (const FuncId func : funcs) {
      if (schedule.plan(func).isInline()) continue;
      const auto owner = owners.find(func);
      if (owner == owners.end()) return std::nullopt;
      if (owner->second != func) continue;
      const auto known = seconds.find(func);
      if (known == seconds.end()) return std::nullopt;
      all += known->second;
    }
    return all;
  }

  void exchange(const std::vector<FuncId> &funcs, const Schedule &other, const Owners &owners,
                const std::map<FuncId, double> &seconds) {
    const auto now = sum(funcs, m_schedule, m_owners, m_seconds);
    const auto then = sum(funcs, other, owners, seconds);
    if (!now || !then || *then >= kClearly * *now) return;
    Schedule schedule = m_schedule;
    for (const FuncId func : funcs)
      schedule.set(func, other.plan(func));
    if (schedule.hash() == m_schedule.hash() || !schedule::isLegal(schedule, m_machine)) return;
    m_schedule = std::move(schedule);
    m_all += *then - *now;
    m_isOther = true;
    for (const FuncId func : funcs) {
      m_owners.erase(func);
      m_seconds.erase(func);
      if (const auto owner = owners.find(func); owner != owners.end()) m_owners.insert(*owner);
      if (const auto known = seconds.find(func); known != seconds.end()) m_seconds.insert(*known);
    }
  }

  const machine::Machine &m_machine;
  Schedule m_schedule;
  Owners m_owners;
  std::map<FuncId, double> m_seconds; // seconds of kernels, by output
  double m_all;
  bool m_isOther = false;
};

} // namespace

bool canExchangeKernels(const Schedule &a, const Schedule &b) {
  return std::ranges::equal(a.derivations(), b.derivations()) && a.settings() == b.settings();
}

std::optional<Candidate> recombined(const MeasuredSchedule &base,
                                    std::span<const MeasuredSchedule *const> others,
                                    const machine::Machine &machine) {
  Recombination recombination(base, machine);
  for (const MeasuredSchedule *other : others)
    recombination.takeFrom(*other);
  return recombination.take();
}

} // namespace tessera::search
