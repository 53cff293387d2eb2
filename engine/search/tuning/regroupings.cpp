// SPDX-License-Identifier: MIT
#include "engine/search/tuning/regroupings.h"

#include "engine/cost/prediction.h"
#include "engine/schedule/rules/legality.h"
#include "engine/search/kernels/group.h"
#include "engine/search/kernels/group_timer.h"
#include "engine/search/kernels/tile_dims.h"
#include "engine/search/kernels/written_tile.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace tessera::search {

using pipeline::FuncId;
using pipeline::StageId;
using schedule::Schedule;

namespace {

constexpr std::size_t kTried = 4; // best tiles tried until one is legal
// Candidates whose predicted time is more than this times that of the schedule are dropped: the
// model is not that wrong.
constexpr double kHopeless = 2;

class Regrouping {
public:
  Regrouping(const Schedule &schedule, const machine::Machine &machine)
      : m_schedule(schedule), m_machine(machine), m_frozen(schedule), m_timer(schedule, machine),
        m_seconds(cost::predict(schedule, machine).seconds) {
    m_timer.setTraffic(schedule);
    for (Group &group : groupsOf(schedule)) {
      group.tile = tileOf(schedule, group, m_frozen);
      for (const FuncId func : group.funcs())
        m_owner[func] = group.output;
      m_groups[group.output] = std::move(group);
    }
  }

  std::vector<Candidate> take(std::size_t most) {
    for (const auto &[output, group] : m_groups) {
      merge(group);
      for (const Member &member : group.members)
        separate(group, member.func);
    }
    std::ranges::stable_sort(m_found, {}, &Candidate::seconds);
    if (m_found.size() > most)
      m_found.erase(m_found.begin() + static_cast<std::ptrdiff_t>(most), m_found.end());
    return std::move(m_found);
  }

private:
  const pipeline::Pipeline &pipeline() const { return *m_schedule.pipeline(); }
  FuncId readerOf(StageId stage) const { return pipeline().stage(stage).func; }

  // The kernel that reads the group's output, if it is the only one.
  const Group *readerOf(const Group &group) const {
    const Group *only = nullptr;
    for (const StageId stage : schedule::readersOf(m_schedule, group.output)) {
      const auto owner = m_owner.find(readerOf(stage));
      if (owner == m_owner.end()) return nullptr;
      if (owner->second == group.output) continue;
      const Group *reader = &m_groups.at(owner->second);
      if (only && only != reader) return nullptr;
      only = reader;
    }
    return only;
  }

  void merge(const Group &group) {
    if (pipeline().func(group.output).staysAtRoot() || m_frozen.place(group.output)) return;
    const Group *reader = readerOf(group);
    if (!reader || reader->isStaged() || group.isStaged()) return;
    for (const Placement placement : {Placement::Block, Placement::Thread}) {
      Group merged = *reader;
      merged.members.insert(merged.members.end(), group.members.begin(), group.members.end());
      merged.members.push_back({group.output, placement});
      std::ranges::sort(merged.members, {}, &Member::func);
      add({std::move(merged)}, {&group, reader});
    }
  }

  // Members of the group that are read only by `func`, directly or through each other.
  std::set<FuncId> readBy(FuncId func, const Group &group) const {
    std::set<FuncId> own{func};
    for (bool grows = true; std::exchange(grows, false);)
      for (const Member &member : group.members)
        if (!own.contains(member.func) &&
            std::ranges::all_of(schedule::readersOf(m_schedule, member.func), [&](StageId stage) {
              return readerOf(stage) == member.func || own.contains(readerOf(stage));
            }))
          grows = own.insert(member.func).second;
    return own;
  }

  void separate(const Group &group, FuncId func) {
    if (m_frozen.place(func) || group.isStaged()) return;
    const std::set<FuncId> own = readBy(func, group);
    Group rest = group, apart{.output = func, .ids = group.ids};
    std::erase_if(rest.members, [&](const Member &member) { return own.contains(member.func); });
    for (const Member &member : group.members)
      if (member.func != func && own.contains(member.func)) apart.members.push_back(member);
    add({std::move(apart), std::move(rest)}, {&group});
  }

  // Writes one group after the other with its best tile that is legal.
  void add(std::vector<Group> groups, const std::vector<const Group *> &instead) {
    double seconds = m_seconds;
    for (const Group *group : instead)
      seconds -= m_timer.secondsOf(m_schedule, *group);
    std::optional<Schedule> written = m_schedule;
    for (const Group &group : groups)
      if (written && !m_groups.contains(group.output))
        written = withGroup(*written, {.output = group.output, .ids = group.ids}, m_frozen);
    for (Group &group : groups) {
      if (!written) return;
      written = best(*written, group, seconds);
    }
    if (written && seconds < kHopeless * m_seconds && keepsFrozen(m_schedule, *written) &&
        schedule::isLegal(*written, m_machine))
      m_found.push_back({std::move(*written), seconds});
  }

  std::optional<Schedule> best(const Schedule &schedule, Group &group, double &seconds) {
    std::vector<std::pair<double, Tile>> byTime;
    std::vector<Tile> tiles = tilesFor(schedule, group, TileEffort::Few);
    const auto before = m_groups.find(group.output);
    if (before != m_groups.end() && before->second.tile) {
      for (const Tile &near : tilesNear(pipeline(), group, *before->second.tile))
        tiles.push_back(near);
      tiles.push_back(*before->second.tile);
    }
    for (const Tile &tile : tiles) {
      group.tile = tile;
      auto written = withGroup(schedule, group, m_frozen);
      if (!written) continue;
      const double time = m_timer.secondsOf(std::move(*written), group);
      if (std::isfinite(time)) byTime.emplace_back(time, tile);
    }
    std::ranges::sort(byTime);
    if (byTime.size() > kTried) byTime.resize(kTried);
    for (const auto &[time, tile] : byTime) {
      group.tile = tile;
      auto written = withGroup(schedule, group, m_frozen);
      if (!written || !schedule::isLegal(*written, m_machine)) continue;
      seconds += time;
      return written;
    }
    return std::nullopt;
  }

  const Schedule &m_schedule;
  const machine::Machine &m_machine;
  const FrozenDecisions m_frozen;
  GroupTimer m_timer;
  const double m_seconds; // seconds of the whole schedule
  std::map<FuncId, Group> m_groups;
  std::map<FuncId, FuncId> m_owner; // maps a func to the output of its group
  std::vector<Candidate> m_found;
};

} // namespace

std::vector<Candidate> regroupings(const Schedule &schedule, const machine::Machine &machine,
                                   std::size_t most) {
  return Regrouping(schedule, machine).take(most);
}

} // namespace tessera::search
