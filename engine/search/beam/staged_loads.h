// SPDX-License-Identifier: MIT
#pragma once

#include "engine/search/beam/beam_cost.h"
#include "engine/search/beam/beam_parameters.h"
#include "engine/machine/machine.h"
#include "engine/schedule/rules/known_legality.h"
#include "engine/search/kernels/frozen_decisions.h"

#include <cstddef>
#include <vector>

namespace tessera::search {

// Section 6.7 of Anderson et al. 2021: what a thread loads of producers, also through inlined
// funcs, is copied into registers first. A func with unrolled loops reads copies of what is in
// memory, which each thread computes just outside of these loops.
class StagedLoads {
public:
  StagedLoads(const schedule::Schedule &schedule, const machine::Machine &machine,
              const BeamParameters &parameters, BeamCost &cost);

  // Tries one copy. Returns false at the end.
  bool step();
  // The schedule with the copies that were staged.
  const schedule::Schedule &schedule() const { return m_schedule; }
  std::size_t staged() const { return m_staged; }

private:
  bool isStaged(pipeline::FuncId copy);
  double costAround(const schedule::Schedule &schedule, pipeline::StageId reader);

  const schedule::Schedule m_before; // without copies
  schedule::Schedule m_schedule;
  const BeamParameters m_parameters;
  BeamCost &m_cost;
  FrozenDecisions m_frozen;
  schedule::KnownLegality m_legality;
  std::vector<pipeline::FuncId> m_copies;
  std::size_t m_next = 0, m_staged = 0;
};

} // namespace tessera::search
