// SPDX-License-Identifier: MIT
#pragma once

#include "engine/search/beam/beam_sample.h"
#include "engine/search/beam/staged_loads.h"
#include "engine/learn/weights.h"
#include "engine/search/kernels/kernel_search.h"

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::search {

// The algorithm of Anderson et al. 2021, "Learning to Schedule Halide Pipelines for the
// GPU", in its mode "one shot": a batch of samples, of which the one of least cost
// is the result. It serves for comparison, so its result becomes the best even if Tessera's model
// predicts a better time for the start.
class BeamSearch : public KernelSearch {
public:
  // COST=learned needs weights.
  explicit BeamSearch(Problem problem, std::shared_ptr<const learn::Weights> weights = nullptr);

  bool step() override;
  std::string_view phase() const override;
  double progress() const override;
  std::vector<std::string> remarks() const override;
  std::vector<KernelCost> kernelCosts() const override;

  // At the end: the different samples of the batch, and one of them with its loads staged. The
  // first has the least cost.
  std::size_t samples() const { return m_found.size(); }
  schedule::Schedule lowered(std::size_t sample) const;

private:
  bool resetTo(const std::set<pipeline::FuncId> &kept);
  void begin();
  std::unique_ptr<BeamCost> makeCost() const;
  void beginSample();
  void endSample();
  void addSample(const BeamState &found);
  void endStaging();
  void finish();
  void tracePass(const EndedPass &pass);
  void traceSample(const BeamState &found, std::string_view refusal);

  const BeamParameters m_parameters;
  const std::shared_ptr<const learn::Weights> m_weights;
  schedule::KnownLegality m_legality;
  std::set<pipeline::FuncId> m_kept; // funcs of kernels that stay as they are
  std::unique_ptr<BeamCost> m_cost;
  std::unique_ptr<BeamMoves> m_moves;
  std::optional<BeamSample> m_sample;
  std::size_t m_samples = 0;            // that are over
  std::size_t m_staged = 0;             // loads in registers
  std::vector<BeamStatePtr> m_found;    // different samples, the one of least cost first
  BeamStatePtr m_chosen;                // of these, at the end
  std::optional<StagedLoads> m_staging; // of m_chosen
  std::set<pipeline::FuncId> m_frozen;  // by the pre-pass of the beam sample
  bool m_isOver = false;
};

} // namespace tessera::search
