// SPDX-License-Identifier: MIT
#include "engine/block/block_json.h"

#include <nlohmann/json.hpp>

namespace tessera::block {

using nlohmann::ordered_json;
using pipeline::Interval;

namespace {

ordered_json boxToJson(const std::vector<std::string> &dims, std::span<const Interval> box) {
  ordered_json json = ordered_json::object();
  for (std::size_t d = 0; d < box.size(); ++d)
    json[d < dims.size() ? dims[d] : std::to_string(d)] = {box[d].min, box[d].max};
  return json;
}

std::string_view nameOf(schedule::Depth depth) {
  switch (depth) {
  case schedule::Depth::Host:
    return "kernel";
  case schedule::Depth::Block:
    return "block";
  case schedule::Depth::Thread:
    return "thread";
  }
  return {};
}

} // namespace

ordered_json toJson(const ThreadBlock &block) {
  auto loops = ordered_json::array();
  for (const BlockLoop &loop : block.loops)
    loops.push_back({{"loop", loop.name},
                     {"role", name(loop.role)},
                     {"iterations", loop.iterations},
                     {"step", loop.step}});
  return {{"computed_in", nameOf(block.depth)},
          {"threads", block.threads},
          {"active", block.active},
          {"warps", block.warps()},
          {"computing", block.count(Duty::Computes)},
          {"halo_only", block.count(Duty::Halo)},
          {"idle", block.count(Duty::Idle)},
          {"empty_lanes", block.emptyLanes()},
          {"points", block.points()},
          {"turns", block.turns},
          {"copies", block.copies},
          {"vector", block.vector},
          {"register_tile", block.tile},
          {"computed", boxToJson(block.dims, block.computed)},
          {"own", boxToJson(block.dims, block.own)},
          {"redundancy", block.redundancy()},
          {"loops", std::move(loops)}};
}

ordered_json ownedToJson(const ThreadBlock &block, const ThreadPlace &thread) {
  auto points = ordered_json::array();
  for (const OwnedPoint &point : block.ownedBy(thread))
    points.push_back(
        {{"at", point.at}, {"turn", point.turn}, {"copy", point.copy}, {"vector", point.vector}});
  const std::int64_t number = block.numberOf(thread);
  return {{"thread", thread},
          {"warp", number / block.warpSize},
          {"lane", number % block.warpSize},
          {"duty", name(block.dutyOf(thread))},
          {"elements", std::move(points)}};
}

ordered_json toJson(const WarpPattern &access, std::size_t number) {
  const cost::AccessLoad &load = access.load;
  ordered_json json{{"access", number},
                    {"kind", load.isStore() ? "store" : "load"},
                    {"array", access.array},
                    {"memory", name(load.space)},
                    {"element_bytes", access.elementBytes},
                    {"requests", load.requests}};
  if (!access.isInMemory()) return json;
  json["width"] = load.width;
  json["lanes"] = load.access.lanes;
  json["strides"] = load.access.strides;
  json["data_choose"] = access.isChosen;
  if (load.space == cost::MemorySpace::Shared) {
    json["passes"] = load.passes;
    return json;
  }
  json["starts_anywhere"] = access.startsAnywhere;
  json["sectors"] = load.sectors;
  json["new_sectors"] = load.newSectors;
  json["lines"] = load.lines;
  json["efficiency"] = access.efficiency();
  return json;
}

ordered_json addressesToJson(const WarpPattern &access) {
  auto lanes = ordered_json::array();
  for (const LaneAccess &lane : access.lanes)
    lanes.push_back(
        {{"lane", lane.lane}, {"thread", lane.thread}, {"element", lane.at}, {"byte", lane.byte}});
  ordered_json json{{"addresses", std::move(lanes)}};
  if (!access.isInMemory()) return json;
  if (access.load.space == cost::MemorySpace::Shared) {
    json["banks"] = access.banks();
    return json;
  }
  json["sectors_drawn"] = access.sectors();
  json["lines_drawn"] = access.lines();
  return json;
}

ordered_json toJson(const GridWaves &grid) {
  auto sides = ordered_json::array();
  for (const GridWaves::Side &side : grid.sides)
    sides.push_back({{"loop", side.loop},
                     {"blocks", side.blocks},
                     {"covers", side.covers},
                     {"extent", side.extent},
                     {"last", side.last()}});
  return {{"blocks", grid.all()},
          {"grid", grid.blocks},
          {"sides", std::move(sides)},
          {"launches", grid.launches},
          {"multiprocessors", grid.multiprocessors},
          {"registers", grid.use.registers},
          {"shared_bytes", grid.use.sharedBytes},
          {"occupancy", grid.occupancy.fraction},
          {"occupancy_limited_by", name(grid.occupancy.limiting)},
          {"resident_blocks", grid.occupancy.blocks},
          {"blocks_of_a_wave", grid.perWave()},
          {"waves", grid.modelWaves},
          {"waves_begun", grid.waves()},
          {"full_waves", grid.fullWaves()},
          {"tail_blocks", grid.tail()},
          {"filled", grid.filled()}};
}

ordered_json toJson(const BlockHandle &handle, std::span<const HandleStop> stops) {
  auto legal = ordered_json::array(), refused = ordered_json::array();
  for (const HandleStop &stop : stops)
    if (stop.isLegal())
      legal.push_back({{"size", stop.value}, {"predicted_ms", stop.seconds * 1e3}});
    else
      refused.push_back({{"size", stop.value}, {"why", stop.refusal}});
  ordered_json json{{"handle", name(handle.kind)}, {"along", handle.dim}, {"size", handle.value}};
  if (!handle.refusal.empty()) json["why_not"] = handle.refusal;
  json["legal"] = std::move(legal);
  json["refused"] = std::move(refused);
  return json;
}

} // namespace tessera::block
