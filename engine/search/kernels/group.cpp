// SPDX-License-Identifier: MIT
#include "engine/search/kernels/group.h"

#include "engine/search/kernels/place_depth.h"
#include "engine/search/kernels/stage_tiler.h"
#include "engine/schedule/bounds/bounds.h"
#include "engine/schedule/bounds/plain_reads.h"

#include <algorithm>
#include <map>
#include <set>

namespace tessera::search {

using pipeline::FuncId;
using pipeline::LoopDim;
using pipeline::Pipeline;
using pipeline::Stage;
using pipeline::StageId;
using schedule::Bounds;
using schedule::Depth;
using schedule::FuncPlan;
using schedule::Loop;
using schedule::LoopKind;
using schedule::LoopNest;
using schedule::Place;
using schedule::Schedule;
using schedule::StagePlan;

namespace {

class GroupWriter {
public:
  GroupWriter(const Schedule &schedule, const Group &group, const FrozenDecisions &frozen,
              schedule::ShapeRoom &room)
      : m_schedule(schedule), m_pipeline(*schedule.pipeline()), m_group(group), m_frozen(frozen),
        m_tile(tileOf(group)), m_tiler(m_pipeline, m_tile), m_sizes(room.begin(schedule)) {}

  std::optional<WrittenGroup> write() {
    m_funcs.reserve(m_group.members.size() + 1);
    if (m_group.tile && !findSteps()) return std::nullopt;
    if (m_group.tile && !writeOutput()) return std::nullopt;
    m_funcs.push_back(m_group.output);
    // Consumers are written first, since members are placed in their loops.
    for (std::size_t m = m_group.members.size(); m-- > 0;) {
      const Member &member = m_group.members[m];
      if (m_group.tile ? !writeMember(member) : !isInside(member.func)) return std::nullopt;
      m_funcs.push_back(member.func);
    }
    return WrittenGroup{std::move(m_schedule), m_sizes};
  }

private:
  // The group's tile, without staged steps if no member has Placement::Step.
  static Tile tileOf(const Group &group) {
    Tile tile = group.tile.value_or(Tile{});
    if (!group.isStaged()) tile.staged = 0;
    return tile;
  }

  // Finds the sums in whose steps members are computed. Returns false if a member cannot be
  // computed in steps.
  bool findSteps() {
    for (const Member &member : m_group.members) {
      if (member.placement != Placement::Step) continue;
      const std::vector<StageId> readers = schedule::readersOf(m_schedule, member.func);
      if (readers.empty() ||
          !std::ranges::all_of(readers, [&](StageId reader) { return reader == readers.front(); }))
        return false;
      const Stage &sum = m_pipeline.stage(readers.front());
      const Member *keeper = m_group.find(sum.func);
      if (!keeper || keeper->placement != Placement::Block || longReduction(sum) == kNone ||
          m_tile.staged < m_tile.steps)
        return false;
      m_stepped.push_back(readers.front());
    }
    return true;
  }

  bool isStepped(StageId stage) const {
    return std::ranges::find(m_stepped, stage) != m_stepped.end();
  }

  bool writeOutput() {
    FuncPlan plan;
    for (const Stage &stage : m_pipeline.stagesOf(m_group.output))
      plan.stages.push_back(m_tiler.root(stage, m_frozen.allowsAtomic(stage)));
    return set(m_group.output, std::move(plan));
  }

  // All plans are set here, so that frozen decisions are kept. The storage layout of the schedule
  // is kept, since a group does not decide it.
  bool set(FuncId func, FuncPlan plan) {
    plan.layout = m_schedule.plan(func).layout;
    auto held = m_frozen.held(func, std::move(plan));
    if (held) m_schedule.set(func, std::move(*held));
    return held.has_value();
  }

  bool writeMember(const Member &member) {
    const auto place = placeOf(member);
    if (!place) return false;
    if (member.placement == Placement::Step) return writeFetched(member.func, *place);
    const bool isKept = std::ranges::any_of(
        m_stepped, [&](StageId stage) { return m_pipeline.stage(stage).func == member.func; });
    if (isKept) return writeKept(member.func, *place);
    const Depth depth = depthOf(m_schedule, *place);
    if (depth == Depth::Host) return false;
    const bool bySize = m_tile.turns != Turns::Loops || m_tile.strips || m_tile.spreadMembers;
    if (depth == Depth::Block && !bySize) {
      FuncPlan plan;
      plan.compute = *place;
      for (const Stage &stage : m_pipeline.stagesOf(member.func))
        plan.stages.push_back(m_tiler.inBlock(stage));
      return set(member.func, std::move(plan));
    }
    return writeMeasured(
        member.func, *place, [&](const Stage &stage, std::span<const std::int64_t> extents) {
          return std::optional(depth == Depth::Thread ? m_tiler.inThread(stage, extents)
                                                      : inBlock(stage, extents));
        });
  }

