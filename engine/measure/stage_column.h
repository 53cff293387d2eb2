// SPDX-License-Identifier: MIT
#pragma once

#include "engine/report/compile_report.h"

#include <string>
#include <string_view>

namespace tessera::measure {

// A text such as "hist" or "hist.update(0)".
std::string toString(const report::KernelStage &stage);
// All stages that a kernel computes: "out, hist.update(0)".
std::string stagesOf(const report::KernelReport &kernel);

// The lowered loops of a bundle. In front of each line is the stage that it computes.
std::string loweredWithStages(std::string_view lowered, const report::CompileReport &report);

enum class DeviceText : std::uint8_t { Source, Sass }; // PTX or OpenCL source; machine code

// A bundle's device code, with a comment above each kernel that names what it computes.
std::string deviceWithStages(std::string_view code, const report::CompileReport &report,
                             DeviceText kind);

} // namespace tessera::measure
