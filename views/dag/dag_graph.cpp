// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/dag/dag_graph.h"

#include "views/dag/dag_geometry.h"
#include "engine/pipeline/footprint.h"
#include "engine/pipeline/measures.h"

#include <QCoreApplication>

#include <algorithm>
#include <map>
#include <string>
#include <utility>

namespace tessera::views {

using pipeline::FuncId;
using pipeline::InputId;
using pipeline::Pipeline;
using pipeline::Producer;
using pipeline::typesText;

namespace {

struct GraphWords {
  Q_DECLARE_TR_FUNCTIONS(DagGraph)
};

constexpr double kMinWidth = 84;
constexpr double kMaxWidth = 230;
constexpr double kPadding = 26; // left and right together; the slanted shapes need this room

DagNode funcNode(const Pipeline &pipeline, FuncId id) {
  const pipeline::Func &func = pipeline.func(id);
  DagNode node;
  node.producer = Producer::func(id);
  node.title = QString::fromStdString(func.name);
  node.detail =
      boxText(func.region) + QStringLiteral(" · ") + QString::fromStdString(typesText(func));
  if (func.externCall) node.detail += QStringLiteral(" · ") + kindText(StageKind::Extern);
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

// The bytes that one stage reads of a producer, limited to the producer's region.
std::int64_t bytesOf(const Pipeline &pipeline, const pipeline::Edge &edge) {
  std::vector<pipeline::Interval> loops;
  for (const pipeline::LoopDim &loop : pipeline.stage(edge.consumer).loops)
    loops.push_back(loop.range);
  pipeline::Box box = pipeline::footprint(edge, loops);
  const pipeline::Box all = pipeline.producerRegion(edge.producer);
  const auto whole = regionBytes(pipeline, edge.producer);
  if (!whole || box.size() != all.size() || volume(all) == 0) return 0;
  for (std::size_t d = 0; d < box.size(); ++d)
    box[d] = intersection(box[d], all[d]);
  return *whole / volume(all) * volume(box);
}

const std::string &madeFrom(const schedule::Derivation &derivation) {
  return std::visit([](const auto &one) -> const std::string & { return one.of; }, derivation);
}

QString wordsFor(const schedule::Derivation &derivation) {
  const QString words =
      std::holds_alternative<schedule::Wrapper>(derivation) ? GraphWords::tr("copy of %1")
      : std::holds_alternative<schedule::Clone>(derivation) ? GraphWords::tr("clone of %1")
                                                            : GraphWords::tr("part of %1");
  return words.arg(QString::fromStdString(madeFrom(derivation)));
}

// Finds the subjects of a func of the schedule's own pipeline. A subject is a stage or input of the
// open pipeline. The two pipelines number their stages differently, so funcs are matched by name.
class BaseSubjects {
public:
  explicit BaseSubjects(const schedule::Schedule &schedule) : m_schedule(schedule) {
    const Pipeline &base = *schedule.base();
    for (std::uint32_t i = 0; i < base.funcs().size(); ++i)
      m_funcs.emplace(base.funcs()[i].name, FuncId{i});
    for (std::uint32_t i = 0; i < base.inputs().size(); ++i)
      m_inputs.emplace(base.inputs()[i].name, InputId{i});
  }

  std::vector<Subject> of(const std::string &name) const {
    std::vector<Subject> subjects;
    if (const auto func = m_funcs.find(name); func != m_funcs.end()) {
      const pipeline::Func &found = m_schedule.base()->func(func->second);
      for (std::uint32_t i = 0; i < found.stageCount; ++i)
        subjects.push_back(
            {Subject::Kind::Stage, static_cast<std::uint32_t>(found.firstStage) + i});
    } else if (const auto input = m_inputs.find(name); input != m_inputs.end()) {
      subjects.push_back(Subject::input(input->second));
    } else if (const schedule::Derivation *added = derivation(name)) {
      subjects = of(madeFrom(*added));
    }
    return subjects;
  }

  const schedule::Derivation *derivation(const std::string &name) const {
    for (const schedule::Derivation &one : m_schedule.derivations())
      if (nameOf(one) == name) return &one;
    return nullptr;
  }

private:
  const schedule::Schedule &m_schedule;
  std::map<std::string, FuncId> m_funcs;
  std::map<std::string, InputId> m_inputs;
};

} // namespace

bool DagGraph::hasExtern() const {
  return std::ranges::find(nodes, StageKind::Extern, &DagNode::kind) != nodes.end();
}

bool DagGraph::hasAdded() const {
  return std::ranges::any_of(nodes, [](const DagNode &node) { return !node.addedAs.isEmpty(); });
}

std::optional<std::uint32_t> DagGraph::nodeOf(Subject subject) const {
  const auto found = std::ranges::find_if(nodes, [&](const DagNode &node) {
    return node.addedAs.isEmpty() &&
           std::ranges::find(node.subjects, subject) != node.subjects.end();
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

  std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> known;
  for (const pipeline::Edge &edge : pipeline.edges()) {
    const auto from = nodeOfProducer.find({edge.producer.kind, edge.producer.index});
    if (from == nodeOfProducer.end()) continue; // a scalar has no node
    const FuncId consumer = pipeline.stage(edge.consumer).func;
    const std::uint32_t to =
        nodeOfProducer.at({Producer::Kind::Func, static_cast<std::uint32_t>(consumer)});
    if (from->second == to) continue;
    const auto [at, isNew] = known.emplace(std::pair(from->second, to), graph.edges.size());
    if (isNew) graph.edges.push_back({from->second, to});
    // If several stages of the consumer read the producer, the largest of their bytes is taken.
    std::int64_t &bytes = graph.edges[at->second].bytes;
    bytes = std::max(bytes, bytesOf(pipeline, edge));
  }
  graph.edgesInto.resize(graph.nodes.size());
  graph.edgesFrom.resize(graph.nodes.size());
  for (std::uint32_t i = 0; i < graph.edges.size(); ++i) {
    graph.edgesFrom[graph.edges[i].from].push_back(i);
    graph.edgesInto[graph.edges[i].to].push_back(i);
  }
  return graph;
}

DagGraph makeDagGraph(const schedule::Schedule &schedule, const MeasureText &measure) {
  DagGraph graph = makeDagGraph(*schedule.pipeline(), measure);
  if (schedule.derivations().empty()) return graph;
  const BaseSubjects base(schedule);
  for (DagNode &node : graph.nodes) {
    const std::string name = node.title.toStdString();
    node.subjects = base.of(name);
    const schedule::Derivation *added = base.derivation(name);
    if (!added) continue;
    node.addedAs = wordsFor(*added);
    // The stages of an added func are not in the open pipeline, so its node keeps a single subject.
    node.subjects.resize(1);
    node.detail = node.addedAs;
    resize(node, measure);
  }
  return graph;
}

host::GraphShape shapeOf(const DagGraph &graph) {
  host::GraphShape shape;
  for (const DagNode &node : graph.nodes)
    shape.nodes.push_back({node.width, node.height});
  for (const DagEdge &edge : graph.edges)
    shape.edges.push_back({edge.from, edge.to});
  return shape;
}

} // namespace tessera::views
