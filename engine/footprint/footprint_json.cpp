// SPDX-License-Identifier: MIT
#include "engine/footprint/footprint_json.h"

#include <nlohmann/json.hpp>

#include <utility>

namespace tessera::footprint {

using nlohmann::ordered_json;
using pipeline::Interval;

namespace {

ordered_json endOf(std::int64_t end) {
  if (end == pipeline::kMinusInfinity || end == pipeline::kPlusInfinity) return nullptr;
  return end;
}

ordered_json tileJson(const KernelFootprint &kernel, Level level) {
  auto sides = ordered_json::array();
  const Tile &tile = kernel.tile(level);
  for (std::size_t l = 0; l < tile.sides.size(); ++l) {
    const Tile::Side &side = tile.sides[l];
    sides.push_back({{"loop", kernel.loops[l]},
                     {"reduction", bool{kernel.reductions[l]}},
                     {"min", side.range.min},
                     {"max", side.range.max},
                     {"extent", side.range.extent()},
                     {"points", side.points},
                     {"tiles", side.count},
                     {"interleaved", side.isInterleaved}});
  }
  return sides;
}

ordered_json sidesJson(const KernelFootprint &kernel, const Entry &entry, const LevelBox &box) {
  auto sides = ordered_json::array();
  for (std::size_t d = 0; d < box.sides.size(); ++d) {
    const BoxSide &side = box.sides[d];
    ordered_json fields{{"dim", entry.dims[d]},
                        {"min", endOf(side.range.min)},
                        {"max", endOf(side.range.max)},
                        {"extent", side.range.bounded() ? ordered_json(side.range.extent())
                                                        : ordered_json(nullptr)},
                        {"moved_by", nullptr},
                        {"scale", side.scale},
                        {"step", side.step},
                        {"halo", {side.before, side.after}},
                        {"overlap", side.overlap}};
    if (side.movedBy) fields["moved_by"] = kernel.loops[*side.movedBy];
    if (!entry.chosenBy[d].empty()) fields["whole_because"] = entry.chosenBy[d];
    sides.push_back(std::move(fields));
  }
  return sides;
}

ordered_json boxJson(const KernelFootprint &kernel, const Entry &entry, Level level) {
  const LevelBox &box = entry.at(level);
  return {{"sides", sidesJson(kernel, entry, box)},
          {"points", box.points},
          {"own_points", box.own},
          {"shared_percent", box.shared() * 100},
          {"bytes", box.bytes}};
}

ordered_json entryJson(const KernelFootprint &kernel, const Entry &entry,
                       std::optional<Level> only) {
  ordered_json fields{{"name", entry.name},
                      {"role", name(entry.role)},
                      {"memory", nullptr},
                      {"element_bytes", entry.elementBytes},
                      {"whole", entry.isWhole()},
                      {"stored", ordered_json::array()},
                      {"stored_bytes", entry.storedBytes},
                      {"redundancy_percent", nullptr}};
  if (entry.memory) fields["memory"] = name(*entry.memory);
  for (const Interval &side : entry.stored)
    fields["stored"].push_back(side.extent());
  if (entry.redundancy) fields["redundancy_percent"] = *entry.redundancy * 100;
  for (const Level level : kAllLevels)
    if (!only || *only == level)
      fields["levels"][std::string(name(level))] = boxJson(kernel, entry, level);
  return fields;
}

ordered_json bytesJson(const BytesBySpace &bytes) {
  return {{"registers", bytes.registers},
          {"shared", bytes.shared},
          {"local", bytes.local},
          {"global", bytes.global}};
}

} // namespace

ordered_json toJson(const KernelFootprint &kernel, std::optional<Level> only) {
  ordered_json fields{{"kernel", kernel.name},
                      {"launches", kernel.launch.launches},
                      {"blocks", kernel.launch.blocks},
                      {"threads", kernel.launch.blockThreads},
                      {"shared_bytes", kernel.launch.sharedBytes}};
  for (const Level level : kAllLevels) {
    if (only && *only != level) continue;
    const std::string word(name(level));
    fields["tiles"][word] = tileJson(kernel, level);
    fields["bytes"][word] = bytesJson(kernel.bytesAt(level));
  }
  fields["entries"] = ordered_json::array();
  for (const Entry &entry : kernel.entries)
    fields["entries"].push_back(entryJson(kernel, entry, only));
  return fields;
}

ordered_json toJson(const TileEdge &edge, std::span<const TileSize> sizes) {
  ordered_json fields{{"loop", edge.name},
                      {"level", name(edge.level)},
                      {"size", edge.size},
                      {"fixed_because", nullptr},
                      {"sizes", ordered_json::array()}};
  if (!edge.isMovable()) fields["fixed_because"] = edge.whyNot;
  for (const TileSize &size : sizes) {
    ordered_json one{{"size", size.size}, {"legal", size.isLegal()}};
    if (!size.isLegal()) one["refusal"] = size.refusal;
    fields["sizes"].push_back(std::move(one));
  }
  return fields;
}

} // namespace tessera::footprint
