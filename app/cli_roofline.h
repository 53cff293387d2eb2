// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"
#include "engine/cost/roofline/roofline.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json_fwd.hpp>

#include <string>

namespace tessera::app {

// --roofline OUT.svg, or OUT.csv
void addRooflineOption(CLI::App &command, std::string &file);

Status drawRoofline(const cost::Roofline &roofline, const std::string &pipeline,
                    const std::string &machine, const std::string &file);

// Which roof binds each kernel, what it reaches of it, and how far the pipeline is from its floor.
void printRoofline(const cost::Roofline &roofline);
// The floor of a pipeline on a GPU whose rates are known.
struct KnownFloor {
  cost::Ceilings ceilings;
  cost::PlacedFloor floor;
};
nlohmann::ordered_json fieldsOf(const KnownFloor &known);
// A line, without its end; empty where no time or no floor is known.
std::string floorText(const cost::PlacedFloor &floor, double seconds);
nlohmann::ordered_json fieldsOfPlaced(const cost::Placed &placed);
nlohmann::ordered_json summaryOf(const cost::Roofline &roofline); // without the kernels

} // namespace tessera::app
