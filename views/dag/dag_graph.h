// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/host/layout.h"
#include "engine/schedule/schedule.h"
#include "views/text/stage_summary.h"
#include "views/text/subject.h"

#include <QString>

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace tessera::views {

// One func or buffer of the pipeline, as the DAG shows it. A func with updates has several
// subjects, and each is a chip at the foot of its node.
struct DagNode {
  pipeline::Producer producer;
  QString title;
  QString detail; // "1536×2560 · uint16"
  StageKind kind = StageKind::Pure;
  bool isOutput = false;
  // "copy of input" for a stage that the schedule adds; empty for a stage of the algorithm.
  QString addedAs;
  std::vector<Subject> subjects; // for an added func: the first subject of the func it is made from
  double width = 0;
  double height = 0;
};

struct DagEdge {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  // The bytes of the producer that the consumer reads; an element that is read several times counts
  // once. 0: not known.
  std::int64_t bytes = 0;

  friend bool operator==(const DagEdge &, const DagEdge &) = default;
};

// The pipeline's funcs and buffers, and which of them read which. Nodes are in the order of
// computation.
struct DagGraph {
  std::vector<DagNode> nodes;
  std::vector<DagEdge> edges;
  std::vector<std::vector<std::uint32_t>> edgesInto; // edge numbers, indexed by node
  std::vector<std::vector<std::uint32_t>> edgesFrom;

  std::optional<std::uint32_t> nodeOf(Subject subject) const; // never a node that the schedule adds
  bool hasAdded() const;
  bool hasExtern() const;
};

enum class TextRole : std::uint8_t { Title, Detail };
using MeasureText = std::function<double(const QString &, TextRole)>;

DagGraph makeDagGraph(const pipeline::Pipeline &pipeline, const MeasureText &measure);
// Includes the stages that the schedule adds.
DagGraph makeDagGraph(const schedule::Schedule &schedule, const MeasureText &measure);

host::GraphShape shapeOf(const DagGraph &graph);

} // namespace tessera::views
