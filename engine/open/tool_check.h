// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"
#include "engine/host/tools.h"

#include <array>
#include <cstdint>
#include <stop_token>
#include <string>
#include <string_view>

namespace tessera::open {

// The external tools that Tessera needs.
enum class Tool : std::uint8_t { Halide, Compiler, Assembler, Disassembler, Gpu, Sandbox, Ssh };
inline constexpr std::array kTools{Tool::Halide,       Tool::Compiler, Tool::Assembler,
                                   Tool::Disassembler, Tool::Gpu,      Tool::Sandbox,
                                   Tool::Ssh};
std::string_view name(Tool tool); // "assembler"

// The path where the tool was found; empty if it was not found.
std::string pathOf(Tool tool, const host::ToolPaths &tools);

// Lets the tool do a small piece of its real work and returns a description: "ptxas 13.0.88
// assembles for sm_86 and sm_90". Blocking; run it as a job.
Result<std::string> checkTool(Tool tool, const host::ToolPaths &tools, std::stop_token stop = {});

} // namespace tessera::open
