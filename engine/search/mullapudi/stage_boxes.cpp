// SPDX-License-Identifier: MIT
#include "engine/search/mullapudi/stage_boxes.h"

#include "engine/pipeline/footprint.h"

#include <algorithm>
#include <map>

namespace tessera::search {

using pipeline::Box;
using pipeline::FuncId;
using pipeline::Interval;
using pipeline::Producer;

namespace {

void add(std::vector<ProducerBox> &boxes, Producer producer, const Box &box) {
  const auto known = std::ranges::find(boxes, producer, &ProducerBox::producer);
  if (known == boxes.end()) {
    boxes.push_back({producer, box});
    return;
  }
  for (std::size_t d = 0; d < box.size(); ++d)
    known->box[d] = pipeline::hull(known->box[d], box[d]);
}

Box boundedBy(Box box, const Box &whole) {
  for (std::size_t d = 0; d < box.size(); ++d) {
    if (box[d].min == pipeline::kMinusInfinity) box[d].min = whole[d].min;
    if (box[d].max == pipeline::kPlusInfinity) box[d].max = whole[d].max;
  }
  return box;
}

} // namespace

std::vector<ProducerBox> stageBoxes(const pipeline::Pipeline &pipeline, pipeline::StageId stage,
                                    std::span<const Interval> loops,
                                    std::span<const FuncId> inlined) {
  std::vector<ProducerBox> boxes;
  std::map<FuncId, Box, std::greater<>> needed; // of inlined funcs; consumers first
  const auto addEdges = [&](pipeline::StageId consumer, std::span<const Interval> ranges) {
    for (const pipeline::EdgeId id : pipeline.edgesInto(consumer)) {
      const pipeline::Edge &edge = pipeline.edge(id);
      const Box box =
          boundedBy(pipeline::footprint(edge, ranges), pipeline.producerRegion(edge.producer));
      const FuncId func{edge.producer.index};
      const bool isInlined =
          edge.producer.kind == Producer::Kind::Func && std::ranges::binary_search(inlined, func);
      if (!isInlined) {
        add(boxes, edge.producer, box);
        continue;
      }
      const auto [known, isNew] = needed.try_emplace(func, box);
      for (std::size_t d = 0; !isNew && d < box.size(); ++d)
        known->second[d] = pipeline::hull(known->second[d], box[d]);
    }
  };
  const pipeline::Stage &own = pipeline.stage(stage);
  Box stored;
  for (const pipeline::IndexMap &map : own.store.indices)
    stored.push_back(pipeline::evaluate(map, loops));
  const Producer self = Producer::func(own.func);
  add(boxes, self, boundedBy(std::move(stored), pipeline.producerRegion(self)));
  addEdges(stage, loops);
  for (auto one = needed.begin(); one != needed.end(); ++one) {
    const pipeline::StageId first = pipeline.func(one->first).firstStage;
    Box ranges;
    for (const pipeline::LoopDim &loop : pipeline.stage(first).loops)
      ranges.push_back(loop.argument ? one->second[*loop.argument] : loop.range);
    addEdges(first, ranges);
  }
  return boxes;
}

} // namespace tessera::search
