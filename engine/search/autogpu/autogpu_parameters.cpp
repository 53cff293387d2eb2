// SPDX-License-Identifier: MIT
#include "engine/search/autogpu/autogpu_parameters.h"

#include <array>

namespace tessera::search {

namespace {

constexpr AutoGpuParameters kUsual;

constexpr std::array kAutoGpuParameters{
    Parameter{"BALANCE", "operations that a transaction with global memory costs", kUsual.balance,
              0, 1e6, false},
    Parameter{"TRANSACTION_BYTES", "bytes of the largest transaction", kUsual.transactionBytes, 1,
              1024},
    Parameter{"OCCUPANCY_THRESHOLD", "least occupancy of a kernel", kUsual.occupancyThreshold, 0, 1,
              false},
    Parameter{"REGISTERS", "registers that each thread is assumed to need",
              static_cast<double>(kUsual.registers), 1, 255},
};
constexpr ParameterTable kAutoGpuTable{kAutoGpuParameters, {}};

} // namespace

const ParameterTable &autoGpuTable() { return kAutoGpuTable; }

AutoGpuParameters autoGpuParameters(const ParameterValues &values) {
  AutoGpuParameters parameters;
  for (const auto &[name, value] : values) {
    if (name == "BALANCE") parameters.balance = value;
    if (name == "TRANSACTION_BYTES") parameters.transactionBytes = value;
    if (name == "OCCUPANCY_THRESHOLD") parameters.occupancyThreshold = value;
    if (name == "REGISTERS") parameters.registers = static_cast<std::int64_t>(value);
  }
  return parameters;
}

} // namespace tessera::search
