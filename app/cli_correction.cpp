// SPDX-License-Identifier: MIT
#include "app/cli_correction.h"

#include "app/cli_table.h"
#include "engine/host/files.h"
#include "engine/learn/correction_file.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <iomanip>
#include <iostream>
#include <utility>

namespace tessera::app {
namespace {

constexpr double kToMilli = 1e3, kToMicro = 1e6;

std::string machinesText(const learn::Correction &correction) {
  std::string machines;
  for (const std::string &machine : correction.machines)
    machines += (machines.empty() ? "" : " and ") + machine;
  return machines;
}

// "12619 measured kernels of 43 applications on NVIDIA H200 SXM"
std::string originText(const learn::Correction &correction) {
  return std::to_string(correction.kernels) + " measured kernels of " +
         std::to_string(correction.applications.size()) + " applications on " +
         machinesText(correction);
}

} // namespace

Result<learn::Correction> correctionIn(const std::string &file) {
  const auto text = host::readFile(file);
  if (!text) return text.error();
  return learn::correctionFrom(*text, file);
}

Result<learn::Correction> correctionFor(const machine::Machine &machine, const std::string &file) {
  auto correction = correctionIn(file);
  if (!correction) return correction.error();
  if (std::ranges::find(correction->machines, machine.title) == correction->machines.end())
    return Error{ErrorCode::InputRefused,
                 "'" + file + "' was learned on " + machinesText(*correction) + ", and not on " +
                     machine.title + ".",
                 "Learn one from what was measured there: tessera-cli learn correct."};
  return correction;
}

Result<std::optional<Judged>> judgedBy(const std::string &file, const cost::Prediction &prediction,
                                       const machine::Machine &machine) {
  if (file.empty()) return std::optional<Judged>();
  auto correction = correctionFor(machine, file);
  if (!correction) return correction.error();
  Judged judged{.correction = std::move(*correction), .kernels = {}};
  judged.kernels = learn::correctionsOf(judged.correction, prediction, false, machine);
  judged.seconds = learn::correctedSeconds(prediction, judged.kernels);
  return std::optional(std::move(judged));
}

void addJson(const Judged &judged, const cost::Prediction &prediction,
             nlohmann::ordered_json &document) {
  document["corrected_ms"] = judged.seconds * kToMilli;
  document["correction"] = {{"kernels", judged.correction.kernels},
                            {"applications", judged.correction.applications},
                            {"machines", judged.correction.machines},
                            {"program", judged.correction.program}};
  for (std::size_t k = 0; k < judged.kernels.size(); ++k)
    document["kernels"][k]["corrected"] = {
        {"ms", prediction.kernels[k].time.seconds * judged.kernels[k].factor * kToMilli},
        {"factor", judged.kernels[k].factor},
        {"spread", judged.kernels[k].spread}};
}

void printText(const Judged &judged, const cost::Prediction &prediction,
               const pipeline::Pipeline &pipeline) {
  std::cout << "\ncorrected by " << originText(judged.correction) << ": " << std::defaultfloat
            << std::setprecision(4) << judged.seconds * kToMilli << " ms\n";
  constexpr auto kRight = Table::Align::Right;
  Table table{{{"kernel"},
               {"predicted, us", kRight},
               {"corrected, us", kRight},
               {"from, us", kRight},
               {"to, us", kRight}},
              {}};
  for (std::size_t k = 0; k < judged.kernels.size(); ++k) {
    const auto &[load, time] = prediction.kernels[k];
    const auto &[factor, spread] = judged.kernels[k];
    const double predicted = time.seconds * kToMicro, corrected = predicted * factor;
    table.rows.push_back({pipeline.stageName(load.stage), fixedText(predicted, 1),
                          fixedText(corrected, 1), fixedText(corrected / spread, 1),
                          fixedText(corrected * spread, 1)});
  }
  std::cout << table;
}

} // namespace tessera::app
