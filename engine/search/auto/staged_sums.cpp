// SPDX-License-Identifier: MIT
#include "engine/search/auto/staged_sums.h"

#include "engine/search/auto/tile_screen.h"
#include "engine/cost/load/run_facts.h"
#include "engine/schedule/bounds/plain_reads.h"
#include "engine/schedule/rules/legality.h"
#include "engine/search/kernels/group_timer.h"
#include "engine/search/kernels/kept_kernels.h"
#include "engine/search/kernels/longest_first.h"
#include "engine/search/kernels/register_caps.h"
#include "engine/search/kernels/tile_dims.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <set>
#include <tuple>

namespace tessera::search {

using pipeline::FuncId;
using pipeline::Pipeline;
using pipeline::Producer;
using pipeline::Stage;
using schedule::Schedule;

namespace {

constexpr double kShare = 0.03;   // part of the total time; shorter kernels are not worth it
constexpr std::size_t kKept = 16; // best tilings that are kept, since the very best may be illegal
constexpr std::size_t kClimbers = 3; // kept tilings whose neighbouring tiles are tried
// For a sum that loads from global memory, the cost model predicts a time that is too short by this
// factor, compared with a sum that fetches everything to shared memory. mat_mul on an H200: without
// fetching 77.3 µs are predicted and 86.7 measured; with fetching 87.7 and 72.9.
constexpr double kUnfetched = 1.3;
constexpr double kNever = std::numeric_limits<double>::infinity();
// A kernel that takes this part of the total time may decide the register cap.
constexpr double kLargeShare = 0.5;

bool isLongSum(const Stage &stage) {
  return stage.index > 0 && longReduction(stage) != kNone && !cost::isStoredAnywhere(stage) &&
         std::ranges::any_of(stage.loads, [&](const pipeline::Access &load) {
           return load.producer == Producer::func(stage.func);
         });
}

class Staging {
public:
  Staging(const Schedule &schedule, const Sum &sum, const machine::Machine &machine)
      : m_machine(machine),
        m_start(withCopiesForSum(schedule, funcNamed(*schedule.pipeline(), sum.func)).schedule),
        m_sum(funcNamed(*m_start.pipeline(), sum.func)),
        m_update(m_start.pipeline()->stagesOf(m_sum)[sum.stage]), m_fetchable(fetchable()),
        m_timer(m_start, machine) {
    m_timer.setTraffic(m_start);
  }

  Staged take() {
    if (const auto group = stagedGroup()) {
      const std::vector<int> caps = capsFor(group->output);
      for (const Group &choice : choicesOf(*group))
        tryAll(choice, caps);
      climb(caps);
    }
    Staged staged;
    for (Found &found : m_found)
      if (!staged.schedule && schedule::isLegal(found.schedule, m_machine))
        staged.schedule = std::move(found.schedule);
    staged.evaluations = m_evaluations;
    return staged;
  }

private:
  struct Found {
    Schedule schedule;
    Group group;
    double seconds = 0;      // predicted, corrected by kUnfetched if not everything is fetched
    bool isExpanded = false; // whether the neighbouring tiles were tried
  };

  const Pipeline &pipeline() const { return *m_start.pipeline(); }

  // The kernel that reads the sum, with the sum and all that can be fetched for it among its
  // members.
  std::optional<Group> stagedGroup() const {
    const std::vector<schedule::PlainRead> reads = schedule::plainReads(m_start, m_sum);
    if (reads.size() != 1) return std::nullopt;
    const FuncId reader = pipeline().stage(reads.front().reader).func;
    std::optional<Group> staged;
    std::vector<Member> own;
    for (Group &group : groupsOf(m_start)) {
      if (group.output == m_sum) own = group.members;
      if (group.output == reader) staged = std::move(group);
    }
    if (!staged) return std::nullopt;
    std::erase_if(staged->members, [&](const Member &member) { return member.func == m_sum; });
    staged->members.insert(staged->members.end(), own.begin(), own.end());
    staged->members.push_back({m_sum, Placement::Block});
    for (const FuncId func : m_fetchable) {
      std::erase_if(staged->members, [&](const Member &member) { return member.func == func; });
      staged->members.push_back({func, Placement::Step});
    }
    std::ranges::sort(staged->members, {}, &Member::func);
    return m_fetchable.empty() ? std::nullopt : staged;
  }

  // Funcs that only the sum reads and that a block may compute for its next steps. Funcs that read
  // no memory at all are left out.
  std::set<FuncId> fetchable() const {
    std::set<FuncId> funcs;
    for (const pipeline::Access &load : m_update.loads) {
      if (load.producer.kind != Producer::Kind::Func || load.producer == Producer::func(m_sum))
        continue;
      const FuncId func{load.producer.index};
      const bool isItsOwn =
          !m_start.plan(func).isRoot() && pipeline().func(func).stageCount == 1 &&
          std::ranges::all_of(schedule::readersOf(m_start, func), [&](pipeline::StageId reader) {
            return reader == idOf(pipeline(), m_update);
          });
      if (isItsOwn && !pipeline().stagesOf(func).front().loads.empty()) funcs.insert(func);
    }
    return funcs;
  }

