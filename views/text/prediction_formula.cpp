// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/text/prediction_formula.h"

#include "engine/cost/time/kernel_time.h"

#include <QCoreApplication>

namespace tessera::views {

// Describes the formula of engine/cost/time/kernel_time.cpp with its current constants.
QString predictionFormula() {
  const cost::TimeConstants constants;
  return QCoreApplication::translate(
             "PredictionFormula",
             "Predicted: the sum over all kernels of launches × (%1 µs + (Σ partᵖ)^(1/p)), where p "
             "= %2.\nA part is the time that the kernel would take if it had to wait for one thing "
             "alone: "
             "instructions, pipes, caches, memory, latency, or starting blocks.")
      .arg((constants.gap + constants.start) * 1e6, 0, 'g', 3)
      .arg(constants.sharpness);
}

} // namespace tessera::views
