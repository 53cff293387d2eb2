// SPDX-License-Identifier: MIT
#pragma once

#include "engine/search/beam/beam_cost.h"
#include "engine/search/beam/beam_nest.h"
#include "engine/search/beam/beam_parameters.h"
#include "engine/search/beam/beam_places.h"
#include "engine/search/beam/beam_state.h"
#include "engine/schedule/bounds/bounds_room.h"
#include "engine/schedule/rules/known_legality.h"
#include "engine/search/kernels/frozen_decisions.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

namespace tessera::search {

// What a pass may choose from: all of section 6, or only kernels and inlining, as the pre-pass of
// section 4 does.
enum class BeamSpace : std::uint8_t { All, RootOrInline };

// The options for a func in a state, and the states that they lead to (section 6 of Anderson et al.
// 2021).
class BeamMoves {
public:
  // `kept` are kernels of the start that stay as they are. All others begin anew.
  BeamMoves(const schedule::Schedule &start, const schedule::Schedule &anew,
            const std::set<pipeline::FuncId> &kept, const machine::Machine &machine,
            const BeamParameters &parameters, BeamCost &cost);

  BeamStatePtr initial() const { return m_initial; }
  // The funcs to decide, from the outputs on: each after all that read it.
  const std::vector<pipeline::FuncId> &order() const { return m_order; }

  // Phase 1: where a func may be computed.
  std::vector<BeamOption> places(const BeamState &state, pipeline::FuncId func, BeamSpace space);
  // Phase 2: the tiles of a func's kernel. They are the same in all states.
  const std::vector<BeamOption> &tiles(pipeline::FuncId func);
  // Whether inlining is evaluated whatever is sampled, as section 6 asks for cheap funcs.
  bool isCheap(pipeline::FuncId func) const;

  // The state after a choice. Nothing if it is pruned (section 6.6) or not legal.
  BeamStatePtr applied(const BeamStatePtr &state, pipeline::FuncId func, const BeamOption &option);
  // The func stays the kernel that it is while it is not decided. That is always legal.
  BeamStatePtr asItIs(const BeamStatePtr &state, pipeline::FuncId func, const BeamOption &option);

  // By func: its part of the costs of the kernels that it is computed in.
  std::vector<double> costsOf(const BeamState &state) { return m_cost.ofFuncs(state); }

private:
  // The loops of a kernel with a tile, and its cost. No loops: the tile is not legal.
  struct KnownKernel {
    std::optional<schedule::FuncPlan> plan;
    double cost = 0;
  };

  bool isOpen(pipeline::FuncId output) const { return !m_kept.contains(output); }
  BeamState decided(const BeamStatePtr &state, pipeline::FuncId func, const BeamOption &option);
  void addBlockOptions(const BeamState &state, pipeline::FuncId func, const BeamPlaces &places,
                       std::vector<BeamOption> &options);
  BeamSizes extentsIn(const BeamState &state, pipeline::FuncId func, const BeamPlaces &places);
  std::optional<schedule::FuncPlan> planOf(const BeamState &state, pipeline::FuncId func,
                                           const BeamOption &option, BeamTails tails);
  std::optional<schedule::Schedule> written(const BeamState &state, pipeline::FuncId func,
                                            const BeamOption &option);
  const KnownKernel &knownKernel(const BeamState &state, pipeline::FuncId func,
                                 const BeamOption &option);
  bool isEvaluated(BeamState &next, const BeamState &before, pipeline::FuncId func,
                   const BeamOption &option);
  bool isPruned(const schedule::Schedule &schedule, pipeline::FuncId func, const BeamOption &option,
                std::span<const pipeline::FuncId> funcs);
  std::set<pipeline::FuncId> kernelsAround(const BeamState &state, pipeline::FuncId func) const;

  const schedule::Schedule m_start;
  const pipeline::PipelinePtr m_pipeline;
  const std::set<pipeline::FuncId> m_kept;
  const machine::Machine m_machine;
  const BeamParameters m_parameters;
  BeamCost &m_cost;
  FrozenDecisions m_frozen;
  schedule::KnownLegality m_legality;
  schedule::ShapeRoom m_room;
  BeamStatePtr m_initial;
  std::vector<pipeline::FuncId> m_order;
  std::map<pipeline::FuncId, std::vector<BeamTile>> m_tiles;
  std::map<pipeline::FuncId, std::vector<BeamOption>> m_tileOptions;
  std::map<std::pair<pipeline::FuncId, std::uint32_t>, KnownKernel> m_known; // by func and tile
};

} // namespace tessera::search
