// SPDX-License-Identifier: MIT
#pragma once

#include "engine/search/beam/beam_state.h"
#include "engine/machine/machine.h"
#include "engine/schedule/schedule.h"
#include "engine/search/kernels/group_timer.h"

#include <span>
#include <string_view>
#include <vector>

namespace tessera::search {

// What ranks the states of the beam search. The costs of kernels add up.
class BeamCost {
public:
  virtual ~BeamCost() = default;

  virtual std::string_view name() const = 0;
  // The cost of the kernel of an output and of the funcs that are computed inside of it. `funcs`
  // has all of them in ascending order. Infinite if it cannot be compiled.
  virtual double ofKernel(const schedule::Schedule &schedule, pipeline::FuncId output,
                          std::span<const pipeline::FuncId> funcs) = 0;
  // Finds the costs in a state after the kernels of these outputs were changed.
  virtual void find(BeamState &state, std::span<const pipeline::FuncId> outputs) = 0;
  // By func: its part of the costs of the kernels that it is computed in.
  virtual std::vector<double> ofFuncs(const BeamState &state) = 0;
};

// The seconds that Tessera's own model predicts.
class AnalyticBeamCost : public BeamCost {
public:
  AnalyticBeamCost(const schedule::Schedule &start, const machine::Machine &machine);

  std::string_view name() const override { return "analytic"; }
  double ofKernel(const schedule::Schedule &schedule, pipeline::FuncId output,
                  std::span<const pipeline::FuncId> funcs) override;
  void find(BeamState &state, std::span<const pipeline::FuncId> outputs) override;
  // Operations and loads times points share out the cost of a kernel.
  std::vector<double> ofFuncs(const BeamState &state) override;

private:
  GroupTimer m_timer;
};

} // namespace tessera::search
