// SPDX-License-Identifier: MIT
#include "engine/tune/candidate_kernels.h"

#include "engine/measure/kernel_content.h"
#include "engine/schedule/bounds/bounds.h"

#include <utility>

namespace tessera::tune {

Result<std::vector<CandidateKernel>> kernelsOf(const schedule::Schedule &schedule) {
  const schedule::Bounds bounds(schedule);
  std::vector<CandidateKernel> kernels;
  for (const pipeline::FuncId func : schedule.pipeline()->allFuncs()) {
    if (!schedule.plan(func).isRoot()) continue;
    auto alone = measure::kernelAlone(schedule, bounds, func);
    if (!alone) return alone.error();
    std::string content = measure::kernelContent(schedule, *alone);
    kernels.push_back({func, std::move(*alone), std::move(content)});
  }
  return kernels;
}

} // namespace tessera::tune
