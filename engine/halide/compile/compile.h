// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"
#include "engine/halide/import/import.h"
#include "engine/machine/machine.h"
#include "engine/report/compile_report.h"
#include "engine/schedule/words/directive.h"

#include <Halide.h>

#include <string>
#include <utility>
#include <vector>

namespace tessera::halide {

enum class CompileTarget { Cuda, OpenCl, Host };

// What a "compile" request asks for. Paths of tools may be empty: what they would do is left out
// and the report says so once.
struct CompileOptions {
  ImportOptions import;
  std::vector<schedule::Directive> directives;
  CompileTarget target = CompileTarget::Cuda;
  int capability = 86; // of the PTX; the newest that Halide 21 names
  int registerCap = 64;
  machine::Limits limits;             // of the GPU that it is for: what a launch may not exceed
  std::string architecture = "sm_90"; // that ptxas assembles for
  std::string ptxas, linker, disassembler;
  std::string output;  // the bundle's folder
  std::string scratch; // where it is filled; empty: beside it
  // Of the file without the schedule that this one has in it; empty: it is that file itself. What a
  // bundle's outputs have to be is told by this.
  std::string algorithmSha256;
  std::string cache; // folder of what all bundles share: the runtime; empty: beside `output`
  bool wantLowered = false, wantSass = false;
  bool small = false; // at the narrowest size that its tiles fit in, for a sanitizer
};

struct Compiled {
  report::CompileReport report;
  std::vector<std::pair<std::string, double>> seconds; // of each phase, for benchmarks
};

// Halide's word for where the code runs. GPU code is driven by a host that may be another than this
// one, so its host half uses no newer instructions than every x86-64 has.
Result<Halide::Target> halideTarget(CompileTarget target, int capability);

// Applies the directives to a fresh copy of the prepared pipeline's file, compiles it and writes
// the bundle.
Result<Compiled> compileBundle(const PreparedPipeline &prepared, const CompileOptions &options,
                               const PhaseCallback &phase = {});

} // namespace tessera::halide
