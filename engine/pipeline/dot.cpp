// SPDX-License-Identifier: MIT
#include "engine/pipeline/dot.h"

#include "engine/pipeline/measures.h"

#include <algorithm>
#include <map>
#include <utility>

namespace tessera::pipeline {
namespace {

// Names come from the user's files, so a quote in one has to be escaped.
std::string quoted(const std::string &text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '\n') {
      result += "\\n";
      continue;
    }
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + "\"";
}

std::string nodeName(Producer producer) {
  return (producer.kind == Producer::Kind::Func ? "f" : "i") + std::to_string(producer.index);
}

std::string funcNode(const Pipeline &pipeline, FuncId id) {
  const Func &func = pipeline.func(id);
  const std::span<const Stage> stages = pipeline.stagesOf(id);
  const bool reduces = std::any_of(stages.begin(), stages.end(), isReduction);
  std::string node = "  " + nodeName(Producer::func(id)) + " [label=" +
                     quoted(func.name + "\n" + typesText(func) + "  " + extentsText(func.region) +
                            (func.externCall ? "\nextern " + func.externCall->function : ""));
  if (func.externCall) node += ", shape=component, style=dashed";
  if (reduces) node += ", shape=octagon";
  if (func.isOutput) node += ", peripheries=2";
  return node + "];\n";
}

} // namespace

std::string toDot(const Pipeline &pipeline) {
  std::string dot = "digraph " + quoted(pipeline.name()) +
                    " {\n"
                    "  graph [rankdir=TB, nodesep=0.25, ranksep=0.4];\n"
                    "  node [shape=box, style=rounded, fontname=\"Helvetica\", fontsize=10];\n"
                    "  edge [fontname=\"Helvetica\", fontsize=8, arrowsize=0.6];\n";
  for (std::uint32_t i = 0; i < pipeline.inputs().size(); ++i) {
    const Input &input = pipeline.input(InputId{i});
    const Producer producer = Producer::input(InputId{i});
    dot += "  " + nodeName(producer) + " [label=" +
           quoted(input.name + "\n" + toString(input.type) + "  " +
                  extentsText(pipeline.producerRegion(producer))) +
           ", shape=parallelogram, style=solid];\n";
  }
  for (std::uint32_t f = 0; f < pipeline.funcs().size(); ++f)
    dot += funcNode(pipeline, FuncId{f});

  std::map<std::pair<std::string, std::string>, std::uint64_t> arrows;
  for (const Edge &edge : pipeline.edges()) {
    const Producer consumer = Producer::func(pipeline.stage(edge.consumer).func);
    if (edge.producer != consumer)
      arrows[{nodeName(edge.producer), nodeName(consumer)}] += edge.loads;
  }
  for (const auto &[ends, loads] : arrows) {
    dot += "  " + ends.first + " -> " + ends.second;
    if (loads > 1) dot += " [label=\"" + std::to_string(loads) + "\"]";
    dot += ";\n";
  }
  return dot + "}\n";
}

} // namespace tessera::pipeline
