// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"
#include "engine/report/compile_report.h"

#include <map>
#include <string>
#include <string_view>

namespace tessera::halide {

// NVIDIA's assembler, as a child process. Knows nothing of Halide.
struct PtxasRequest {
  std::string program;
  std::string source, object; // files: PTX in, cubin out
  std::string architecture;   // "sm_90"
  int registerCap = 64;       // Halide's runtime compiles with the same limit
};

using AssemblerReports = std::map<std::string, report::AssemblerReport>; // by kernel

Result<AssemblerReports> runPtxas(const PtxasRequest &request);

// What `ptxas -v` wrote.
AssemblerReports parsePtxas(std::string_view text);

} // namespace tessera::halide
