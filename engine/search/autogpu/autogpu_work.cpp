// SPDX-License-Identifier: MIT
#include "engine/search/autogpu/autogpu_work.h"

#include <algorithm>
#include <cstdint>
#include <functional>

namespace tessera::search {

using pipeline::Func;
using pipeline::FuncId;
using pipeline::Pipeline;
using pipeline::Producer;
using pipeline::Stage;

namespace {

// The work of a stage in one evaluation, with the work of the funcs inlined into it.
struct Work {
  double operations = 0;
  std::vector<double> funcBytes, inputBytes; // bytes loaded, by producer
};

// The paper builds on the costs of Halide's CPU scheduler. There an operation counts 1, a load adds
// 1, and a call of the mathematics library counts as below, by the width of its result. Loads have
// no weight here because addLoad() counts them, together with their bytes.
double weightOf(const pipeline::OpCount &operation) {
  if (operation.kind == pipeline::OpKind::Load) return 0;
  if (operation.kind != pipeline::OpKind::Transcendental) return 1;
  return operation.type.bits == 64 ? 20 : operation.type.bits == 32 ? 10 : 5;
}

class WorkCounter {
public:
  WorkCounter(const Pipeline &pipeline, std::span<const FuncId> inlined)
      : m_pipeline(pipeline), m_inlined(inlined.begin(), inlined.end()) {
    // Funcs are numbered producers first, so this visits consumers before what they call.
    std::ranges::sort(m_inlined, std::greater());
  }

  Work of(const Stage &stage) const {
    Work work{0, std::vector<double>(m_pipeline.funcs().size()),
              std::vector<double>(m_pipeline.inputs().size())};
    std::vector<double> calls(m_pipeline.funcs().size());
    add(stage, 1, work, calls);
    for (const FuncId func : m_inlined)
      if (const double times = calls[index(func)]; times > 0)
        add(m_pipeline.stagesOf(func).front(), times, work, calls);
    return work;
  }

private:
  void add(const Stage &stage, double times, Work &work, std::vector<double> &calls) const {
    for (const pipeline::OpCount &operation : stage.operations)
      work.operations += times * operation.count * weightOf(operation);
    for (const pipeline::Access &load : stage.loads)
      addLoad(load, times * load.count, work, calls);
  }

  void addLoad(const pipeline::Access &load, double times, Work &work,
               std::vector<double> &calls) const {
    const std::uint32_t from = load.producer.index;
    if (load.producer.kind == Producer::Kind::Input) {
      const pipeline::Input &input = m_pipeline.inputs()[from];
      if (input.isScalar) return; // scalars are arguments of the kernel
      work.inputBytes[from] += times * input.type.bytes();
    } else if (std::ranges::find(m_inlined, FuncId{from}) != m_inlined.end()) {
      calls[from] += times;
      return;
    } else {
      const Func &func = m_pipeline.funcs()[from];
      work.funcBytes[from] += times * func.types[load.tupleElement].bytes();
    }
    work.operations += times;
  }

  const Pipeline &m_pipeline;
  std::vector<FuncId> m_inlined;
};

std::vector<FuncId> together(std::span<const FuncId> members, std::span<const FuncId> inlined) {
  std::vector<FuncId> funcs(members.begin(), members.end());
  funcs.insert(funcs.end(), inlined.begin(), inlined.end());
  return funcs;
}

} // namespace

AutoGpuWork::AutoGpuWork(const Pipeline &pipeline, FuncId output, std::span<const FuncId> members,
                         std::span<const FuncId> inlined)
    : m_plan(pipeline, together(members, inlined), output) {
  const WorkCounter counter(pipeline, inlined);
  const auto entries = m_plan.entries();
  for (std::size_t own = 0; own < entries.size(); ++own) {
    const FuncId func{entries[own].producer.index};
    if (entries[own].producer.kind != Producer::Kind::Func ||
        std::ranges::find(members, func) == members.end())
      continue;
    for (const pipeline::StageId id : pipeline.stageIdsOf(func)) {
      const Work work = counter.of(pipeline.stage(id));
      StageWork &of = m_stages.emplace_back(StageWork{id, own, work.operations, {}});
      for (std::size_t e = 0; e < entries.size(); ++e) {
        const Producer from = entries[e].producer;
        const double bytes = from.kind == Producer::Kind::Func ? work.funcBytes[from.index]
                                                               : work.inputBytes[from.index];
        if (bytes > 0) of.loads.push_back({e, bytes});
      }
    }
  }
}

} // namespace tessera::search
