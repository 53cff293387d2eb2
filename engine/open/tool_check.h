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

// What we need of others, and what each of it is for.
enum class Tool : std::uint8_t { Halide, Compiler, Assembler, Disassembler, Gpu, Sandbox, Ssh };
inline constexpr std::array kTools{Tool::Halide,       Tool::Compiler, Tool::Assembler,
                                   Tool::Disassembler, Tool::Gpu,      Tool::Sandbox,
                                   Tool::Ssh};
std::string_view name(Tool tool); // "assembler"

// Where it was found; empty: nowhere.
std::string pathOf(Tool tool, const host::ToolPaths &tools);

// Has it do what we need it for, in small, and says what it is: "ptxas 13.0.88 assembles for sm_86
// and sm_90". Blocking; run it as a job.
Result<std::string> checkTool(Tool tool, const host::ToolPaths &tools, std::stop_token stop = {});

} // namespace tessera::open
