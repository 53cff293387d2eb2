// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"
#include "engine/report/compile_report.h"

#include <map>
#include <string>
#include <string_view>

namespace tessera::halide {

// One run of ptxas, NVIDIA's assembler, as a child process. Nothing here depends on Halide.
struct PtxasRequest {
  std::string program;
  std::string source, object; // files: PTX as input, cubin as output
  std::string architecture;   // "sm_90"
  int registerCap = 64;       // per thread; 64 is the cap that Halide's runtime uses by default
};

using AssemblerReports = std::map<std::string, report::AssemblerReport>; // by kernel name

Result<AssemblerReports> runPtxas(const PtxasRequest &request);

// Reads the output of `ptxas -v`.
AssemblerReports parsePtxas(std::string_view text);

} // namespace tessera::halide