  static std::size_t fetchedBy(const Group &group) {
    return static_cast<std::size_t>(
        std::ranges::count(group.members, Placement::Step, &Member::placement));
  }

  // The groups to try: all funcs are fetched, or only one of them.
  std::vector<Group> choicesOf(const Group &all) const {
    std::vector<Group> choices{all};
    if (fetchedBy(all) < 2) return choices;
    for (const Member &alone : all.members) {
      if (alone.placement != Placement::Step) continue;
      Group &group = choices.emplace_back(all);
      std::erase_if(group.members, [&](const Member &member) {
        return member.placement == Placement::Step && member.func != alone.func;
      });
    }
    return choices;
  }

  std::vector<int> capsFor(FuncId output) const {
    const int now = m_start.settings().registerCap;
    if (isRegisterCapFrozen(m_start)) return {now};
    const cost::Prediction prediction = cost::predict(m_start, m_machine);
    double seconds = 0;
    for (const auto &kernel : prediction.kernels)
      if (pipeline().stage(kernel.load.stage).func == output) seconds += kernel.time.seconds;
    if (seconds < kLargeShare * prediction.seconds) return {now};
    return {kRegisterCaps.begin(), kRegisterCaps.end()};
  }

  void tryAll(const Group &group, const std::vector<int> &caps) {
    predictPromising(tilesFor(pipeline(), group, TileEffort::Few),
                     m_found.empty() ? kNever : m_found.front().seconds, [&](const Tile &tile) {
                       double least = kNever;
                       for (const int cap : caps)
                         least = std::min(least, tryOne(group, tile, cap));
                       return least;
                     });
  }

  // Returns the predicted time, or kNever if the tile is impossible or was tried before with this
  // group and this cap.
  double tryOne(Group group, const Tile &tile, int cap) {
    group.tile = tile;
    if (!m_tried.emplace(group.funcs(), effective(pipeline(), group, tile, {}), cap).second)
      return kNever;
    std::optional<Schedule> start = m_start;
    // Funcs that this choice does not fetch are inlined.
    for (const FuncId func : m_fetchable)
      if (start && !group.find(func)) start = withInlined(std::move(*start), func);
    if (!start) return kNever;
    const auto written = withGroup(withRegisterCap(std::move(*start), cap), group, {}, m_room);
    if (!written || !m_seen.insert(written->schedule.hash()).second) return kNever;
    ++m_evaluations;
    double seconds = m_timer.secondsOf(*written, group);
    if (!std::isfinite(seconds)) return kNever;
    if (fetchedBy(group) < m_fetchable.size()) seconds *= kUnfetched;
    const auto after = std::ranges::upper_bound(m_found, seconds, {}, &Found::seconds);
    m_found.insert(after, {written->schedule, std::move(group), seconds});
    if (m_found.size() > kKept) m_found.pop_back();
    return seconds;
  }

  // Tries the neighbouring tiles of the best results until none is better.
  void climb(const std::vector<int> &caps) {
    for (std::size_t from = 0; from < std::min(kClimbers, m_found.size());) {
      if (m_found[from].isExpanded) {
        ++from;
        continue;
      }
      m_found[from].isExpanded = true;
      const Group group = m_found[from].group;
      for (const Tile &tile : tilesNear(pipeline(), group, *group.tile))
        for (const int cap : caps)
          tryOne(group, tile, cap);
      from = 0;
    }
  }

  const machine::Machine &m_machine;
  const Schedule m_start; // the schedule with copies
  const FuncId m_sum;
  const Stage &m_update;
  const std::set<FuncId> m_fetchable;
  GroupTimer m_timer;
  schedule::ShapeRoom m_room;     // for groups that are being written
  std::vector<Found> m_found;     // the fastest first
  std::set<std::uint64_t> m_seen; // hashes of the schedules found so far
  std::set<std::tuple<std::vector<FuncId>, Tile, int>> m_tried;
  std::size_t m_evaluations = 0;
};

} // namespace

std::vector<Sum> sumsToStage(const Schedule &schedule, const machine::Machine &machine) {
  const Pipeline &pipeline = *schedule.pipeline();
  const cost::Prediction prediction = longestFirst(schedule, machine);
  const std::set<FuncId> kept = keptFuncs(schedule);
  std::vector<Sum> sums;
  for (const auto &kernel : prediction.kernels) {
    if (kernel.time.seconds < kShare * prediction.seconds) break;
    for (const cost::StageLoad &load : kernel.load.stages) {
      const Stage &stage = pipeline.stage(load.stage);
      if (isLongSum(stage) && !kept.contains(stage.func) && !pipeline.func(stage.func).isOutput)
        sums.push_back({pipeline.func(stage.func).name, stage.index});
    }
  }
  return sums;
}

Staged withStages(const Schedule &schedule, const Sum &sum, const machine::Machine &machine) {
  return Staging(schedule, sum, machine).take();
}

} // namespace tessera::search
