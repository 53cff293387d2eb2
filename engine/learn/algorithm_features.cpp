// SPDX-License-Identifier: MIT
#include "engine/learn/algorithm_features.h"

#include <algorithm>
#include <limits>

namespace tessera::learn {

using pipeline::Access;
using pipeline::FuncId;
using pipeline::IndexMap;
using pipeline::OpKind;
using pipeline::Pipeline;
using pipeline::Producer;
using pipeline::Stage;

namespace {

// A stage that a schedule added, or of a document of an earlier version, has counts of instructions
// alone. These tell fewer kinds apart. Of kinds that they merge, the most usual one stands for all.
ExpressionKind kindOf(OpKind kind) {
  switch (kind) {
  case OpKind::Add:
    return ExpressionKind::Add;
  case OpKind::Multiply:
    return ExpressionKind::Multiply;
  case OpKind::Divide:
    return ExpressionKind::Divide;
  case OpKind::Modulo:
    return ExpressionKind::Modulo;
  case OpKind::MinMax:
    return ExpressionKind::Min;
  case OpKind::Compare:
    return ExpressionKind::Less;
  case OpKind::Logic:
    return ExpressionKind::And;
  case OpKind::Select:
    return ExpressionKind::Select;
  case OpKind::Cast:
    return ExpressionKind::Cast;
  case OpKind::Transcendental:
  case OpKind::OtherCall:
  case OpKind::Load: // counted by their accesses
    break;
  }
  return ExpressionKind::OtherCall;
}

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

// How far an index moves with a step of a loop; unknown where a clamp or data may decide.
double derivative(const IndexMap &map, std::uint32_t loop) {
  if (map.precision == pipeline::Precision::Whole) {
    constexpr std::uint32_t kBits = 32;
    const bool isFree = map.decidedBy && loop < kBits && (*map.decidedBy >> loop & 1) == 0;
    return isFree ? 0 : kUnknown;
  }
  double sum = 0;
  for (const pipeline::Atom &atom : map.atoms)
    for (const pipeline::AffineTerm &term : atom.terms) {
      if (term.loop != loop) continue;
      if (atom.clamp != pipeline::kEverything) return kUnknown;
      sum += static_cast<double>(atom.scale * term.coefficient) / static_cast<double>(atom.divisor);
    }
  return sum;
}

struct Classes {
  bool pointwise = true, transpose = true, broadcast = true, slice = true;
};

// The classes follow from the matrix of derivatives, with a row for each index of the producer and
// a column for each loop of the stage.
Classes classesOf(const Access &access, std::size_t loops) {
  const std::size_t rows = access.indices.size();
  std::vector<std::size_t> onesInColumn(loops), zerosInColumn(loops);
  Classes classes;
  classes.pointwise = classes.transpose = rows == loops;
  for (std::size_t r = 0; r < rows; ++r) {
    std::size_t ones = 0, zeros = 0;
    for (std::size_t l = 0; l < loops; ++l) {
      const double step = derivative(access.indices[r], static_cast<std::uint32_t>(l));
      ones += step == 1 ? 1 : 0;
      zeros += step == 0 ? 1 : 0;
      onesInColumn[l] += step == 1 ? 1 : 0;
      zerosInColumn[l] += step == 0 ? 1 : 0;
      classes.pointwise = classes.pointwise && step == (r == l ? 1 : 0);
    }
    const bool isOne = ones == 1 && zeros + 1 == loops, isNone = zeros == loops;
    classes.transpose = classes.transpose && isOne;
    classes.broadcast = classes.broadcast && isOne;
    classes.slice = classes.slice && (isOne || isNone);
  }
  for (std::size_t l = 0; l < loops; ++l) {
    const bool isOne = onesInColumn[l] == 1 && zerosInColumn[l] + 1 == rows;
    const bool isNone = zerosInColumn[l] == rows;
    classes.transpose = classes.transpose && (isOne || isNone);
    classes.broadcast = classes.broadcast && (isOne || isNone);
    classes.slice = classes.slice && isOne;
  }
  return classes;
}

void add(AlgorithmFeatures &features, const Access &access, AccessKind kind, TypeClass type,
         std::size_t loops) {
  const Classes classes = classesOf(access, loops);
  const auto count = static_cast<float>(access.different);
  const auto addTo = [&](AccessClass to, bool belongs) {
    if (belongs) features.at(to, kind, type) += count;
  };
  addTo(AccessClass::Pointwise, classes.pointwise);
  addTo(AccessClass::Transpose, classes.transpose);
  addTo(AccessClass::Broadcast, classes.broadcast);
  addTo(AccessClass::Slice, classes.slice);
}

void addLoad(AlgorithmFeatures &features, const Pipeline &pipeline, const Stage &stage,
             const Access &load) {
  const auto count = static_cast<float>(load.different);
  const auto addAs = [&](ExpressionKind call, AccessKind kind, TypeClass type) {
    if (!stage.expression) features.at(call, type) += count;
    add(features, load, kind, type, stage.loops.size());
  };
  if (load.producer.kind == Producer::Kind::Input) {
    const pipeline::Input &input = pipeline.input(pipeline::InputId{load.producer.index});
    const TypeClass type = typeClassOf(input.type);
    if (!input.stagingFunc.empty())
      addAs(ExpressionKind::FuncCall, AccessKind::LoadFunc, type);
    else if (!input.isScalar)
      addAs(ExpressionKind::InputCall, AccessKind::LoadInput, type);
    else if (!stage.expression)
      features.at(ExpressionKind::Parameter, type) += count;
    return;
  }
  const TypeClass type =
      typeClassOf(pipeline.func(FuncId{load.producer.index}).types[load.tupleElement]);
  if (FuncId{load.producer.index} == stage.func)
    addAs(ExpressionKind::SelfCall, AccessKind::LoadSelf, type);
  else
    addAs(ExpressionKind::FuncCall, AccessKind::LoadFunc, type);
}

void addExpression(AlgorithmFeatures &features, const Stage &stage) {
  if (stage.expression) {
    for (const pipeline::NodeCount &node : stage.expression->nodes)
      features.at(node.kind, typeClassOf(node.type)) += static_cast<float>(node.count);
    return;
  }
  for (const pipeline::OpCount &operation : stage.operations)
    if (operation.kind != OpKind::Load)
      features.at(kindOf(operation.kind), typeClassOf(operation.type)) +=
          static_cast<float>(operation.count);
}

} // namespace

AlgorithmFeatures algorithmFeatures(const Pipeline &pipeline, const Stage &stage) {
  AlgorithmFeatures features;
  addExpression(features, stage);
  for (const Access &load : stage.loads)
    addLoad(features, pipeline, stage, load);
  for (const pipeline::ScalarType type : pipeline.func(stage.func).types)
    add(features, stage.store, AccessKind::Store, typeClassOf(type), stage.loops.size());
  return features;
}

std::vector<AlgorithmFeatures> algorithmFeatures(const Pipeline &pipeline) {
  std::vector<AlgorithmFeatures> features;
  features.reserve(pipeline.stages().size());
  for (const Stage &stage : pipeline.stages())
    features.push_back(algorithmFeatures(pipeline, stage));
  return features;
}

} // namespace tessera::learn
