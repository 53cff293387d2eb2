// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/dag/dag_graph.h"

#include "engine/pipeline/measures.h"
#include "views/dag/dag_geometry.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace tessera::views {

using pipeline::FuncId;
using pipeline::InputId;
using pipeline::Pipeline;
using pipeline::Producer;
using pipeline::typesText;

namespace {

constexpr double kMinWidth = 84;
constexpr double kMaxWidth = 230;
constexpr double kPadding = 26; // both sides together; the slanted shapes need it

DagNode funcNode(const Pipeline &pipeline, FuncId id) {
  const pipeline::Func &func = pipeline.func(id);
  DagNode node;
  node.producer = Producer::func(id);
  node.title = QString::fromStdString(func.name);
  node.detail =
      boxText(func.region) + QStringLiteral(" · ") + QString::fromStdString(typesText(func));
  node.isOutput = func.isOutput;
  for (std::uint32_t i = 0; i < func.stageCount; ++i) {
    const Subject subject{Subject::Kind::Stage, static_cast<std::uint32_t>(func.firstStage) + i};
    node.subjects.push_back(subject);
    node.kind = std::max(node.kind, summarize(pipeline, subject).kind);
  }
  return node;
}

DagNode inputNode(const Pipeline &pipeline, InputId id) {
  const StageSummary summary = summarize(pipeline, Subject::input(id));
  DagNode node;
  node.producer = Producer::input(id);
  node.title = summary.name;
  node.detail = summary.extents + QStringLiteral(" · ") + summary.type;
  node.kind = summary.kind;
  node.subjects = {summary.subject};
  return node;
}

void resize(DagNode &node, const MeasureText &measure) {
  const double text =
      std::max(measure(node.title, TextRole::Title) + (node.kind == StageKind::Reduction ? 16 : 0),
               measure(node.detail, TextRole::Detail));
  const std::size_t chips = node.subjects.size() > 1 ? node.subjects.size() : 0;
  node.width = std::clamp(std::max(text + kPadding, chipRowWidth(chips)), kMinWidth, kMaxWidth);
  node.height = kNodeHeight + (chips ? kChipRowHeight : 0);
}

} // namespace

std::optional<std::uint32_t> DagGraph::nodeOf(Subject subject) const {
  const auto found = std::ranges::find_if(nodes, [&](const DagNode &node) {
    return std::ranges::find(node.subjects, subject) != node.subjects.end();
  });
  if (found == nodes.end()) return {};
  return static_cast<std::uint32_t>(found - nodes.begin());
}

DagGraph makeDagGraph(const Pipeline &pipeline, const MeasureText &measure) {
  DagGraph graph;
  std::map<std::pair<Producer::Kind, std::uint32_t>, std::uint32_t> nodeOfProducer;
  const auto addNode = [&](DagNode node) {
    resize(node, measure);
    nodeOfProducer[{node.producer.kind, node.producer.index}] =
        static_cast<std::uint32_t>(graph.nodes.size());
    graph.nodes.push_back(std::move(node));
  };
  for (std::uint32_t i = 0; i < pipeline.inputs().size(); ++i)
    if (!pipeline.inputs()[i].isScalar) addNode(inputNode(pipeline, InputId{i}));
  for (std::uint32_t i = 0; i < pipeline.funcs().size(); ++i)
    addNode(funcNode(pipeline, FuncId{i}));

  std::set<std::pair<std::uint32_t, std::uint32_t>> known;
  for (const pipeline::Edge &edge : pipeline.edges()) {
    const auto from = nodeOfProducer.find({edge.producer.kind, edge.producer.index});
    if (from == nodeOfProducer.end()) continue; // a scalar
    const FuncId consumer = pipeline.stage(edge.consumer).func;
    const std::uint32_t to =
        nodeOfProducer.at({Producer::Kind::Func, static_cast<std::uint32_t>(consumer)});
    if (from->second != to && known.emplace(from->second, to).second)
      graph.edges.push_back({from->second, to});
  }
  graph.edgesInto.resize(graph.nodes.size());
  graph.edgesFrom.resize(graph.nodes.size());
  for (std::uint32_t i = 0; i < graph.edges.size(); ++i) {
    graph.edgesFrom[graph.edges[i].from].push_back(i);
    graph.edgesInto[graph.edges[i].to].push_back(i);
  }
  return graph;
}

session::GraphShape shapeOf(const DagGraph &graph) {
  session::GraphShape shape;
  for (const DagNode &node : graph.nodes)
    shape.nodes.push_back({node.width, node.height});
  for (const DagEdge &edge : graph.edges)
    shape.edges.push_back({edge.from, edge.to});
  return shape;
}

} // namespace tessera::views
