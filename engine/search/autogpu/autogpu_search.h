// SPDX-License-Identifier: MIT
#pragma once

#include "engine/search/autogpu/autogpu_nest.h"
#include "engine/search/autogpu/autogpu_tile_scan.h"
#include "engine/schedule/rules/known_legality.h"
#include "engine/search/kernels/kernel_search.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::search {

// How funcs are fused: the four variants of AutoGPU that the paper compares.
enum class AutoGpuFusion : std::uint8_t {
  None,    // each func is inlined or a kernel of its own
  Overlap, // the members of a group are computed in the blocks of its output
  Nested,  // members are further inside, in groups that need many resources
  NestedAll,
};

// The algorithm of Sioutas et al. 2020, "Schedule Synthesis for Halide Pipelines on GPUs", section
// 4, with the cost model of that paper. It serves for comparison, so its final result becomes the
// best even if Tessera's model predicts a better time for the start. The reported seconds are those
// of Tessera's model.
class AutoGpuSearch : public KernelSearch {
public:
  AutoGpuSearch(Problem problem, AutoGpuFusion fusion);

  bool step() override;
  std::string_view phase() const override;
  double progress() const override;
  std::vector<std::string> remarks() const override;
  // The terms of listing 1 for each kernel with tiles. Costs are those of all tiles together.
  std::vector<KernelCost> kernelCosts() const override;

private:
  // Tiles is only there if funcs are inlined by untiled costs, which come before.
  enum class Phase : std::uint8_t { Kernels, Inlining, Tiles, Grouping, FinalTiles, Nesting, Done };
  static constexpr int kPhases = 6;

  // A kernel: a group and the best tiles found for it.
  struct Kernel {
    search::AutoGpuGroup group;
    AutoGpuTiling tiling;
    bool isWritten = false; // true: written into the schedule; false: it has the default loops
  };
  // A possible merge of a func: its group is merged into one other group, or the func is inlined
  // into all groups that read it.
  struct Merge {
    std::vector<search::AutoGpuGroup> groups; // the groups after the merge
    std::vector<Kernel> evaluated;            // the groups evaluated so far
    double benefit = 0;
    bool isKnown = false;
    bool isPossible = true; // false: some group has no tiles that the paper allows
  };
  // Tiles and tails with which a kernel may be written. Each step tries one attempt.
  struct Attempt {
    AutoGpuTiling tiling;
    AutoGpuTails tails = AutoGpuTails::Automatic;
    bool isBest = true; // false: another tiling costs less
  };
  // How often something was done that is not in the paper.
  struct Counts {
    std::size_t wideKernels = 0;    // tiled along dimensions that the paper leaves whole
    std::size_t thinnedScans = 0;   // not all tilings were evaluated
    std::size_t smallKernels = 0;   // no tiling is valid by listing 1
    std::size_t laterTilings = 0;   // the best tiling is not legal, and a later one is
    std::size_t defaultKernels = 0; // no tiling is legal
    std::size_t refusedInlinings = 0, refusedMerges = 0, refusedNestings = 0;
    std::size_t keptFuncs = 0; // of kernels with frozen decisions
  };

  // After the evaluations have run out, the unfinished result counts only if it is better than the
  // start.
  enum class Ending : std::uint8_t { Whole, OutOfEvaluations };

  void begin();
  void listKernels();
  bool isAllowed(const schedule::Schedule &schedule);
  void enter(Phase phase);
  void work();
  void scan(search::AutoGpuGroup group, search::AutoGpuPhase phase);
  void scanned();
  void valueUntiled(Kernel &kernel);
  void listAttempts(const AutoGpuTileScan &scan, const Kernel &kernel);
  void finish(Ending ending);
  void raiseRegisterCap();

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
  bool isSevere(const Kernel &kernel) const;

  void traceTrivial(const schedule::Schedule &before);
  void traceMerge(pipeline::FuncId producer, const Merge &merge, TraceOutcome outcome,
                  const schedule::Schedule *refused);
  void traceAttempt(const Kernel &kernel, const AutoGpuTiling &tiling, TraceOutcome outcome,
                    const schedule::Schedule *refused);

  AutoGpuFusion m_fusion;
  const AutoGpuForm m_form;
  schedule::KnownLegality m_legality;
  std::set<pipeline::FuncId> m_kept, m_held; // as in AutoGpuStart
  Counts m_counts;
  std::map<pipeline::FuncId, Kernel> m_kernels; // indexed by the output of the kernel
  std::map<pipeline::FuncId, Merge> m_merges;   // indexed by the merged func
  std::optional<AutoGpuTileScan> m_scan;
  std::vector<pipeline::FuncId> m_order; // funcs to work on in this phase
  std::size_t m_next = 0;
  std::vector<Attempt> m_attempts; // the next attempt is the last element
  Phase m_phase = Phase::Done;
  bool m_isWhole = false; // true: it has ended, and the result is its own
};

} // namespace tessera::search
