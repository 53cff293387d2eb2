// SPDX-License-Identifier: MIT
#pragma once

#include "engine/search/autogpu/autogpu_cost.h"
#include "engine/search/parameters.h"

namespace tessera::search {

// The parameters that the user of AutoGPU's variants may change.
const ParameterTable &autoGpuTable();

AutoGpuParameters autoGpuParameters(const ParameterValues &values);

} // namespace tessera::search
