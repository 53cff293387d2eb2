// SPDX-License-Identifier: MIT
#pragma once

#include "engine/halide/compile/extern_functions.h"
#include "engine/halide/compile/reference.h"
#include "engine/base/result.h"
#include "engine/halide/import/import.h"
#include "engine/machine/machine.h"
#include "engine/report/compile_report.h"
#include "engine/schedule/words/directive.h"

#include <Halide.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tessera::halide {

enum class CompileTarget { Cuda, OpenCl, Host };

// What a "compile" request asks for. The path of a tool may be empty: then its step is skipped, and
// the report says so once.
struct CompileOptions {
  ImportOptions import;
  std::vector<schedule::Directive> directives;
  CompileTarget target = CompileTarget::Cuda;
  int capability = 86; // compute capability of the PTX; 86 (8.6) is the newest that Halide 21 knows
  int registerCap = 64;
  machine::Limits limits;             // of the target GPU: what a launch may not exceed
  std::string architecture = "sm_90"; // the architecture that ptxas assembles for
  std::string ptxas, linker, disassembler;
  std::string output;  // the bundle's folder
  std::string scratch; // where the bundle is filled; empty: beside `output`
  // If the pipeline file is a copy of another one with a schedule added: the checksum of that other
  // file, against which a bundle's outputs are verified. Else empty.
  std::string algorithmSha256;
  std::string cache; // folder for what bundles share (the runtime); empty: beside `output`
  bool wantLowered = false, wantSass = false;
  bool small = false; // for the narrowest size that holds the tiles, to run under a sanitizer
  // Computes the reference on the host, in this form. There are no directives then, and the report
  // says how floats get into each output.
  std::optional<ReferenceForm> reference;
  std::optional<LinkedFunctions> functions; // of extern stages
};

struct Compiled {
  report::CompileReport report;
  std::vector<std::pair<std::string, double>> seconds; // duration of each phase, for benchmarks
};

// Halide's target for the code. A bundle with GPU code may run on another host, so its host code
// uses only instructions that every x86-64 processor has.
Result<Halide::Target> halideTarget(CompileTarget target, int capability);

// Applies the directives to a fresh copy of the prepared pipeline's file, compiles it and writes
// the bundle.
Result<Compiled> compileBundle(const PreparedPipeline &prepared, const CompileOptions &options,
                               const PhaseCallback &phase = {});

} // namespace tessera::halide
