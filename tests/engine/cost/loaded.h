// SPDX-License-Identifier: MIT
#pragma once

#include "engine/cost/prediction.h"
#include "tests/engine/schedule/scheduled.h"

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::cost::testing {

// The predicted load of each kernel of a schedule that is given as text. The machine is an H200
// unless the test names another.
class Loaded {
public:
  Loaded(std::string_view pipeline, std::string_view directives,
         const machine::Machine &machine = {})
      : m_schedule(schedule::testing::scheduled(pipeline, directives)) {
    for (const Prediction::Kernel &kernel : predict(m_schedule, machine).kernels)
      m_kernels.push_back(kernel.load);
  }

  const std::vector<KernelLoad> &kernels() const { return m_kernels; }
  const StageLoad &stage(std::string_view name) const {
    const pipeline::StageId id = schedule::testing::stageOf(m_schedule, name);
    for (const KernelLoad &kernel : m_kernels)
      for (const StageLoad &stage : kernel.stages)
        if (stage.stage == id) return stage;
    throw std::invalid_argument("inlined: " + std::string(name));
  }
  // The kernel that computes a stage.
  const KernelLoad &kernel(std::string_view name) const {
    for (const KernelLoad &kernel : m_kernels)
      for (const StageLoad &of : kernel.stages)
        if (&of == &stage(name)) return kernel;
    throw std::invalid_argument("in no kernel: " + std::string(name));
  }

private:
  schedule::Schedule m_schedule;
  std::vector<KernelLoad> m_kernels;
};

} // namespace tessera::cost::testing
