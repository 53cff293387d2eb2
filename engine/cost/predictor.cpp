// SPDX-License-Identifier: MIT
#include "engine/cost/predictor.h"

namespace tessera::cost {

using pipeline::Pipeline;
using schedule::Bounds;
using schedule::Schedule;

const Prediction &Predictor::predict(const Schedule &schedule,
                                     std::span<const report::KernelReport> compiled) {
  const Pipeline &pipeline = *schedule.pipeline();
  m_funcs = pipeline.allFuncs();
  const Bounds &bounds = m_room.measure(schedule, m_funcs);
  m_runs.renew(schedule, bounds, m_funcs);
  m_prediction.fromDram = fromDramOf(schedule, m_machine);
  m_prediction.seconds = 0;
  const auto kernels = m_runs.kernels();
  m_prediction.kernels.resize(kernels.size());
  for (std::size_t k = 0; k < kernels.size(); ++k) {
    Prediction::Kernel &kernel = m_prediction.kernels[k];
    load(schedule, bounds, kernels[kernels.size() - 1 - k], kernel.load);
    kernel.time =
        m_timer.timeOfAnother(kernel.load, schedule.settings().registerCap, m_prediction.fromDram,
                              assembledOf(pipeline, kernel.load, compiled));
    m_prediction.seconds += kernel.time.seconds;
  }
  return m_prediction;
}

void Predictor::load(const Schedule &schedule, const Bounds &bounds,
                     const KernelRuns::Kernel &kernel, KernelLoad &load) {
  static_cast<Launch &>(load) = kernel.launch;
  load.stages.clear();
  m_loaded.clear();
  for (const pipeline::StageId stage : kernel.stages) {
    const Run &run = m_runs.of(stage);
    const LoadInputs inputs = inputsOf(schedule, m_machine, m_runs, run, m_loaded, m_scratch);
    load.stages.push_back(loadOf(schedule, bounds, m_machine, m_runs, run, inputs, m_scratch));
  }
  load.dramBytes = dramBytesOf(load.stages);
  addValuesAcross(schedule, bounds, m_runs, kernel.stages, load);
}

} // namespace tessera::cost
