// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/schedule/schedule.h"
#include "engine/host/layout.h"
#include "views/text/stage_summary.h"
#include "views/text/subject.h"

#include <QString>

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace tessera::views {

// One func or buffer of the pipeline, as the DAG shows it. A func with updates has several
// subjects; each is a chip at the foot of its node.
struct DagNode {
  pipeline::Producer producer;
  QString title;
  QString detail; // "1536×2560 · uint16"
  StageKind kind = StageKind::Pure;
  bool isOutput = false;
  QString addedAs; // "copy of input": a stage that the schedule adds; empty: the algorithm's own
  std::vector<Subject> subjects; // of an added stage: those of what it is made from
  double width = 0;
  double height = 0;
};

struct DagEdge {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  std::int64_t bytes = 0; // that the consumer reads of the producer, each once; 0: not known

  friend bool operator==(const DagEdge &, const DagEdge &) = default;
};

// The pipeline's funcs and buffers and who reads whom; nodes in the order of computation.
struct DagGraph {
  std::vector<DagNode> nodes;
  std::vector<DagEdge> edges;
  std::vector<std::vector<std::uint32_t>> edgesInto; // by node: edge numbers
  std::vector<std::vector<std::uint32_t>> edgesFrom;

  std::optional<std::uint32_t> nodeOf(Subject subject) const; // never an added one
  bool hasAdded() const;
};

enum class TextRole : std::uint8_t { Title, Detail };
using MeasureText = std::function<double(const QString &, TextRole)>;

DagGraph makeDagGraph(const pipeline::Pipeline &pipeline, const MeasureText &measure);
// With the stages that a schedule adds.
DagGraph makeDagGraph(const schedule::Schedule &schedule, const MeasureText &measure);

host::GraphShape shapeOf(const DagGraph &graph);

} // namespace tessera::views
