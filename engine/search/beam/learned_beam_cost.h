// SPDX-License-Identifier: MIT
#pragma once

#include "engine/search/beam/beam_cost.h"
#include "engine/learn/cost_model.h"

namespace tessera::search {

// What the network of section 7 of Anderson et al. 2021 says. It sees all stages of a schedule at
// once; those that are not decided yet count as kernels of their own, and cost nothing.
class LearnedBeamCost : public BeamCost {
public:
  LearnedBeamCost(const learn::Weights &weights, const machine::Machine &machine)
      : m_model(weights, machine) {}

  std::string_view name() const override { return "learned"; }
  // With the funcs that are inlined into the kernel.
  double ofKernel(const schedule::Schedule &schedule, pipeline::FuncId output,
                  std::span<const pipeline::FuncId> funcs) override;
  // An inlined func has a cost of its own, so that several kernels may read it.
  void find(BeamState &state, std::span<const pipeline::FuncId> outputs) override;
  std::vector<double> ofFuncs(const BeamState &state) override;

private:
  learn::CostModel m_model;
};

} // namespace tessera::search
