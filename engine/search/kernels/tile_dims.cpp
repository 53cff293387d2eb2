// SPDX-License-Identifier: MIT
#include "engine/search/kernels/tile_dims.h"

#include "engine/cost/load/run_facts.h"
#include "engine/schedule/bounds/reach.h"

#include <algorithm>
#include <functional>
#include <variant>

namespace tessera::search {

using pipeline::FuncId;
using pipeline::LoopDim;
using pipeline::Pipeline;
using pipeline::Stage;
using pipeline::StageId;

namespace {

constexpr std::int64_t kFewPoints = 4096; // fewer points do not keep a GPU busy

} // namespace

StageId idOf(const Pipeline &pipeline, const Stage &stage) {
  return static_cast<StageId>(index(pipeline.func(stage.func).firstStage) + stage.index);
}

std::vector<std::size_t> sequentialDims(const Pipeline &pipeline, FuncId func) {
  std::vector<std::size_t> dims;
  for (const Stage &update : pipeline.stagesOf(func))
    for (std::size_t d = 0; d < update.store.indices.size(); ++d) {
      const pipeline::IndexMap &stored = update.store.indices[d];
      const bool isScan = std::ranges::any_of(update.loads, [&](const pipeline::Access &load) {
        return load.producer == pipeline::Producer::func(func) && load.indices[d] != stored;
      });
      if (isScan || schedule::isAnywhere(stored)) dims.push_back(d);
    }
  return dims;
}

std::vector<std::size_t> wholeDims(const Pipeline &pipeline, StageId id) {
  std::vector<std::size_t> loops;
  for (const pipeline::EdgeId into : pipeline.edgesInto(id)) {
    const pipeline::Edge &read = pipeline.edge(into);
    if (read.producer.kind != pipeline::Producer::Kind::Func) continue;
    const auto func = static_cast<FuncId>(read.producer.index);
    if (func == pipeline.stage(id).func) continue;
    for (const std::size_t d : sequentialDims(pipeline, func))
      for (const pipeline::IndexMap &map : read.maps[d])
        for (const pipeline::Atom &atom : map.atoms)
          for (const pipeline::AffineTerm &term : atom.terms)
            if (pipeline.stage(id).loops[term.loop].kind == LoopDim::Kind::Pure)
              loops.push_back(term.loop);
  }
  std::ranges::sort(loops);
  loops.erase(std::ranges::unique(loops).begin(), loops.end());
  return loops;
}

std::array<std::size_t, 2> threadDims(const Stage &stage, bool reductions,
                                      std::span<const std::size_t> without) {
  std::array<std::size_t, 2> dims{kNone, kNone};
  const auto usable = [&](std::size_t d) {
    return (stage.loops[d].kind == LoopDim::Kind::Pure) != reductions &&
           std::ranges::find(without, d) == without.end();
  };
  std::size_t found = 0;
  for (std::size_t d = 0; d < stage.loops.size() && found < 2; ++d)
    if (usable(d) && extentOf(stage.loops[d]) > kShort) dims[found++] = d;
  for (std::size_t d = 0; d < stage.loops.size() && found == 0; ++d)
    if (usable(d)) dims[found++] = d;
  return dims;
}

std::size_t thirdDim(const Stage &stage, std::span<const std::size_t> others) {
  for (std::size_t d = 0; d < stage.loops.size(); ++d) {
    const LoopDim &loop = stage.loops[d];
    const bool isOther = std::ranges::find(others, d) != others.end();
    if (!isOther && loop.kind == LoopDim::Kind::Pure && extentOf(loop) > kShort) return d;
  }
  return kNone;
}

std::array<std::size_t, 2> tiledDims(const Pipeline &pipeline, const Stage &stage, bool atomic,
                                     Whole whole) {
  std::vector<std::size_t> all;
  if (whole != Whole::None) all = wholeDims(pipeline, idOf(pipeline, stage));
  const auto dims = threadDims(stage, atomic, all);
  return whole == Whole::Block && !all.empty() ? std::array{all.front(), dims[0]} : dims;
}

namespace {

// Whether a GPU can apply the update with one atomic instruction, in any order.
bool isAtomic(const Pipeline &pipeline, const Stage &stage) {
  constexpr int kAtomicBits = 32;
  const pipeline::Func &func = pipeline.func(stage.func);
  return stage.index > 0 && stage.associative && stage.commutative && func.types.size() == 1 &&
         func.types.front().bits >= kAtomicBits && stage.predicate.empty();
}

} // namespace

bool wantsAtomics(const Pipeline &pipeline, const Stage &stage) {
  std::int64_t points = 1, steps = 1;
  for (const LoopDim &loop : stage.loops)
    (loop.kind == LoopDim::Kind::Pure ? points : steps) *=
        std::max<std::int64_t>(1, extentOf(loop));
  return points < kFewPoints && steps > points && isAtomic(pipeline, stage);
}

bool maySpread(const Pipeline &pipeline, FuncId func) {
  return std::ranges::any_of(pipeline.stagesOf(func),
                             [&](const Stage &stage) { return wantsAtomics(pipeline, stage); });
}

bool maySpreadInBlock(const Pipeline &pipeline, const Stage &stage) {
  constexpr std::int64_t kManySteps = 32;
  std::int64_t steps = 1;
  for (const LoopDim &loop : stage.loops)
    if (loop.kind == LoopDim::Kind::Reduction) steps *= std::max<std::int64_t>(1, extentOf(loop));
  const pipeline::TypeKind kind = pipeline.func(stage.func).types.front().kind;
  const bool isInteger = kind == pipeline::TypeKind::Int || kind == pipeline::TypeKind::UInt;
  return steps >= kManySteps && isInteger && isAtomic(pipeline, stage);
}

namespace {

// Whether each index is a constant or a single loop variable, perhaps with an offset.
bool isPlain(const pipeline::Access &load) {
  return std::ranges::all_of(load.indices, [](const pipeline::IndexMap &map) {
    return map.atoms.size() <= 1 && std::ranges::all_of(map.atoms, [](const pipeline::Atom &atom) {
             return atom.terms.size() <= 1 && atom.divisor == 1 &&
                    atom.clamp == pipeline::kEverything &&
                    (atom.terms.empty() || atom.terms.front().coefficient == 1);
           });
  });
}

bool readsPlainly(const schedule::Schedule &schedule, const Stage &stage) {
  return std::ranges::all_of(stage.loads, [&](const pipeline::Access &load) {
    if (load.producer == pipeline::Producer::func(stage.func)) return true;
    if (!isPlain(load)) return false;
    if (load.producer.kind != pipeline::Producer::Kind::Func) return true;
    const auto func = static_cast<FuncId>(load.producer.index);
    return !schedule.plan(func).isInline() ||
           readsPlainly(schedule, schedule.pipeline()->stagesOf(func).front());
  });
}

} // namespace

bool isOnePlace(const schedule::Schedule &schedule, const Stage &update) {
  return !cost::isStoredAnywhere(update) || readsPlainly(schedule, update);
}

std::size_t longReduction(const Stage &stage) {
  for (std::size_t d = 0; d < stage.loops.size(); ++d) {
    const LoopDim &loop = stage.loops[d];
    if (loop.kind == LoopDim::Kind::Reduction && extentOf(loop) >= 2 * kSteps) return d;
  }
  return kNone;
}

std::int64_t unrolledSteps(const LoopDim &reduction, std::int64_t steps) {
  const std::int64_t extent = extentOf(reduction);
  if (reduction.fixed && extent <= steps) return extent;
  return steps == kScanSteps ? steps : std::min(steps, kSteps);
}

bool isShort(const LoopDim &loop) {
  return loop.kind == LoopDim::Kind::Pure && extentOf(loop) > 1 && extentOf(loop) <= kShort;
}

std::vector<bool> shortChoices(const Pipeline &pipeline, FuncId output) {
  const bool any = std::ranges::any_of(pipeline.stagesOf(output), [](const Stage &stage) {
    return std::ranges::any_of(stage.loops, isShort);
  });
  return any ? std::vector{false, true} : std::vector{false};
}

std::vector<Whole> wholeChoices(const Pipeline &pipeline, const Stage &stage) {
  return wholeDims(pipeline, idOf(pipeline, stage)).empty()
             ? std::vector{Whole::None}
             : std::vector{Whole::None, Whole::Thread, Whole::Block};
}

bool hasTurns(const Group &group) {
  return std::ranges::any_of(
      group.members, [](const Member &member) { return member.placement == Placement::Block; });
}

namespace {

// Whether a func is clearly narrower than the output along the first dimension.
bool isNarrower(const Pipeline &pipeline, FuncId func, FuncId output) {
  const auto extent = [&](FuncId of) {
    const Stage &stage = pipeline.stagesOf(of).front();
    const std::size_t first = threadDims(stage, false)[0];
    return first == kNone ? 1 : extentOf(stage.loops[first]);
  };
  return 3 * extent(func) <= 2 * extent(output);
}

} // namespace

std::vector<Turns> turnChoices(const Pipeline &pipeline, const Group &group) {
  if (!hasTurns(group)) return {Turns::Loops};
  std::vector<Turns> choices{Turns::Loops, Turns::Unrolled};
  if (std::ranges::any_of(group.members, [&](const Member &member) {
        return member.placement == Placement::Block &&
               isNarrower(pipeline, member.func, group.output);
      }))
    choices.insert(choices.end(), {Turns::Joined, Turns::JoinedInOrder});
  return choices;
}

std::vector<bool> memberSpreadChoices(const Pipeline &pipeline, const Group &group) {
  const bool any = std::ranges::any_of(group.members, [&](const Member &member) {
    return member.placement == Placement::Block &&
           std::ranges::any_of(pipeline.stagesOf(member.func), [&](const Stage &stage) {
             return maySpreadInBlock(pipeline, stage);
           });
  });
  return any ? std::vector{false, true} : std::vector{false};
}

std::vector<bool> stripChoices(const schedule::Schedule &schedule, FuncId output) {
  const auto derivations = schedule.derivations();
  const std::string &name = schedule.pipeline()->func(output).name;
  for (const schedule::Derivation &derivation : derivations) {
    const auto *copy = std::get_if<schedule::Wrapper>(&derivation);
    if (!copy || copy->name != name || !copy->consumers.empty()) continue;
    const bool isOfPartials = std::ranges::any_of(derivations, [&](const auto &one) {
      return std::holds_alternative<schedule::Factored>(one) && nameOf(one) == copy->of;
    });
    if (isOfPartials) return {false, true};
  }
  return {false};
}

// The numbers of unrolled steps to try. If all steps are unrolled, values that depend only on the
// step's index are constants.
std::vector<std::int64_t> stepChoices(const Pipeline &pipeline, const Group &group) {
  std::vector<std::int64_t> choices{1};
  for (const FuncId func : group.funcs())
    for (const Stage &stage : pipeline.stagesOf(func)) {
      const std::size_t d = longReduction(stage);
      if (d == kNone) continue;
      if (choices.size() == 1) choices.push_back(kSteps);
      if (!stage.commutative && choices.back() == kSteps) choices.push_back(kScanSteps);
      if (unrolledSteps(stage.loops[d], kAllSteps) == kSteps) continue;
      choices.push_back(kAllSteps);
      return choices;
    }
  return choices;
}

namespace {

// Whether the step's index decides what is read, so that unrolled steps read much less.
bool isDecidedByStep(const Stage &stage) {
  const std::size_t step = longReduction(stage);
  if (step == kNone || unrolledSteps(stage.loops[step], kAllSteps) != extentOf(stage.loops[step]))
    return false;
  return std::ranges::any_of(stage.loads, [&](const pipeline::Access &load) {
    return std::ranges::any_of(load.indices, [&](const pipeline::IndexMap &map) {
      return map.decidedBy && (*map.decidedBy >> step & 1) != 0;
    });
  });
}

bool isDecidedByStep(const Pipeline &pipeline, const Group &group) {
  return std::ranges::any_of(group.funcs(), [&](FuncId func) {
    return std::ranges::any_of(pipeline.stagesOf(func),
                               [](const Stage &stage) { return isDecidedByStep(stage); });
  });
}

// Whether a stage of the output has a third dimension for threads or points.
bool isDeep(const Pipeline &pipeline, const Group &group) {
  return std::ranges::any_of(pipeline.stagesOf(group.output), [](const Stage &stage) {
    return thirdDim(stage, threadDims(stage, false)) != kNone;
  });
}

bool isFair(const Tile &tile) {
  constexpr std::int64_t kLeastThreads = 32, kMostThreads = 1024;
  const std::int64_t threads = tile.threads[0] * tile.threads[1] * tile.deepThreads;
  return threads >= kLeastThreads && threads <= kMostThreads;
}

// Tiles for staged sums. Each thread has many points, because with more points per thread, each
// point needs fewer loads from shared memory.
std::vector<Tile> stagedTiles(const Pipeline &pipeline, const Group &group, TileEffort effort) {
  constexpr std::int64_t kMostThreads = 512, kLeastPoints = 4, kMostPoints = 64;
  using Sizes = std::vector<std::int64_t>;
  const bool many = effort == TileEffort::Many;
  const Sizes wide = many ? Sizes{8, 16, 32, 64} : Sizes{8, 16, 32};
  const Sizes high = many ? Sizes{1, 2, 4, 8, 16, 32} : Sizes{2, 4, 8, 16};
  const Sizes across = many ? Sizes{1, 2, 4, 8} : Sizes{1, 2, 4};
  const Sizes down = many ? Sizes{1, 2, 4, 5, 6, 8} : Sizes{2, 4, 5, 8};
  const Sizes deep = !many && isDeep(pipeline, group) ? Sizes{1, 4} : Sizes{1};
  const std::vector<bool> shorts = shortChoices(pipeline, group.output);
  std::vector<Tile> tiles;
  for (const std::int64_t staged : many ? Sizes{4, 8, 16, 32} : Sizes{8, 16})
    for (const std::int64_t step : many ? Sizes{1, 4, 8} : Sizes{4})
      for (const bool shortWhole : shorts)
        for (const std::int64_t x : wide)
          for (const std::int64_t y : high)
            for (const std::int64_t z : deep)
              for (const std::int64_t px : across)
                for (const std::int64_t py : down) {
                  Tile tile{{x, y}, {px, py}, shortWhole};
                  tile.steps = step;
                  tile.staged = staged;
                  tile.deepThreads = z;
                  if (x * y * z <= kMostThreads && px * py >= kLeastPoints &&
                      px * py <= kMostPoints && step <= staged)
                    tiles.push_back(tile);
                }
  std::erase_if(tiles, std::not_fn(isFair));
  return tiles;
}

} // namespace

std::vector<Tile> tilesFor(const Pipeline &pipeline, const Group &group, TileEffort effort) {
  pipeline.requireIds(group.ids);
  const bool many = effort == TileEffort::Many;
  if (group.isStaged()) return stagedTiles(pipeline, group, effort);
  const std::vector<std::int64_t> wide = many ? std::vector<std::int64_t>{8, 16, 32, 64, 128, 256}
                                              : std::vector<std::int64_t>{16, 32, 64};
  const std::vector<std::int64_t> high =
      many ? std::vector<std::int64_t>{1, 2, 4, 8, 16, 32} : std::vector<std::int64_t>{4, 8, 16};
  const std::vector<std::int64_t> across =
      many ? std::vector<std::int64_t>{1, 2, 4} : std::vector<std::int64_t>{1};
  const std::vector<std::int64_t> down =
      many ? std::vector<std::int64_t>{1, 2, 3, 4, 6, 8} : std::vector<std::int64_t>{1, 4};
  const std::vector<std::int64_t> steps = many || isDecidedByStep(pipeline, group)
                                              ? stepChoices(pipeline, group)
                                              : std::vector<std::int64_t>{1};
  const std::vector<bool> spreads =
      maySpread(pipeline, group.output) ? std::vector{true, false} : std::vector{true};
  const std::vector<Whole> wholes = wholeChoices(pipeline, pipeline.stagesOf(group.output).front());
  const std::vector<bool> shorts = shortChoices(pipeline, group.output);
  const std::vector<Turns> turns = turnChoices(pipeline, group);
  std::vector<Tile> tiles;
  for (const bool spreadMembers : memberSpreadChoices(pipeline, group))
    for (const std::int64_t step : steps)
      for (const Turns turn : turns)
        for (const bool spread : spreads)
          for (const Whole whole : wholes)
            for (const bool shortWhole : shorts)
              for (const std::int64_t x : wide)
                for (const std::int64_t y : high)
                  for (const std::int64_t px : across)
                    for (const std::int64_t py : down)
                      tiles.push_back(
                          {{x, y}, {px, py}, shortWhole, whole, spread, step, turn, spreadMembers});
  std::erase_if(tiles, std::not_fn(isFair));
  return tiles;
}

std::vector<Tile> tilesFor(const schedule::Schedule &schedule, const Group &group,
                           TileEffort effort) {
  const Pipeline &pipeline = *schedule.pipeline();
  std::vector<Tile> tiles = tilesFor(pipeline, group, effort);
  if (!stripChoices(schedule, group.output).back()) return tiles;
  const bool many = effort == TileEffort::Many;
  constexpr std::int64_t kMostAcross = 1024;
  for (const std::int64_t step : many ? stepChoices(pipeline, group) : std::vector<std::int64_t>{1})
    for (const Turns turn : turnChoices(pipeline, group))
      for (const bool spread : memberSpreadChoices(pipeline, group))
        for (std::int64_t x = many ? 16 : 32; x <= kMostAcross; x *= many ? 2 : 4)
          for (std::int64_t y = 1; y <= 32; y *= many ? 2 : 4)
            tiles.push_back({{x, y}, {1, 1}, false, Whole::None, true, step, turn, spread, true});
  std::erase_if(tiles, std::not_fn(isFair));
  return tiles;
}

std::vector<Tile> tilesNear(const Pipeline &pipeline, const Group &group, const Tile &tile) {
  pipeline.requireIds(group.ids);
  std::vector<Tile> tiles;
  const auto add = [&](auto &&change) {
    Tile near = tile;
    change(near);
    if (isFair(near)) tiles.push_back(near);
  };
  for (std::size_t t = 0; t < 2; ++t) {
    add([t](Tile &near) { near.threads[t] *= 2; });
    add([t](Tile &near) { near.threads[t] /= 2; });
    add([t](Tile &near) { near.points[t] *= 2; });
    if (tile.points[t] > 1) add([t](Tile &near) { near.points[t] /= 2; });
  }
  add([](Tile &near) {
    near.threads[0] *= 2;
    near.threads[1] /= 2;
  });
  add([](Tile &near) {
    near.threads[0] /= 2;
    near.threads[1] *= 2;
  });
  if (isDeep(pipeline, group)) {
    add([](Tile &near) { near.deepThreads *= 2; });
    add([](Tile &near) { near.deepPoints *= 2; });
    add([](Tile &near) {
      near.deepThreads *= 2;
      near.threads[1] /= 2;
    });
    if (tile.deepThreads > 1) add([](Tile &near) { near.deepThreads /= 2; });
    if (tile.deepPoints > 1) add([](Tile &near) { near.deepPoints /= 2; });
  }
  for (const Turns turns : turnChoices(pipeline, group))
    if (turns != tile.turns) add([turns](Tile &near) { near.turns = turns; });
  if (!group.isStaged()) return tiles;
  add([](Tile &near) { near.staged *= 2; });
  if (tile.staged > tile.steps) {
    add([](Tile &near) { near.staged /= 2; });
    add([](Tile &near) { near.steps *= 2; });
  }
  if (tile.steps > 1) add([](Tile &near) { near.steps /= 2; });
  return tiles;
}

} // namespace tessera::search
