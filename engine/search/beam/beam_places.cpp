// SPDX-License-Identifier: MIT
#include "engine/search/beam/beam_places.h"

#include "engine/search/kernels/place_depth.h"

#include <algorithm>

namespace tessera::search {

using pipeline::FuncId;
using pipeline::StageId;
using schedule::Depth;
using schedule::Loop;
using schedule::LoopKind;
using schedule::Place;
using schedule::Schedule;

namespace {

// The innermost loop of a kind in a stage.
std::optional<Place> innermost(const Schedule &schedule, StageId stage, LoopKind kind) {
  const auto &loops = schedule.plan(stage).nest.loops;
  const auto loop = std::ranges::find(loops, kind, &Loop::kind);
  return loop == loops.end() ? std::nullopt : std::optional(Place::at(stage, loop->ref));
}

// The stage of a kernel's output in whose loops a stage runs. Nothing if host loops are around it.
std::optional<StageId> anchorOf(const Schedule &schedule, StageId stage) {
  const Place &place = schedule.plan(schedule.pipeline()->stage(stage).func).compute;
  return place.kind == Place::Kind::At ? anchorOf(schedule, place.stage) : stage;
}

// In the threads that read the func: those of the output where all readers are there, else those of
// the only reader.
std::optional<Place> threadPlace(const Schedule &schedule, const std::vector<StageId> &readers,
                                 StageId anchor) {
  const pipeline::Pipeline &pipeline = *schedule.pipeline();
  const auto outer = innermost(schedule, anchor, LoopKind::Thread);
  const auto isOuter = [&](StageId reader) {
    return reader == anchor || schedule.plan(pipeline.stage(reader).func).compute == *outer;
  };
  if (outer && std::ranges::all_of(readers, isOuter)) return outer;
  if (readers.size() != 1) return std::nullopt;
  const Place &around = schedule.plan(pipeline.stage(readers.front()).func).compute;
  if (depthOf(schedule, around) == Depth::Thread) return around;
  return innermost(schedule, readers.front(), LoopKind::Thread);
}

} // namespace

std::vector<StageId> otherReadersOf(const Schedule &schedule, FuncId func) {
  std::vector<StageId> readers = schedule::readersOf(schedule, func);
  std::erase_if(readers,
                [&](StageId stage) { return schedule.pipeline()->stage(stage).func == func; });
  std::ranges::sort(readers);
  const auto again = std::ranges::unique(readers);
  readers.erase(again.begin(), again.end());
  return readers;
}

BeamPlaces placesOf(const Schedule &schedule, FuncId func,
                    const std::function<bool(FuncId)> &isOpen) {
  const pipeline::Pipeline &pipeline = *schedule.pipeline();
  const std::vector<StageId> readers = otherReadersOf(schedule, func);
  BeamPlaces places;
  for (const StageId reader : readers) {
    const auto anchor = anchorOf(schedule, reader);
    if (!anchor || !isOpen(pipeline.stage(*anchor).func) ||
        (places.anchor && places.anchor != anchor))
      return {};
    places.anchor = anchor;
  }
  if (!places.anchor) return {};
  places.block = innermost(schedule, *places.anchor, LoopKind::Block);
  places.thread = threadPlace(schedule, readers, *places.anchor);
  return places;
}

} // namespace tessera::search
