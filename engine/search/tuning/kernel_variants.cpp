// SPDX-License-Identifier: MIT
#include "engine/search/tuning/kernel_variants.h"

#include "engine/search/kernels/group_timer.h"
#include "engine/search/kernels/tile_dims.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

namespace tessera::search {

using pipeline::FuncId;
using schedule::Schedule;

namespace {

constexpr std::size_t kTilesElsewhere = 12; // tiles tried after a member has moved

class Variants {
public:
  Variants(const Schedule &schedule, const KernelVariant &around, const machine::Machine &machine)
      : m_schedule(schedule), m_around(around), m_frozen(schedule), m_timer(schedule, machine) {
    m_timer.setTraffic(schedule);
  }

  std::vector<KernelVariant> take(std::size_t most) {
    const std::vector<Tile> tiles = tilesFor(m_schedule, m_around.group, TileEffort::Many);
    for (const Tile &tile : tiles)
      add(m_around, tile);
    if (m_around.group.tile)
      for (const Tile &tile :
           tilesNear(*m_schedule.pipeline(), m_around.group, *m_around.group.tile))
        add(m_around, tile);
    sort();
    std::vector<Tile> best;
    if (m_around.group.tile) best.push_back(*m_around.group.tile);
    for (const KernelVariant &variant : m_found)
      if (best.size() < kTilesElsewhere) best.push_back(*variant.group.tile);
    for (const Member &member : m_around.group.members)
      for (const KernelVariant &elsewhere : withElsewhere(member))
        for (const Tile &tile : best)
          add(elsewhere, tile);
    sort();
    if (m_found.size() > most)
      m_found.erase(m_found.begin() + static_cast<std::ptrdiff_t>(most), m_found.end());
    return std::move(m_found);
  }

private:
  void add(KernelVariant variant, const Tile &tile) {
    variant.group.tile = tile;
    auto written = withVariant(m_schedule, variant, m_frozen);
    if (!written || !m_seen.insert(written->hash()).second) return;
    variant.seconds = m_timer.secondsOf(std::move(*written), variant.group);
    if (std::isfinite(variant.seconds)) m_found.push_back(std::move(variant));
  }

  void sort() { std::ranges::stable_sort(m_found, {}, &KernelVariant::seconds); }

  std::vector<KernelVariant> withElsewhere(const Member &member) const {
    std::vector<KernelVariant> all;
    if (m_frozen.place(member.func)) return all;
    const auto add = [&](Placement placement) {
      KernelVariant moved = m_around;
      std::ranges::find(moved.group.members, member.func, &Member::func)->placement = placement;
      all.push_back(std::move(moved));
    };
    if (member.placement != Placement::Thread) add(Placement::Thread);
    if (member.placement != Placement::Block) add(Placement::Block);
    if (m_schedule.pipeline()->func(member.func).stageCount != 1) return all;
    KernelVariant inlined = m_around;
    std::erase(inlined.group.members, member);
    inlined.inlined.push_back(member.func);
    all.push_back(std::move(inlined));
    return all;
  }

  const Schedule &m_schedule;
  const KernelVariant &m_around;
  const FrozenDecisions m_frozen;
  GroupTimer m_timer;
  std::set<std::uint64_t> m_seen;
  std::vector<KernelVariant> m_found;
};

double octaves(std::int64_t a, std::int64_t b) {
  return std::log2(static_cast<double>(a) / static_cast<double>(b));
}

} // namespace

std::optional<Schedule> withVariant(const Schedule &schedule, const KernelVariant &variant,
                                    const FrozenDecisions &frozen) {
  schedule.pipeline()->requireIds(variant.group.ids);
  std::optional<Schedule> written = schedule;
  for (const FuncId func : variant.inlined)
    if (written) written = withInlined(*written, func, frozen);
  return written ? withGroup(*written, variant.group, frozen) : std::nullopt;
}

std::vector<KernelVariant> variantsAround(const Schedule &schedule, const KernelVariant &variant,
                                          const machine::Machine &machine, std::size_t most) {
  return Variants(schedule, variant, machine).take(most);
}

double squaredDistance(const KernelVariant &a, const KernelVariant &b) {
  double sum = 0;
  const auto add = [&sum](double difference) { sum += difference * difference; };
  const Tile x = a.group.tile.value_or(Tile{}), y = b.group.tile.value_or(Tile{});
  for (std::size_t t = 0; t < x.threads.size(); ++t) {
    add(octaves(x.threads[t], y.threads[t]));
    add(octaves(x.points[t], y.points[t]));
  }
  add(octaves(x.deepThreads, y.deepThreads));
  add(octaves(x.deepPoints, y.deepPoints));
  add(x.shortWhole != y.shortWhole);
  add(x.longWhole != y.longWhole);
  add(x.spread != y.spread);
  add(x.steps != y.steps);
  add(x.turns != y.turns);
  add(x.spreadMembers != y.spreadMembers);
  add(x.strips != y.strips);
  add(octaves(std::max<std::int64_t>(1, x.staged), std::max<std::int64_t>(1, y.staged)));
  add(a.group.tile.has_value() != b.group.tile.has_value());
  for (const Member &member : a.group.members) {
    const Member *other = b.group.find(member.func);
    add(!other || other->placement != member.placement);
  }
  add(static_cast<double>(a.inlined.size()) - static_cast<double>(b.inlined.size()));
  return sum;
}

} // namespace tessera::search