  // Places a func, finds its sizes there, and then sets the plans of its stages. `planOf` gives the
  // plan of a stage with known sizes, or nothing if it cannot be computed.
  bool writeMeasured(FuncId func, const Place &place, auto &&planOf,
                     schedule::Storage storage = schedule::Storage::Auto) {
    FuncPlan plan;
    plan.compute = place;
    plan.storage = storage;
    const auto stages = m_pipeline.stagesOf(func);
    for (const Stage &stage : stages)
      plan.stages.push_back({schedule::plainNest(stage)});
    if (!set(func, plan)) return false;
    measureWritten();
    m_sizes.add(m_schedule, func);
    for (std::size_t s = 0; s < stages.size(); ++s) {
      std::optional<StagePlan> stage =
          planOf(stages[s], m_sizes.bounds().of(idOf(m_pipeline, stages[s])).dims);
      if (!stage) return false;
      plan.stages[s] = std::move(*stage);
    }
    if (!set(func, std::move(plan))) return false;
    m_sizes.add(m_schedule, func);
    ++m_measured;
    return true;
  }

  // Writes a sum that only the output reads, and of which each thread reads only the points that it
  // has added up itself.
  bool writeKept(FuncId func, const Place &place) {
    const std::vector<schedule::PlainRead> reads = schedule::plainReads(m_schedule, func);
    if (reads.size() != 1 || m_pipeline.stage(reads.front().reader).func != m_group.output)
      return false;
    StageTiler::Sizes like = m_tiler.sizesOf(m_pipeline.stage(reads.front().reader), false);
    for (std::size_t &dim : like.dims) {
      if (dim == kNone) continue;
      const auto own = std::ranges::find(reads.front().loops, dim);
      if (own == reads.front().loops.end()) return false;
      dim = static_cast<std::size_t>(own - reads.front().loops.begin());
    }
    const auto planOf = [&](const Stage &stage, std::span<const std::int64_t> extents) {
      const bool steps = isStepped(idOf(m_pipeline, stage));
      return m_tiler.inOwnThreads(stage, extents, loopsOf(stage, like),
                                  steps ? longReduction(stage) : kNone);
    };
    return writeMeasured(func, place, planOf, schedule::Storage::Registers);
  }

  // Converts dimensions of the func to the loops of a stage that run along them.
  static StageTiler::Sizes loopsOf(const Stage &stage, StageTiler::Sizes sizes) {
    for (std::size_t &dim : sizes.dims) {
      if (dim == kNone) continue;
      const auto loop = std::ranges::find_if(
          stage.loops, [&](const LoopDim &one) { return one.argument && *one.argument == dim; });
      dim =
          loop == stage.loops.end() ? kNone : static_cast<std::size_t>(loop - stage.loops.begin());
    }
    return sizes;
  }

  bool writeFetched(FuncId func, const Place &place) {
    const Stage &output = m_pipeline.stagesOf(m_group.output).front();
    const std::array<std::int64_t, 3> threads = m_tiler.sizesOf(output, false).threads;
    const LoopDim &steps = m_pipeline.stage(place.stage).loops[place.loop.axis];
    return writeMeasured(func, place,
                         [&](const Stage &stage, std::span<const std::int64_t> extents) {
                           return std::optional(m_tiler.fetched(stage, extents, steps, threads));
                         });
  }

  // The plan of a stage in a block, where it has these extents.
  StagePlan inBlock(const Stage &stage, std::span<const std::int64_t> extents) const {
    StagePlan plan = m_tiler.inBlock(stage);
    const bool mayBeAtomic = m_frozen.allowsAtomic(stage) && isOnePlace(m_schedule, stage);
    const bool spread = mayBeAtomic && m_tiler.isSpread(stage, extents);
    if (m_tile.strips || spread) plan = m_tiler.sharedOut(stage, extents, mayBeAtomic);
    if (m_tile.turns == Turns::Loops || spread) return plan;
    if (m_tile.turns >= Turns::Joined)
      if (auto joined = m_tiler.joined(stage, extents)) return std::move(*joined);
    if (auto nest = withUnrolledTurns(plan.nest, stage, extents)) plan.nest = std::move(*nest);
    return plan;
  }

  void measureWritten() {
    for (; m_measured < m_funcs.size(); ++m_measured)
      m_sizes.add(m_schedule, m_funcs[m_measured]);
  }

