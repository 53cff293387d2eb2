// SPDX-License-Identifier: MIT
#include "engine/chart/roofline_csv.h"

#include <array>
#include <charconv>
#include <optional>
#include <vector>

namespace tessera::chart {

using cost::Level;
using cost::Placed;

namespace {

// The shortest text that gives the same number when it is read.
std::string number(double value) {
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  return {text.data(), end};
}

std::string known(const std::optional<double> &value) { return value ? number(*value) : ""; }
std::string unlessZero(double value) { return value > 0 ? number(value) : ""; }

std::string quoted(const std::string &text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text)
    out.append(c == '"' ? 2 : 1, c);
  return out + "\"";
}

std::string lineOf(const std::vector<std::string> &cells) {
  std::string line;
  for (const std::string &cell : cells)
    line += (&cell == cells.data() ? "" : ",") + quoted(cell);
  return line + "\r\n";
}

std::string rowOf(const std::string &what, const Placed &placed, cost::Arithmetic counted) {
  const cost::Work &work = placed.work;
  std::vector<std::string> cells{what,
                                 work.name,
                                 std::string(name(work.origin)),
                                 unlessZero(work.seconds),
                                 number(work.operations.of(cost::Arithmetic::Float)),
                                 number(work.operations.integer),
                                 known(work.traffic.dram),
                                 known(work.traffic.l2),
                                 known(work.traffic.l1),
                                 known(work.traffic.shared),
                                 known(placed.performance(counted))};
  for (int l = 0; l < cost::kLevels; ++l)
    cells.push_back(known(placed.intensity(static_cast<Level>(l), counted)));
  cells.emplace_back(name(placed.binding));
  cells.push_back(number(placed.boundSeconds));
  cells.push_back(unlessZero(placed.reached()));
  return lineOf(cells);
}

std::string roofRow(std::string_view roof, double rate, const std::string &source) {
  std::vector<std::string> cells(17);
  cells[0] = "roof";
  cells[1] = roof;
  cells[2] = source;
  cells[10] = unlessZero(rate);
  return lineOf(cells);
}

} // namespace

std::string csvOf(const cost::Roofline &roofline) {
  std::string out =
      lineOf({"row", "name", "numbers", "seconds", "float_operations", "integers", "dram_bytes",
              "l2_bytes", "l1_bytes", "shared_bytes", "per_second", "per_dram_byte", "per_l2_byte",
              "per_l1_shared_byte", "binding", "bound_seconds", "reached"});
  for (const Placed &kernel : roofline.kernels)
    out += rowOf("kernel", kernel, roofline.counted);
  for (const Placed &pipeline : roofline.pipelines)
    out += rowOf("pipeline", pipeline, roofline.counted);
  const cost::Ceilings &c = roofline.ceilings;
  const std::string source = c.areMeasured ? "measured" : "described";
  for (const auto &[roof, rate] :
       {std::pair(cost::Roof::Dram, c.dram), std::pair(cost::Roof::L2, c.l2),
        std::pair(cost::Roof::Cache, c.at(Level::Cache)), std::pair(cost::Roof::Fp64, c.fp64),
        std::pair(cost::Roof::Fp32, c.fp32), std::pair(cost::Roof::Fp16, c.fp16),
        std::pair(cost::Roof::Integer, c.integer)})
    out += roofRow(name(roof), rate, source);
  return out;
}

} // namespace tessera::chart
