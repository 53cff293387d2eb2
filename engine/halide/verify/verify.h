// SPDX-License-Identifier: MIT
#pragma once

#include "engine/halide/verify/realize.h"
#include "engine/base/outcome.h"
#include "engine/base/result.h"
#include "engine/halide/compile/compile.h"
#include "engine/halide/import/import.h"
#include "engine/report/verify_report.h"

#include <cstdint>
#include <memory>
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
  // Interpret what Halide lowers for CUDA instead of running it: `target` is Cuda then.
  bool isInterpreted = false;
  bool driverOptimizes = true;      // whether the CUDA driver optimises (driver_compiler.h)
  std::vector<InputFile> inputs;    // inputs without a file are random by `seed`
  report::GivenTolerance tolerance; // what is not given follows from the types of the outputs
  std::string outputs;              // folder to write the outputs to (keepOutputs); empty: none
  std::string functions;            // library with the functions of extern stages; empty: none
};

struct VerifyResult {
  Outcome outcome = Outcome::Ok; // also Ok if the outputs differ; `report` shows that
  report::VerifyReport report;
  Error error;
};

// The outcome of a failed run. Halide's runtime reports only a text, so the text decides.
Outcome outcomeOfRun(std::string_view complaint);

// Runs schedules and compares their outputs with a reference: the same pipeline on the host, with
// every func in memory of its own. Keeps the last references, since thousands of schedules are
// verified against one pipeline.
class Verifier {
public:
  Verifier();
  ~Verifier();

  // `full` is the pipeline under the estimates of the request.
  VerifyResult verify(const std::shared_ptr<const PreparedPipeline> &full,
                      const VerifyOptions &options, const PhaseCallback &phase = {});

  int referenceRuns() const; // number of reference runs so far

private:
  struct Impl;
  std::unique_ptr<Impl> m_impl;
};

} // namespace tessera::halide