  std::optional<Place> placeOf(const Member &member) const {
    const std::vector<StageId> readers = schedule::readersOf(m_schedule, member.func);
    const auto anchor = anchorOf(readers);
    if (!anchor) return std::nullopt;
    if (const Place *frozen = m_frozen.place(member.func))
      return isThere(*frozen) ? std::optional(*frozen) : std::nullopt;
    if (member.placement == Placement::Step)
      return Place::at(readers.front(), stepOf(readers.front()));
    return member.placement == Placement::Block ? placeIn(*anchor, LoopKind::Block)
                                                : threadPlace(readers, *anchor);
  }

  // The loop of a sum whose iterations all threads of a block run together.
  schedule::LoopRef stepOf(StageId sum) const {
    return {static_cast<std::uint16_t>(longReduction(m_pipeline.stage(sum))), 0};
  }

  // Whether a stage's func has been written already.
  bool isHere(StageId stage) const {
    return std::ranges::find(m_funcs, m_pipeline.stage(stage).func) != m_funcs.end();
  }

  bool isThere(const Place &place) const {
    return place.kind == Place::Kind::At && isHere(place.stage) &&
           m_schedule.plan(place.stage).nest.find(place.loop);
  }

  // Whether the func's place and all its readers are still in the group. Used if the group keeps
  // its places and loops, but members may have been removed.
  bool isInside(FuncId func) const {
    return isThere(m_schedule.plan(func).compute) &&
           std::ranges::all_of(schedule::readersOf(m_schedule, func),
                               [this](StageId reader) { return isHere(reader); });
  }

  // The stage of the output in whose blocks `stage` runs; `stage` itself if it belongs to the
  // output. None if `stage` is not in the group.
  std::optional<StageId> anchorOf(StageId stage) const {
    const FuncId func = m_pipeline.stage(stage).func;
    if (func == m_group.output) return stage;
    if (!m_group.find(func)) return std::nullopt;
    const Place &place = m_schedule.plan(func).compute;
    return place.kind == Place::Kind::At ? anchorOf(place.stage) : std::nullopt;
  }

  std::optional<StageId> anchorOf(std::span<const StageId> readers) const {
    std::optional<StageId> anchor;
    for (const StageId reader : readers) {
      const auto of = anchorOf(reader);
      if (!of || (anchor && *anchor != *of)) return std::nullopt;
      anchor = of;
    }
    return anchor;
  }

  // The innermost loop of a kind in a stage.
  std::optional<Place> placeIn(StageId stage, LoopKind kind) const {
    const LoopNest &nest = m_schedule.plan(stage).nest;
    const auto loop = std::ranges::find(nest.loops, kind, &Loop::kind);
    if (loop == nest.loops.end()) return std::nullopt;
    return Place::at(stage, loop->ref);
  }

  // A place in the threads that read a func: in the output's threads if all readers are there.
  std::optional<Place> threadPlace(std::span<const StageId> readers, StageId anchor) const {
    const auto inOutput = placeIn(anchor, LoopKind::Thread);
    const bool all = inOutput && std::ranges::all_of(readers, [&](StageId reader) {
                       return reader == anchor ||
                              m_schedule.plan(m_pipeline.stage(reader).func).compute == *inOutput;
                     });
    if (all) return inOutput;
    const bool one =
        std::ranges::all_of(readers, [&](StageId reader) { return reader == readers.front(); });
    if (!one) return std::nullopt;
    const FuncId reader = m_pipeline.stage(readers.front()).func;
    const Place &around = m_schedule.plan(reader).compute;
    if (depthOf(m_schedule, around) == Depth::Thread) return around;
    return placeIn(readers.front(), LoopKind::Thread);
  }

