// SPDX-License-Identifier: MIT
#include "engine/pipeline/edges.h"

#include <algorithm>

namespace tessera::pipeline {
namespace {

bool sameButForOffset(const Atom &a, const Atom &b) {
  return a.scale == b.scale && a.divisor == b.divisor && a.clamp == b.clamp && a.terms == b.terms;
}

// Sets `differences` to the number of offsets in which the two maps differ. Returns the last such
// offset of the map `into`, or null if there is none.
Interval *differingOffset(IndexMap &into, const IndexMap &other, int &differences) {
  Interval *found = nullptr;
  differences = 0;
  if (into.offset != other.offset) {
    found = &into.offset;
    ++differences;
  }
  for (std::size_t i = 0; i < into.atoms.size(); ++i) {
    if (into.atoms[i].offset == other.atoms[i].offset) continue;
    found = &into.atoms[i].offset;
    ++differences;
  }
  return found;
}

bool merge(IndexMap &into, const IndexMap &other) {
  if (into.atoms.size() != other.atoms.size()) return false;
  if (!std::equal(into.atoms.begin(), into.atoms.end(), other.atoms.begin(), sameButForOffset))
    return false;
  int differences = 0;
  Interval *offset = differingOffset(into, other, differences);
  if (differences > 1) return false;
  if (offset == &into.offset) {
    *offset = hull(*offset, other.offset);
  } else if (offset) {
    const auto atom = std::find_if(into.atoms.begin(), into.atoms.end(),
                                   [&](const Atom &a) { return &a.offset == offset; });
    *offset =
        hull(*offset, other.atoms[static_cast<std::size_t>(atom - into.atoms.begin())].offset);
  }
  if (other.precision > into.precision) {
    into.precision = other.precision;
    into.reason = other.reason;
  }
  return true;
}

} // namespace

std::vector<Edge> edgesOf(const Stage &stage, StageId id) {
  std::vector<Edge> edges;
  for (const Access &load : stage.loads) {
    auto edge = std::find_if(edges.begin(), edges.end(),
                             [&](const Edge &e) { return e.producer == load.producer; });
    if (edge == edges.end()) {
      edges.push_back({load.producer, id, {}, 0});
      edges.back().maps.resize(load.indices.size());
      edge = edges.end() - 1;
    }
    edge->loads += load.count;
    for (std::size_t d = 0; d < load.indices.size(); ++d) {
      std::vector<IndexMap> &maps = edge->maps[d];
      const bool merged = std::any_of(
          maps.begin(), maps.end(), [&](IndexMap &known) { return merge(known, load.indices[d]); });
      if (!merged) maps.push_back(load.indices[d]);
    }
  }
  for (Edge &edge : edges)
    for (const std::vector<IndexMap> &maps : edge.maps)
      for (const IndexMap &map : maps)
        edge.oneLoop.emplace_back(map);
  return edges;
}

} // namespace tessera::pipeline
