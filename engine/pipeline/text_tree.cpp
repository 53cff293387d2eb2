// SPDX-License-Identifier: MIT
#include "engine/pipeline/text_tree.h"

#include "engine/pipeline/measures.h"

#include <algorithm>
#include <deque>
#include <utility>
#include <vector>

namespace tessera::pipeline {
namespace {

constexpr std::size_t kMaxDepth = 10;

std::string counted(std::uint64_t count, const std::string &noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

// The width on a terminal: "×" has two bytes but one column.
std::size_t columns(const std::string &text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

std::string padded(std::string text, std::size_t width) {
  const std::size_t used = columns(text);
  if (used < width) text.append(width - used, ' ');
  return text;
}

std::string estimateText(const std::vector<Estimate> &dims) {
  std::string text;
  for (const Estimate &dim : dims) {
    if (!text.empty()) text += ", ";
    if (dim.source == EstimateSource::None) {
      text += "?";
      continue;
    }
    text += std::to_string(dim.range.min) + ":" + std::to_string(dim.range.extent());
  }
  const bool same = std::all_of(dims.begin(), dims.end(), [&](const Estimate &dim) {
    return dim.source == dims.front().source;
  });
  if (!dims.empty() && same)
    text += "  from " + std::string(name(dims.front().source));
  else if (!dims.empty())
    text += "  from several sources";
  return text;
}

class TreeWriter {
public:
  explicit TreeWriter(const Pipeline &pipeline)
      : m_pipeline(pipeline), m_shown(pipeline.funcs().size(), false),
        m_promised(pipeline.funcs().size(), false) {}

  std::string write() {
    head();
    interface();
    m_text += "\nFuncs, each under the one that needs it\n";
    for (const Output &output : m_pipeline.outputs())
      m_pending.push_back(output.func);
    bool continuing = false;
    std::size_t roots = m_pending.size();
    while (!m_pending.empty()) {
      const FuncId root = m_pending.front();
      m_pending.pop_front();
      continuing = roots == 0;
      if (roots > 0) --roots;
      if (m_shown[index(root)]) continue;
      if (continuing) m_text += "\n";
      branch(root, "", "", 0);
    }
    remarks();
    return std::move(m_text);
  }

private:
  void head() {
    m_text += m_pipeline.name() + ": " + counted(m_pipeline.funcs().size(), "func") + ", " +
              counted(m_pipeline.stages().size(), "stage") + ", " +
              counted(m_pipeline.edges().size(), "edge") + " (Halide " +
              m_pipeline.halideVersion() + ")\n";
  }

  void interface() {
    std::size_t width = 0;
    for (const Input &input : m_pipeline.inputs())
      width = std::max(width, columns(input.name));
    for (const Output &output : m_pipeline.outputs())
      width = std::max(width, columns(m_pipeline.func(output.func).name));
    if (!m_pipeline.inputs().empty()) m_text += "\nInputs\n";
    for (const Input &input : m_pipeline.inputs()) {
      m_text += "  " + padded(input.name, width) + "  " + padded(toString(input.type), 8) + "  ";
      if (!input.isScalar)
        m_text += estimateText(input.dims) + "\n";
      else if (input.scalarSource == EstimateSource::None)
        m_text += "?\n";
      else
        m_text += input.scalarEstimate + "  from " + std::string(name(input.scalarSource)) + "\n";
    }
    m_text += "\nOutputs\n";
    for (const Output &output : m_pipeline.outputs()) {
      const Func &func = m_pipeline.func(output.func);
      m_text += "  " + padded(func.name, width) + "  " + padded(typesText(func), 8) + "  " +
                estimateText(output.dims) + "\n";
    }
    handed();
  }

  // What extern stages read is estimated, since only the function that they call knows it.
  void handed() {
    bool isFirst = true;
    for (const Func &func : m_pipeline.funcs()) {
      if (func.handed.empty()) continue;
      if (std::exchange(isFirst, false)) m_text += "\nRead by extern stages\n";
      const bool isOpen = std::ranges::any_of(
          func.handed, [](const Estimate &dim) { return dim.source == EstimateSource::None; });
      m_text += "  " + func.name + "  " + typesText(func) + "  " +
                (isOpen ? "as much as other stages read" : estimateText(func.handed)) + "\n";
    }
  }

  std::string describe(FuncId id) const {
    const Func &func = m_pipeline.func(id);
    std::uint64_t operations = 0;
    std::uint64_t loads = 0;
    bool reduces = false;
    for (const Stage &stage : m_pipeline.stagesOf(id)) {
      operations += operationCount(stage);
      loads += loadCount(stage);
      reduces = reduces || isReduction(stage);
    }
    std::string text = func.name + "  " + typesText(func) + "  " + extentsText(func.region) + "  ";
    if (func.externCall)
      return text + "extern stage: calls " + func.externCall->function + " (" +
             func.externCall->deviceApi + ")";
    text += counted(operations, "op") + ", " + counted(loads, "load");
    if (func.stageCount > 1) text += ", " + counted(func.stageCount - 1, "update");
    if (reduces) text += ", reduces";
    return text;
  }

  // The producers that the func's stages read, in the order of the stages and of their loads,
  // without the func itself.
  std::vector<Producer> producersOf(FuncId id) const {
    std::vector<Producer> producers;
    const Func &func = m_pipeline.func(id);
    for (std::uint32_t s = 0; s < func.stageCount; ++s)
      for (const EdgeId edge : m_pipeline.edgesInto(StageId(index(func.firstStage) + s))) {
        const Producer producer = m_pipeline.edge(edge).producer;
        const bool known =
            std::find(producers.begin(), producers.end(), producer) != producers.end();
        if (!known && producer != Producer::func(id)) producers.push_back(producer);
      }
    return producers;
  }

  void branch(FuncId id, const std::string &prefix, const std::string &below, std::size_t depth) {
    m_text += prefix + describe(id) + "\n";
    m_shown[index(id)] = true;
    const std::vector<Producer> producers = producersOf(id);
    for (std::size_t i = 0; i < producers.size(); ++i) {
      const bool last = i + 1 == producers.size();
      const std::string line = below + (last ? "└─ " : "├─ ");
      const Producer producer = producers[i];
      if (producer.kind == Producer::Kind::Input) {
        m_text += line + m_pipeline.producerName(producer) + "  (input)\n";
        continue;
      }
      const FuncId func{producer.index};
      if (m_shown[producer.index]) {
        m_text += line + m_pipeline.func(func).name + "  (above)\n";
      } else if (m_promised[producer.index] || depth + 1 >= kMaxDepth) {
        m_text += line + m_pipeline.func(func).name + "  (below)\n";
        if (!m_promised[producer.index]) m_pending.push_back(func);
        m_promised[producer.index] = true;
      } else {
        branch(func, line, below + (last ? "   " : "│  "), depth + 1);
      }
    }
  }

  void remarks() {
    if (!m_pipeline.foundSchedule().empty())
      m_text += "\nThe file holds a schedule for " +
                counted(m_pipeline.foundSchedule().size(), "stage") + ".\n";
    list("Contradictions between the estimates and the pipeline", m_pipeline.conflicts().found);
    list("Remarks", m_pipeline.remarks());
  }

  void list(const std::string &title, std::span<const Remark> remarks) {
    if (!remarks.empty()) m_text += "\n" + title + "\n";
    for (const Remark &remark : remarks)
      m_text += "  " + remark.subject + ": " + remark.text + "\n";
  }

  const Pipeline &m_pipeline;
  std::string m_text;
  std::vector<bool> m_shown;
  std::vector<bool> m_promised; // true: the func is shown further down
  std::deque<FuncId> m_pending;
};

} // namespace

std::string textTree(const Pipeline &pipeline) { return TreeWriter(pipeline).write(); }

} // namespace tessera::pipeline
