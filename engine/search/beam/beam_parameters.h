// SPDX-License-Identifier: MIT
#pragma once

#include "engine/search/parameters.h"

#include <cstdint>

namespace tessera::search {

// What ranks the states of the search.
enum class BeamCostKind : std::uint8_t { Analytic, Learned };
// Which of the enumerated options are evaluated: some of each bucket (section 3), or all.
enum class BeamSampling : std::uint8_t { Buckets, All };
// Whether the loads of unrolled loops are staged in registers (section 6.7): where our rules allow
// it and our cost gains, where our rules allow it, or never.
enum class BeamStaging : std::uint8_t { Gaining, Always, Never };

// The numbers of Anderson et al. 2021. Where the paper has none, PAPER.md says where they are from.
struct BeamParameters {
  double samples = 80;      // a batch: one beam sample, and greedy ones (section 8)
  double rank = 1;          // which sample is the result: the first has the least cost
  double beam = 32;         // states kept by the beam sample (section 6.5)
  double passes = 5;        // of the beam sample
  double keepAll = 1;       // percent of greedy samples in which nothing is dropped
  double cost = 0;          // BeamCostKind
  double sampling = 0;      // BeamSampling
  double freeze = 1;        // 1: cheap funcs are frozen by a pre-pass (section 4)
  double staging = 0;       // BeamStaging
  double penaltyTen = 10;   // added if a state was not near the best of the pass before
  double near = 1.2;        // what counts as near the best
  double recompute = 10;    // most points computed, as a multiple of the least (section 6.6)
  double idleSms = 1.2;     // most idle wastage of multiprocessors
  double idleLanes = 0.5;   // most idle lanes
  double blocksPerSm = 2;   // least blocks per multiprocessor (section 6.3)
  double splitWaste = 7;    // splits that waste more than 1 / 7 of a dimension are dropped
  double unrollBelow = 16;  // serial loops with fewer iterations in all are unrolled (section 6.7)
  double mostUnrolled = 16; // most iterations of serial loops that have to be unrolled
  double mostSerial = 64;   // most iterations of serial loops in a thread
  double mostSerialDim = 8; // most iterations of a serial loop (section 6.1)
  double mostThreadsDim = 16; // most threads along dimensions that are not innermost (section 6.2)
  double threadBytes = 128;   // most bytes of a func in a thread
  double cheap = 10;          // operations and loads of a func that is cheap to compute

  BeamCostKind costKind() const { return static_cast<BeamCostKind>(cost); }
  BeamSampling samplingKind() const { return static_cast<BeamSampling>(sampling); }
  BeamStaging stagingKind() const { return static_cast<BeamStaging>(staging); }

  friend bool operator==(const BeamParameters &, const BeamParameters &) = default;
};

// The parameters that the user of `beam` may change.
const ParameterTable &beamTable();
// The parameters with the given values.
BeamParameters beamParameters(const ParameterValues &values);

} // namespace tessera::search
