// SPDX-License-Identifier: MIT
#pragma once

#include "engine/search/beam/beam_pass.h"
#include "engine/search/beam/freezing.h"

#include <optional>
#include <string_view>
#include <utility>

namespace tessera::search {

// A batch has one beam sample and many greedy ones (section 8 of Anderson et al. 2021).
enum class SampleKind : std::uint8_t { Beam, Greedy };

// A pass that is over.
struct EndedPass {
  bool isPrePass = false;
  int index = 0; // of the others, from 0
  PassCounts counts = {};
  double cost = 0; // of the best state
};

// One sample: the pre-pass that freezes cheap funcs, then one or several passes.
class BeamSample {
public:
  BeamSample(BeamMoves &moves, const BeamParameters &parameters, SampleKind kind,
             std::uint64_t seed);

  // Continues with some evaluations. Returns false at the end.
  bool step();
  std::size_t takeEvaluations() { return m_pass->takeEvaluations(); }
  std::string_view phase() const { return m_isPrePass ? "pre-pass" : "passes"; }
  double progress() const;
  int pass() const { return m_passes; } // how many passes are over, without the pre-pass
  const FrozenChoices &frozen() const { return m_frozen; }
  // The pass that the last step ended, if it did; each is told once.
  std::optional<EndedPass> takeEnded() { return std::exchange(m_ended, std::nullopt); }

  // The best state so far; at the end, all is decided in it.
  BeamStatePtr best() const { return m_best ? m_best : m_pass->best(); }
  bool isWhole() const { return m_best != nullptr; }

private:
  PassSettings settings() const;
  void beginPass();

  BeamMoves &m_moves;
  const BeamParameters &m_parameters;
  const SampleKind m_kind;
  BeamRandom m_random;
  FrozenChoices m_frozen;
  BeamPass::Hashes m_near;
  BeamStatePtr m_best;
  bool m_isPrePass = false;
  int m_passes = 0;
  std::optional<BeamPass> m_pass;
  std::optional<EndedPass> m_ended;
};

} // namespace tessera::search
