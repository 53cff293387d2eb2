// SPDX-License-Identifier: MIT
#pragma once

#include "engine/host/tools.h"
#include "engine/base/result.h"
#include "engine/bench/ceilings.h"
#include "engine/bench/device_description.h"
#include "engine/cost/roofline/roofline.h"

#include <optional>
#include <string>

namespace tessera::host {

// Measured ceilings, the highest rates of a GPU, are kept in the user's cache, one file per GPU and
// driver. They are measured once and then used wherever this GPU, or a machine with its name, is
// shown.
Status keepCeilings(const bench::MeasuredCeilings &ceilings, const ToolPaths &tools);

// The ceilings of this individual GPU with this driver; nullopt if they were never measured or the
// file is damaged.
std::optional<bench::MeasuredCeilings> keptCeilings(const bench::DeviceDescription &device,
                                                    const ToolPaths &tools);
// The newest ceilings of any GPU of this name, in the driver's spelling.
std::optional<bench::MeasuredCeilings> keptCeilings(const std::string &title,
                                                    const ToolPaths &tools);

cost::Ceilings ceilingsOf(const bench::MeasuredCeilings &measured);
// The ceilings of the GPU of this name, in the driver's spelling: the measured ones, or else those
// of `description` if that is given and is of this GPU; otherwise nullopt.
std::optional<cost::Ceilings>
knownCeilings(const std::string &gpu, const machine::Machine *description, const ToolPaths &tools);
// The ceilings measured for a machine of this title, or else those in its description.
cost::Ceilings ceilingsFor(const machine::Machine &machine, const ToolPaths &tools);

} // namespace tessera::host
