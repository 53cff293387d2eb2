// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"
#include "engine/bench/ceilings.h"
#include "engine/bench/device_description.h"
#include "engine/cost/roofline/roofline.h"
#include "engine/host/tools.h"

#include <optional>
#include <string>

namespace tessera::host {

// Measured ceilings are kept in the user's cache, one file for each GPU and driver: they are
// measured once, and drawn with wherever this GPU, or a machine of its name, is.
Status keepCeilings(const bench::MeasuredCeilings &ceilings, const ToolPaths &tools);

// Of this very GPU with this driver; nothing: nobody has measured them, or the file is damaged.
std::optional<bench::MeasuredCeilings> keptCeilings(const bench::DeviceDescription &device,
                                                    const ToolPaths &tools);
// Of any GPU of this name, as drivers say it; the newest.
std::optional<bench::MeasuredCeilings> keptCeilings(const std::string &title,
                                                    const ToolPaths &tools);

cost::Ceilings ceilingsOf(const bench::MeasuredCeilings &measured);
// Of the GPU of this name, as drivers say it: what was measured, else what the description says if
// there is one and it is of that GPU; none: nobody knows.
std::optional<cost::Ceilings>
knownCeilings(const std::string &gpu, const machine::Machine *description, const ToolPaths &tools);
// What was measured for a machine of this title, else what its description says.
cost::Ceilings ceilingsFor(const machine::Machine &machine, const ToolPaths &tools);

} // namespace tessera::host
