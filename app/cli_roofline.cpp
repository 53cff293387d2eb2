// SPDX-License-Identifier: MIT
#include "app/cli_roofline.h"

#include "app/cli_table.h"
#include "engine/chart/quantity_text.h"
#include "engine/chart/roofline_csv.h"
#include "engine/chart/roofline_svg.h"
#include "engine/host/files.h"

#include <nlohmann/json.hpp>

#include <iostream>

namespace tessera::app {

using cost::Placed;
using cost::Roof;
using cost::Roofline;
using nlohmann::ordered_json;

namespace {

ordered_json known(const std::optional<double> &value) {
  return value ? ordered_json(*value) : ordered_json(nullptr);
}

std::string bytesText(const std::optional<double> &bytes) {
  return bytes ? chart::withPrefix(*bytes, "B") : "?";
}

std::vector<std::string> cellsOf(const Placed &placed) {
  const cost::Work &work = placed.work;
  return {work.name,
          std::string(name(work.origin)),
          chart::timeText(work.seconds),
          bytesText(work.traffic.dram),
          bytesText(work.traffic.l2),
          bytesText(work.traffic.l1),
          bytesText(work.traffic.shared),
          chart::withPrefix(work.operations.of(cost::Arithmetic::Float), ""),
          chart::withPrefix(work.operations.integer, ""),
          std::string(name(placed.binding)),
          work.seconds > 0 ? fixedText(100 * placed.reached(), 0) + " %" : "?"};
}

} // namespace

void addRooflineOption(CLI::App &command, std::string &file) {
  command
      .add_option("--roofline", file,
                  "Draw a roofline chart of the kernels and the pipeline into this file, and show "
                  "which roof binds; if the name ends in .csv, write the numbers instead")
      ->type_name("OUT.svg|OUT.csv");
}

Status drawRoofline(const Roofline &roofline, const std::string &pipeline,
                    const std::string &machine, const std::string &file) {
  if (file.ends_with(".csv")) return host::writeFile(file, chart::csvOf(roofline));
  if (!file.ends_with(".svg"))
    return Error{ErrorCode::Usage, "'" + file + "' does not end in .svg or .csv", {}};
  return host::writeFile(file, chart::svgOf(chart::chartOf(roofline, {pipeline, machine})));
}

void printRoofline(const Roofline &roofline) {
  using enum Table::Align;
  Table table{{{"kernel"},
               {"numbers"},
               {"time", Right},
               {"DRAM", Right},
               {"L2", Right},
               {"L1", Right},
               {"shared", Right},
               {"float ops", Right},
               {"integers", Right},
               {"binds"},
               {"reached", Right}},
              {}};
  for (const Placed &kernel : roofline.kernels)
    table.rows.push_back(cellsOf(kernel));
  for (const Placed &pipeline : roofline.pipelines)
    table.rows.push_back(cellsOf(pipeline));
  std::cout << "\nroofs: " << roofline.ceilings.source << "\n" << table;
  for (const Placed &pipeline : roofline.pipelines)
    if (roofline.timesFloor(pipeline))
      std::cout << floorText(*roofline.floor, pipeline.work.seconds) << " ("
                << name(pipeline.work.origin) << ")\n";
}

ordered_json fieldsOf(const KnownFloor &known) {
  const cost::PlacedFloor &floor = known.floor;
  return {{"seconds", floor.seconds},
          {"binding", name(floor.binding)},
          {"ceilings", known.ceilings.source},
          {"bytes", floor.floor.bytes},
          {"from_dram", floor.floor.fromDram},
          {"fp64", floor.floor.operations.fp64},
          {"fp32", floor.floor.operations.fp32},
          {"fp16", floor.floor.operations.fp16},
          {"integer", floor.floor.operations.integer}};
}

std::string floorText(const cost::PlacedFloor &floor, double seconds) {
  const auto times = floor.times(seconds);
  if (!times) return {};
  return fixedText(*times, 2) + " times the floor of " + chart::timeText(floor.seconds) + ", " +
         std::string(name(floor.binding)) +
         ": the time to read the inputs, write the outputs and compute each value once";
}

ordered_json fieldsOfPlaced(const Placed &placed) {
  const cost::Work &work = placed.work;
  ordered_json roofs;
  for (int r = 0; r < cost::kRoofs; ++r)
    roofs[std::string(name(static_cast<Roof>(r)))] =
        placed.roofSeconds[static_cast<std::size_t>(r)] * 1e3;
  return {{"numbers", name(work.origin)},
          {"ms", work.seconds * 1e3},
          {"bytes",
           {{"dram", known(work.traffic.dram)},
            {"l2", known(work.traffic.l2)},
            {"l1", known(work.traffic.l1)},
            {"shared", known(work.traffic.shared)}}},
          {"operations",
           {{"fp64", work.operations.fp64},
            {"fp32", work.operations.fp32},
            {"fp16", work.operations.fp16},
            {"integer", work.operations.integer}}},
          {"roofs_ms", std::move(roofs)},
          {"binding", name(placed.binding)},
          {"reached", placed.reached()}};
}

ordered_json summaryOf(const Roofline &roofline) {
  const cost::Ceilings &c = roofline.ceilings;
  ordered_json summary{
      {"counted", roofline.counted == cost::Arithmetic::Float ? "float" : "integer"},
      {"ceilings",
       {{"source", c.source},
        {"measured", c.areMeasured},
        {"dram_bytes_per_second", c.dram},
        {"l2_bytes_per_second", c.l2},
        {"l1_bytes_per_second", c.l1},
        {"shared_bytes_per_second", c.shared},
        {"fp64_per_second", c.fp64},
        {"fp32_per_second", c.fp32},
        {"fp16_per_second", c.fp16},
        {"integer_per_second", c.integer},
        {"integer_add_per_second", c.integerAdd},
        {"integer_multiply_per_second", c.integerMultiply}}}};
  summary["pipelines"] = ordered_json::array();
  for (const Placed &pipeline : roofline.pipelines) {
    ordered_json fields = fieldsOfPlaced(pipeline);
    fields["times_floor"] = known(roofline.timesFloor(pipeline));
    summary["pipelines"].push_back(std::move(fields));
  }
  if (roofline.floor)
    summary["floor"] = {
        {"ms", roofline.floor->seconds * 1e3},
        {"binding", name(roofline.floor->binding)},
        {"bytes", roofline.floor->floor.bytes},
        {"float_operations", roofline.floor->floor.operations.of(cost::Arithmetic::Float)},
        {"integers", roofline.floor->floor.operations.integer}};
  return summary;
}

} // namespace tessera::app