  Schedule m_schedule;
  const Pipeline &m_pipeline;
  const Group &m_group;
  const FrozenDecisions &m_frozen;
  const Tile m_tile;
  const StageTiler m_tiler;
  std::vector<FuncId> m_funcs; // funcs written so far, in descending order
  schedule::SizesSoFar m_sizes;
  // How many of m_funcs have known sizes, including the one being written.
  std::size_t m_measured = 0;
  std::vector<StageId> m_stepped; // sums whose steps compute members (Placement::Step)
};

} // namespace

// The sizes of the tile are cut to those that the output uses. Thread counts are not cut if all
// threads of a block compute members together, because members use all of the tile's threads, even
// if the output has less work. They are not cut with frozen decisions either.
Tile effective(const Pipeline &pipeline, const Group &group, const Tile &tile,
               const FrozenDecisions &frozen) {
  pipeline.requireIds(group.ids);
  const bool takesThreads = hasTurns(group) || !frozen.empty();
  Tile least = tile;
  least.points = {1, 1};
  least.deepPoints = 1;
  if (!takesThreads) {
    least.threads = {1, 1};
    least.deepThreads = 1;
  }
  const StageTiler tiler(pipeline, tile);
  for (const Stage &stage : pipeline.stagesOf(group.output)) {
    const StageTiler::Sizes sizes = tiler.sizesOf(stage, frozen.allowsAtomic(stage));
    for (std::size_t t = 0; t < tile.threads.size(); ++t) {
      least.points[t] = std::max(least.points[t], sizes.points[t]);
      least.threads[t] = std::max(least.threads[t], sizes.threads[t]);
    }
    least.deepPoints = std::max(least.deepPoints, sizes.points[2]);
    least.deepThreads = std::max(least.deepThreads, sizes.threads[2]);
  }
  return least;
}

std::vector<FuncId> Group::funcs() const {
  std::vector<FuncId> funcs;
  for (const Member &member : members)
    funcs.push_back(member.func);
  funcs.push_back(output);
  std::ranges::sort(funcs);
  return funcs;
}

const Member *Group::find(FuncId func) const {
  const auto found = std::ranges::find(members, func, &Member::func);
  return found == members.end() ? nullptr : &*found;
}

bool Group::isStaged() const {
  return std::ranges::find(members, Placement::Step, &Member::placement) != members.end();
}

std::optional<Schedule> withGroup(const Schedule &schedule, const Group &group,
                                  const FrozenDecisions &frozen) {
  schedule::ShapeRoom room;
  auto written = withGroup(schedule, group, frozen, room);
  if (!written) return std::nullopt;
  return std::move(written->schedule);
}

std::optional<WrittenGroup> withGroup(const Schedule &schedule, const Group &group,
                                      const FrozenDecisions &frozen, schedule::ShapeRoom &room) {
  schedule.pipeline()->requireIds(group.ids);
  if (!frozen.empty()) schedule.pipeline()->requireIds(frozen.ids());
  return GroupWriter(schedule, group, frozen, room).write();
}

// The inlined func gets plain loops, as in an exported schedule, so that exporting does not change
// the schedule. A func with frozen decisions keeps its loops.
std::optional<Schedule> withInlined(Schedule schedule, FuncId func, const FrozenDecisions &frozen) {
  FuncPlan plan;
  plan.compute = Place::inlined();
  if (frozen.contains(func))
    plan.stages = schedule.plan(func).stages;
  else
    for (const Stage &stage : schedule.pipeline()->stagesOf(func))
      plan.stages.push_back({schedule::plainNest(stage)});
  auto held = frozen.held(func, std::move(plan));
  if (!held) return std::nullopt;
  schedule.set(func, std::move(*held));
  return schedule;
}

namespace {

Placement placementOf(const Schedule &schedule, const Place &place, Depth depth) {
  if (depth == Depth::Thread) return Placement::Thread;
  const Stage &stage = schedule.pipeline()->stage(place.stage);
  const bool isStep = place.loop.axis < stage.loops.size() &&
                      stage.loops[place.loop.axis].kind == LoopDim::Kind::Reduction;
  return depth == Depth::Block && isStep ? Placement::Step : Placement::Block;
}

} // namespace

std::vector<Group> groupsOf(const Schedule &schedule) {
  const Bounds bounds(schedule);
  std::map<FuncId, Group> groups; // indexed by the output
  std::set<FuncId> others;        // outputs of kernels that cannot be described as a group
  for (std::uint32_t f = 0; f < schedule.pipeline()->funcs().size(); ++f) {
    const FuncId func{f};
    const FuncPlan &plan = schedule.plan(func);
    if (plan.isInline() || schedule.pipeline()->func(func).externCall) continue;
    const FuncId output = bounds.of(func).kernel;
    Group &group = groups[output];
    group.output = output;
    group.ids = schedule.pipeline()->ids();
    group.tile.reset();
    for (const StagePlan &stage : plan.stages) {
      if (!stage.computeWith) continue;
      others.insert(output);
      others.insert(bounds.of(schedule.pipeline()->stage(stage.computeWith->stage).func).kernel);
    }
    if (func == output) continue;
    const Depth depth = bounds.of(func).depth;
    if (depth == Depth::Host) others.insert(output);
    group.members.push_back({func, placementOf(schedule, plan.compute, depth)});
  }
  std::vector<Group> all;
  for (auto &[output, group] : groups)
    if (!others.contains(output)) all.push_back(std::move(group));
  return all;
}

} // namespace tessera::search
