// SPDX-License-Identifier: MIT
#include "engine/schedule/rules/cut_tiles.h"

#include "engine/schedule/rules/input_reads.h"
#include "engine/schedule/bounds/tails.h"

#include <algorithm>
#include <vector>

namespace tessera::schedule {

using pipeline::Edge;
using pipeline::EdgeId;
using pipeline::Func;
using pipeline::FuncId;
using pipeline::Stage;
using pipeline::StageId;

namespace {

// One flag for each dimension of a func, or for each loop of a stage.
using Marked = std::vector<bool>;

Marked argumentsOf(const Func &func, const Stage &stage, const Marked &loops) {
  Marked args(func.args.size());
  for (std::size_t l = 0; l < loops.size(); ++l)
    if (loops[l] && stage.loops[l].argument) args[*stage.loops[l].argument] = true;
  return args;
}

// The loops of a stage that determine the marked dimensions of `func` where the stage reads it. All
// loops, if the stage reads `func` only through other funcs.
Marked leadingTo(const RuleContext &context, StageId id, FuncId func, const Marked &args) {
  const Stage &stage = context.pipeline.stage(id);
  Marked loops(stage.loops.size());
  bool readsDirectly = false;
  for (const EdgeId edge : context.pipeline.edgesFrom(func)) {
    const Edge &read = context.pipeline.edge(edge);
    if (read.consumer != id) continue;
    readsDirectly = true;
    for (std::uint32_t l = 0; l < loops.size(); ++l)
      for (const std::size_t dim : following(read, l))
        if (args[dim]) loops[l] = true;
  }
  if (!readsDirectly) loops.assign(loops.size(), true);
  return loops;
}

bool cutsOneOf(const LoopNest &nest, const Bounds::StageBounds &bounds, const Marked &loops) {
  for (std::uint16_t a = 0; a < nest.axes.size(); ++a)
    if (isRagged(nest, a, bounds.dims) &&
        std::ranges::any_of(dimsOf(nest, {a, 0}),
                            [&](std::uint16_t dim) { return bool{loops[dim]}; }))
      return true;
  return false;
}

// Whether `loop`, or a loop around it, has several iterations and runs over a marked dimension.
bool isTiledOutside(const LoopNest &nest, LoopRef loop, const Bounds::StageBounds &bounds,
                    const Marked &loops) {
  for (std::size_t l = *nest.find(loop); l < nest.loops.size(); ++l)
    if (bounds.loops[l] > 1 &&
        std::ranges::any_of(dimsOf(nest, nest.loops[l].ref),
                            [&](std::uint16_t dim) { return bool{loops[dim]}; }))
      return true;
  return false;
}

// Walks outwards from a stage through the stages in whose loops it is computed, and marks in each
// the loops that determine the range of the given axis.
class Around {
public:
  Around(const RuleContext &context, StageId id, std::uint16_t axis)
      : m_context(context), m_func(context.pipeline.stage(id).func),
        m_loops(context.pipeline.stage(id).loops.size()) {
    for (const std::uint16_t dim : dimsOf(context.schedule.plan(id).nest, {axis, 0}))
      m_loops[dim] = true;
    m_args = argumentsOf(context.pipeline.func(m_func), context.pipeline.stage(id), m_loops);
  }

  // Goes to the next stage outwards; false where there is none.
  bool next() {
    m_place = m_context.schedule.plan(m_func).compute;
    if (m_place.kind != Place::Kind::At) return false;
    m_loops = leadingTo(m_context, m_place.stage, m_func, m_args);
    const Stage &stage = m_context.pipeline.stage(m_place.stage);
    m_func = stage.func;
    m_args = argumentsOf(m_context.pipeline.func(m_func), stage, m_loops);
    return true;
  }

  const Place &place() const { return m_place; }
  bool isInKernel() const { return !m_context.schedule.plan(m_func).isRoot(); }
  const Marked &loops() const { return m_loops; }

private:
  const RuleContext &m_context;
  FuncId m_func;
  Marked m_loops, m_args;
  Place m_place;
};

} // namespace

Cut cutOf(const RuleContext &context, const Bounds &bounds, StageId id, std::uint16_t axis) {
  Extent extent = Extent::Constant;
  for (const std::uint16_t dim : dimsOf(context.schedule.plan(id).nest, {axis, 0}))
    extent = std::max(extent, bounds.of(id).extents[dim]);
  if (extent == Extent::Constant || extent == Extent::Whole) return Cut::Nothing;
  if (extent != Extent::Fixed && extent != Extent::Guarded) return Cut::Anywhere;
  // With these two extents, only a guard of a stage around this one can cut a tile.
  for (Around around(context, id, axis); around.next();)
    if (cutsOneOf(context.schedule.plan(around.place().stage).nest, bounds.of(around.place().stage),
                  around.loops()))
      return Cut::AtTheEnd;
  return Cut::Nothing;
}

bool hasTilesInKernel(const RuleContext &context, const Bounds &bounds, StageId id,
                      std::uint16_t axis) {
  for (Around around(context, id, axis); around.next() && around.isInKernel();)
    if (isTiledOutside(context.schedule.plan(around.place().stage).nest, around.place().loop,
                       bounds.of(around.place().stage), around.loops()))
      return true;
  return false;
}

} // namespace tessera::schedule
