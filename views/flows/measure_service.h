// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/measure/measurer.h"

#include <functional>
#include <stop_token>
#include <string>
#include <vector>

namespace tessera::views {

// A schedule to measure or to verify, and the file from which its pipeline was read.
struct MeasureWish {
  open::PipelineFiles file;
  schedule::Schedule schedule;
  std::string contentSha256;             // hash of the file; empty: not known yet
  std::string host;                      // where to measure, as ssh knows it; empty: this computer
  bool counts = false;                   // also read counters with NVIDIA's profiler
  int seed = 1;                          // seed of the random inputs
  std::vector<bench::GivenInput> inputs; // inputs that are not random
  report::GivenTolerance tolerance;      // what the user allows
};

// What the explorer needs from the engine for measuring, as functions, so that a test needs no GPU.
// All block and may be called on any thread.
struct MeasureService {
  // Connects to the host if necessary and returns its GPU's name, or an error that says why there
  // is none.
  std::function<Result<std::string>(const std::string &host, std::stop_token,
                                    const job::ProgressCallback &)>
      gpu;
  std::function<measure::MeasureAnswer(const MeasureWish &, std::stop_token,
                                       const job::ProgressCallback &)>
      measure;
  std::function<Result<measure::VerifiedHere>(const MeasureWish &, std::stop_token,
                                              const job::ProgressCallback &)>
      verify;          // needs no GPU
  std::string program; // version and commit, recorded with each measurement
};

MeasureService measureService(const host::ToolPaths &tools);

} // namespace tessera::views
