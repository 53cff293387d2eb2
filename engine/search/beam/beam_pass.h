// SPDX-License-Identifier: MIT
#pragma once

#include "engine/search/beam/beam_moves.h"
#include "engine/search/beam/sampling.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <unordered_set>
#include <utility>
#include <vector>

namespace tessera::search {

// What a pre-pass has decided about a func (section 4): both of its options.
struct FrozenChoice {
  BeamOption place;
  std::optional<BeamOption> tile; // only of a kernel
  double cost = 0;                // its part of the cost of what the pre-pass found

  friend bool operator==(const FrozenChoice &a, const FrozenChoice &b) {
    return a.place.place == b.place.place && a.tile.has_value() == b.tile.has_value() &&
           (!a.tile || a.tile->tile == b.tile->tile);
  }
};
using FrozenChoices = std::map<pipeline::FuncId, FrozenChoice>;

struct PassSettings {
  BeamSpace space = BeamSpace::All;
  std::size_t beam = 32;
  int index = 0;          // of the pass, from 0: hashes are up to this depth (section 6.4)
  bool penalises = false; // section 6.5
  double keepChance = 1;  // that a state is not dropped (greedy samples)
};

// A state whose options are being evaluated.
struct BeamExpansion {
  BeamStatePtr state;
  const std::vector<BeamOption> *options = nullptr;
  std::vector<BeamOption> own; // what `options` points to, if they are of this state alone
  std::vector<BeamBucket> buckets;
  std::size_t bucket = 0, option = 0, found = 0;
  bool hasChild = false;
};

// What a pass has done so far.
struct PassCounts {
  std::size_t states = 0;    // that it went on from
  std::size_t buckets = 0;   // of their options
  std::size_t evaluated = 0; // options
  std::size_t kept = 0;      // of these: neither pruned nor illegal
};

// One pass of the beam search (section 6 of Anderson et al. 2021) over all funcs, two phases each.
class BeamPass {
public:
  // Hashes of states that were near the best in a pass, at its depth.
  using Hashes = std::unordered_set<std::uint64_t>;

  BeamPass(BeamMoves &moves, const BeamParameters &parameters, PassSettings settings,
           const FrozenChoices &frozen, const Hashes &near, BeamRandom &random);

  // Continues with some evaluations. Returns false at the end.
  bool step();
  std::size_t takeEvaluations() { return std::exchange(m_evaluations, 0); }
  double progress() const;
  const PassCounts &counts() const { return m_counts; }

  // At the end: the best state, in which all is decided. Before: the best of the states that the
  // pass goes on from.
  BeamStatePtr best() const;
  // At the end: the hashes for the next pass.
  Hashes nearHashes() const;

private:
  struct Entry {
    double cost = 0;
    std::size_t number = 0; // the earlier one of equal costs is first
    bool isPenalised = false;
    BeamStatePtr state;

    friend bool operator<(const Entry &a, const Entry &b) {
      return a.cost != b.cost ? a.cost < b.cost : a.number < b.number;
    }
  };

  pipeline::FuncId func() const { return m_moves.order()[m_decision / 2]; }
  bool isTilePhase() const { return m_decision % 2 == 1; }
  std::optional<BeamStatePtr> pop();
  bool isMovedBack(Entry &entry);
  void expand(BeamStatePtr state);
  void evaluateNext();
  void endExpansion();
  void add(BeamStatePtr state);
  void nextDecision();

  BeamMoves &m_moves;
  const BeamParameters &m_parameters;
  const PassSettings m_settings;
  const FrozenChoices &m_frozen;
  const Hashes &m_near;
  BeamRandom &m_random;
  std::map<std::uint64_t, std::size_t> m_seen; // in this decision, by hash one deeper than the pass
  std::set<Entry> m_queue, m_next;
  std::size_t m_decision = 0, m_expanded = 0, m_numbers = 0, m_evaluations = 0;
  PassCounts m_counts;
  std::optional<BeamExpansion> m_expansion;
};

} // namespace tessera::search
