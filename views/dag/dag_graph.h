// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/pipeline/pipeline.h"
#include "engine/session/layout.h"
#include "views/models/stage_summary.h"
#include "views/models/subject.h"

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
  std::vector<Subject> subjects;
  double width = 0;
  double height = 0;
};

struct DagEdge {
  std::uint32_t from = 0;
  std::uint32_t to = 0;

  friend bool operator==(const DagEdge &, const DagEdge &) = default;
};

// The pipeline's funcs and buffers and who reads whom; nodes in the order of computation.
struct DagGraph {
  std::vector<DagNode> nodes;
  std::vector<DagEdge> edges;
  std::vector<std::vector<std::uint32_t>> edgesInto; // by node: edge numbers
  std::vector<std::vector<std::uint32_t>> edgesFrom;

  std::optional<std::uint32_t> nodeOf(Subject subject) const;
};

enum class TextRole : std::uint8_t { Title, Detail };
using MeasureText = std::function<double(const QString &, TextRole)>;

DagGraph makeDagGraph(const pipeline::Pipeline &pipeline, const MeasureText &measure);

session::GraphShape shapeOf(const DagGraph &graph);

} // namespace tessera::views
