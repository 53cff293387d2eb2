// SPDX-License-Identifier: MIT
#include "engine/search/beam/structural_hash.h"

#include "engine/schedule/plan_hash.h"

#include <algorithm>

namespace tessera::search {

namespace {

using schedule::Hasher;

enum class Detail : std::uint8_t { OneOrMore, Exact };

void add(Hasher &hash, const std::vector<std::int64_t> &extents, Detail detail) {
  hash << extents.size();
  for (const std::int64_t extent : extents)
    hash << static_cast<std::uint64_t>(detail == Detail::Exact ? extent
                                                               : std::min<std::int64_t>(extent, 2));
}

// The first depth at which a place is seen: the level of loops that it is in, times two.
int depthOf(BeamPlace place) {
  switch (place) {
  case BeamPlace::Undecided:
    return kHashDepths;
  case BeamPlace::Root:
    return 0;
  case BeamPlace::Block:
    return 2;
  case BeamPlace::Thread:
  case BeamPlace::Inline:
    return 4;
  }
  return kHashDepths;
}

} // namespace

std::uint64_t hashTerm(pipeline::FuncId func, const FuncShape &shape, int depth) {
  depth = std::min(depth, kHashDepths - 1);
  if (depth < depthOf(shape.place)) return 0;
  Hasher hash;
  hash << index(func) << static_cast<std::uint64_t>(shape.place) << shape.anchor;
  const auto level = [&](int first, const std::vector<std::int64_t> &extents) {
    if (depth >= first) add(hash, extents, depth == first ? Detail::OneOrMore : Detail::Exact);
  };
  level(1, shape.blocks);
  if (depth >= 2) hash << shape.innermost;
  level(3, shape.threads);
  level(5, shape.serial);
  return hash.value();
}

HashTerms hashTerms(pipeline::FuncId func, const FuncShape &shape) {
  HashTerms terms{};
  for (int depth = 0; depth < kHashDepths; ++depth)
    terms[static_cast<std::size_t>(depth)] = hashTerm(func, shape, depth);
  return terms;
}

} // namespace tessera::search
