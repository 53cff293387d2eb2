// SPDX-License-Identifier: MIT
#include "engine/schedule/cut_tiles.h"

#include "engine/schedule/tails.h"

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

// Dimensions of a func, or loops of a stage.
using Marked = std::vector<bool>;

Marked argumentsOf(const Func &func, const Stage &stage, const Marked &loops) {
  Marked args(func.args.size());
  for (std::size_t l = 0; l < loops.size(); ++l)
    if (loops[l] && stage.loops[l].argument) args[*stage.loops[l].argument] = true;
  return args;
}

// Loops of a stage that some dimensions of a func move along with; all, where the stage reads the
// func through others.
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

bool cutsOneOf(const LoopNest &nest, const Shape::StageShape &shape, const Marked &loops) {
  for (std::uint16_t a = 0; a < nest.axes.size(); ++a)
    if (isRagged(nest, a, shape.dims) &&
        std::ranges::any_of(dimsOf(nest, {a, 0}),
                            [&](std::uint16_t dim) { return bool{loops[dim]}; }))
      return true;
  return false;
}

} // namespace

Cut cutOf(const RuleContext &context, const Shape &shape, StageId id, std::uint16_t axis) {
  const Stage &stage = context.pipeline.stage(id);
  Marked loops(stage.loops.size());
  Extent extent = Extent::Constant;
  for (const std::uint16_t dim : dimsOf(context.schedule.plan(id).nest, {axis, 0})) {
    loops[dim] = true;
    extent = std::max(extent, shape.of(id).extents[dim]);
  }
  if (extent == Extent::Constant || extent == Extent::Whole) return Cut::Nothing;
  if (extent != Extent::Fixed && extent != Extent::Guarded) return Cut::Anywhere;
  // By guards alone: those of all stages around.
  FuncId func = stage.func;
  Marked args = argumentsOf(context.pipeline.func(func), stage, loops);
  for (Place place = context.schedule.plan(func).compute; place.kind == Place::Kind::At;) {
    const Stage &around = context.pipeline.stage(place.stage);
    loops = leadingTo(context, place.stage, func, args);
    if (cutsOneOf(context.schedule.plan(place.stage).nest, shape.of(place.stage), loops))
      return Cut::AtTheEnd;
    func = around.func;
    args = argumentsOf(context.pipeline.func(func), around, loops);
    place = context.schedule.plan(func).compute;
  }
  return Cut::Nothing;
}

} // namespace tessera::schedule
