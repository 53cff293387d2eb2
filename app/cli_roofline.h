// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"
#include "engine/cost/roofline/roofline.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json_fwd.hpp>

#include <string>

namespace tessera::app {

// The option --roofline OUT.svg or OUT.csv.
void addRooflineOption(CLI::App &command, std::string &file);

Status drawRoofline(const cost::Roofline &roofline, const std::string &pipeline,
                    const std::string &machine, const std::string &file);

// Prints which roof limits each kernel, the percentage of that roof that the kernel reaches, and
// the pipeline's time as a multiple of the floor.
void printRoofline(const cost::Roofline &roofline);
// The floor of a pipeline on a GPU with known rates.
struct KnownFloor {
  cost::Ceilings ceilings;
  cost::PlacedFloor floor;
};
nlohmann::ordered_json fieldsOf(const KnownFloor &known);
// One line without the newline; empty if the time or the floor is unknown.
std::string floorText(const cost::PlacedFloor &floor, double seconds);
nlohmann::ordered_json fieldsOfPlaced(const cost::Placed &placed);
nlohmann::ordered_json summaryOf(const cost::Roofline &roofline); // without the kernels

} // namespace tessera::app
