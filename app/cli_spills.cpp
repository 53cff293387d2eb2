// SPDX-License-Identifier: MIT
#include "app/cli_spills.h"

#include "app/cli_table.h"

#include <iostream>

namespace tessera::app {

namespace {

// Estimates below one value are within the error of the fit.
bool isSpilling(const cost::Prediction::Kernel &kernel) { return kernel.time.spilled >= 1; }

} // namespace

void printSpills(const cost::Prediction &prediction, const schedule::Schedule &schedule) {
  for (const cost::Prediction::Kernel &kernel : prediction.kernels) {
    if (!isSpilling(kernel)) continue;
    std::cout << "  spills: the kernel of " << schedule.pipeline()->stageName(kernel.load.stage)
              << " needs more than " << kernel.time.registers << " registers; about "
              << fixedText(kernel.time.spilled, 0)
              << " of a thread's values will be in local memory\n";
  }
}

nlohmann::ordered_json spillsOf(const cost::Prediction &prediction,
                                const schedule::Schedule &schedule) {
  nlohmann::ordered_json spills = nlohmann::ordered_json::array();
  for (const cost::Prediction::Kernel &kernel : prediction.kernels)
    if (isSpilling(kernel))
      spills.push_back({{"kernel", schedule.pipeline()->stageName(kernel.load.stage)},
                        {"registers", kernel.time.registers},
                        {"registers_spilled", kernel.time.spilled}});
  return spills;
}

} // namespace tessera::app
