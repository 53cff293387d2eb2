// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/outcome.h"
#include "engine/base/result.h"
#include "engine/halide/compile/compile.h"
#include "engine/halide/import/import.h"
#include "engine/halide/verify/realize.h"
#include "engine/report/verify_report.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::halide {

struct VerifyOptions {
  ImportOptions import;
  std::vector<schedule::Directive> directives;
  CompileTarget target = CompileTarget::OpenCl;
  std::uint64_t seed = 1;
  bool small = false;
  bool driverOptimizes = true;     // what it compiles for CUDA (driver_compiler.h)
  std::vector<InputFile> inputs;   // the others are seeded
  std::optional<double> tolerance; // of floats; none: by their type
  std::string outputs;             // a folder to leave them in (keepOutputs); empty: none
};

struct VerifyResult {
  Outcome outcome = Outcome::Ok; // Ok also where the outputs differ: the report says so
  report::VerifyReport report;
  Error error;
};

// How a run ended of which Halide's runtime wrote this: a text is all that it tells.
Outcome outcomeOfRun(std::string_view complaint);

// Runs schedules and compares with the same pipeline, every func in memory of its own, on the host.
// Keeps what the last pipelines gave, since thousands of schedules are asked about for one.
class Verifier {
public:
  Verifier();
  ~Verifier();

  // `full` is the pipeline under the estimates of the request.
  VerifyResult verify(const std::shared_ptr<const PreparedPipeline> &full,
                      const VerifyOptions &options, const PhaseCallback &phase = {});

  int referenceRuns() const; // so far

private:
  struct Impl;
  std::unique_ptr<Impl> m_impl;
};

} // namespace tessera::halide
