// SPDX-License-Identifier: MIT
#pragma once

#include "engine/cost/prediction.h"
#include "engine/cost/load/kernel_load.h"
#include "engine/cost/load/kernel_runs.h"
#include "engine/cost/time/kernel_time.h"
#include "engine/schedule/bounds/bounds_room.h"

#include <span>
#include <utility>
#include <vector>

namespace tessera::cost {

// Predicts one schedule after another, each from scratch. Only allocated memory and the known reads
// of a pipeline's stages are kept. For small changes of one schedule, use Evaluator.
class Predictor {
public:
  explicit Predictor(const machine::Machine &machine) : m_machine(machine) {}
  Predictor(const Predictor &) = delete;
  Predictor &operator=(const Predictor &) = delete;

  // The reference is valid until the next call.
  const Prediction &predict(const schedule::Schedule &schedule,
                            std::span<const report::KernelReport> compiled = {});
  Prediction take() && { return std::move(m_prediction); } // the last prediction

private:
  void load(const schedule::Schedule &schedule, const schedule::Bounds &bounds,
            const KernelRuns::Kernel &kernel, KernelLoad &load);

  const machine::Machine &m_machine;
  schedule::ShapeRoom m_room;
  KernelRuns m_runs;
  LoadScratch m_scratch;
  LoadedByThread m_loaded;
  std::vector<pipeline::FuncId> m_funcs;
  KernelTimer m_timer{m_machine};
  Prediction m_prediction;
};

} // namespace tessera::cost
