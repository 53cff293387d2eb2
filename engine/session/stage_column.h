// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/compile_report.h"

#include <string>
#include <string_view>

namespace tessera::session {

// "hist" or "hist.update(0)".
std::string toString(const schedule::KernelStage &stage);
// All that a kernel computes: "out, hist.update(0)".
std::string stagesOf(const schedule::KernelReport &kernel);

// The lowered loops of a bundle, with the stage that each line computes in front of it.
std::string loweredWithStages(std::string_view lowered, const schedule::CompileReport &report);

enum class DeviceText : std::uint8_t { Source, Sass }; // PTX or OpenCL source; machine code

// A bundle's device code with a comment above each kernel that says what it computes.
std::string deviceWithStages(std::string_view code, const schedule::CompileReport &report,
                             DeviceText kind);

} // namespace tessera::session
