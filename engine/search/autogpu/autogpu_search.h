// SPDX-License-Identifier: MIT
#pragma once

#include "engine/search/autogpu/autogpu_nest.h"
#include "engine/search/autogpu/autogpu_tile_scan.h"
#include "engine/search/kernels/kernel_search.h"

#include <map>
#include <optional>
#include <set>

namespace tessera::search {

// What of AutoGPU is in use: the four schedules that the paper compares.
enum class AutoGpuFusion : std::uint8_t {
  None,    // each func inlined or a kernel of its own
  Overlap, // members of a group in the blocks of its output
  Nested,  // and further inside where a group asks for much
  NestedAll,
};

// Sioutas et al. 2020, "Schedule Synthesis for Halide Pipelines on GPUs", section 4, step by step,
// with the cost model of that paper. Its result is the best once it is there, also where our own
// model likes the start better: it is here to compare with. What it takes is by our model, as
// always.
class AutoGpuSearch : public KernelSearch {
public:
  AutoGpuSearch(Problem problem, AutoGpuFusion fusion);

  bool step() override;
  std::string_view phase() const override;
  double progress() const override;

private:
  enum class Phase : std::uint8_t { Kernels, Inlining, Grouping, FinalTiles, Nesting, Done };
  static constexpr int kPhases = 5;

  // A kernel: a group and the best tiles known for it.
  struct Kernel {
    search::AutoGpuGroup group;
    AutoGpuTiling tiling;
    bool isWritten = false; // into the schedule; else it has the loops of the default
  };
  // What a func could be merged into: one group, or all that read it when it is inlined.
  struct Merge {
    std::vector<search::AutoGpuGroup> groups; // afterwards
    std::vector<Kernel> evaluated;            // of those
    double benefit = 0;
    bool isKnown = false;
  };
  // Ways to write a kernel, one tried a step.
  struct Attempt {
    AutoGpuTiling tiling;
    AutoGpuTails tails = AutoGpuTails::Automatic;
  };

  // Out of evaluations, what there is counts too, if it is better than the start.
  enum class Ending : std::uint8_t { Whole, OutOfEvaluations };

  void begin();
  void enter(Phase phase);
  void work();
  void scan(search::AutoGpuGroup group, search::AutoGpuPhase phase);
  void scanned();
  void finish(Ending ending);

  void nextKernel();
  void nextMerge();
  std::optional<Merge> mergeOf(pipeline::FuncId producer) const;
  void valueMerge(Merge &merge, pipeline::FuncId producer) const;
  void adopt(pipeline::FuncId producer, const Merge &merge);
  std::optional<schedule::Schedule> perform(pipeline::FuncId producer, const Merge &merge) const;
  void nextFinalTiles();
  void tryAttempt();
  void nextNesting();
  bool wantsNesting(const Kernel &kernel) const;

  AutoGpuFusion m_fusion;
  std::set<pipeline::FuncId> m_kept;
  std::map<pipeline::FuncId, Kernel> m_kernels; // by output
  std::map<pipeline::FuncId, Merge> m_merges;   // by what is merged
  std::optional<AutoGpuTileScan> m_scan;
  std::vector<pipeline::FuncId> m_order; // of work in this phase
  std::size_t m_next = 0;
  std::vector<Attempt> m_attempts; // the next last
  Phase m_phase = Phase::Done;
};

} // namespace tessera::search
