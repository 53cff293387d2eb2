// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/measure/measurer.h"

#include <functional>
#include <stop_token>
#include <string>
#include <vector>

namespace tessera::views {

// A schedule to measure or to verify, and the file that its pipeline was read from.
struct MeasureWish {
  open::PipelineFiles file;
  schedule::Schedule schedule;
  std::string contentSha256;             // of the file; empty: it is not known yet
  std::string host;                      // to measure on, as ssh knows it; empty: this computer
  bool counts = false;                   // also by NVIDIA's profiler
  int seed = 1;                          // of random inputs
  std::vector<bench::GivenInput> inputs; // the others
};

// What the explorer needs of the engine to measure, as functions, so that a test needs no GPU. All
// block; any thread.
struct MeasureService {
  // The GPU of a host by its name, which is connected to if need be; refused where there is none,
  // with why.
  std::function<Result<std::string>(const std::string &host, std::stop_token,
                                    const job::ProgressCallback &)>
      gpu;
  std::function<measure::MeasureAnswer(const MeasureWish &, std::stop_token,
                                       const job::ProgressCallback &)>
      measure;
  std::function<Result<measure::VerifiedHere>(const MeasureWish &, std::stop_token,
                                              const job::ProgressCallback &)>
      verify;          // needs no GPU
  std::string program; // version and commit, as a measurement has them
};

MeasureService measureService(const host::ToolPaths &tools);

} // namespace tessera::views
