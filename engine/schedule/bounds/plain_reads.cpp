// SPDX-License-Identifier: MIT
#include "engine/schedule/bounds/plain_reads.h"

#include <algorithm>

namespace tessera::schedule {

using pipeline::FuncId;
using pipeline::StageId;

namespace {

// The loop whose variable alone is the index, without a factor, an offset or a boundary; none if
// there is none.
std::optional<std::size_t> loopOf(const std::vector<pipeline::IndexMap> &maps) {
  constexpr pipeline::Interval kNothing{0, 0};
  if (maps.size() != 1 || maps.front().atoms.size() != 1) return std::nullopt;
  const pipeline::Atom &atom = maps.front().atoms.front();
  const bool isPlain = maps.front().offset == kNothing && atom.offset == kNothing &&
                       atom.scale == 1 && atom.divisor == 1 && atom.terms.size() == 1 &&
                       atom.terms.front().coefficient == 1 && atom.clamp == pipeline::kEverything;
  return isPlain ? std::optional<std::size_t>(atom.terms.front().loop) : std::nullopt;
}

// `dims`: for each dimension of the func that plainReads() was called for, the dimension of `func`
// that is equal to it, if any.
void addReads(const Schedule &schedule, FuncId func,
              const std::vector<std::optional<std::size_t>> &dims, std::vector<PlainRead> &reads) {
  const pipeline::Pipeline &pipeline = *schedule.pipeline();
  for (const pipeline::EdgeId edge : pipeline.edgesFrom(func)) {
    const pipeline::Edge &read = pipeline.edge(edge);
    const FuncId consumer = pipeline.stage(read.consumer).func;
    if (consumer == func) continue;
    PlainRead plain{read.consumer, {}};
    for (const std::optional<std::size_t> &dim : dims)
      plain.loops.push_back(dim ? loopOf(read.maps[*dim]) : std::nullopt);
    // The loops of an inlined func are its dimensions.
    if (schedule.plan(consumer).isInline())
      addReads(schedule, consumer, plain.loops, reads);
    else
      reads.push_back(std::move(plain));
  }
}

} // namespace

std::vector<PlainRead> plainReads(const Schedule &schedule, FuncId func) {
  std::vector<std::optional<std::size_t>> dims;
  for (std::size_t d = 0; d < schedule.pipeline()->func(func).args.size(); ++d)
    dims.emplace_back(d);
  std::vector<PlainRead> reads;
  addReads(schedule, func, dims, reads);
  return reads;
}

} // namespace tessera::schedule
