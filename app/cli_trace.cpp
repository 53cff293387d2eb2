// SPDX-License-Identifier: MIT
#include "app/cli_trace.h"

#include "app/cli_table.h"

#include <iomanip>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

namespace tessera::app {

namespace {

constexpr int kDigits = 4;

std::string costText(const std::optional<double> &cost, double scale) {
  if (!cost) return {};
  std::ostringstream text;
  text << std::setprecision(kDigits) << *cost * scale;
  return text.str();
}

std::string joined(const std::vector<std::string> &texts) {
  std::string all;
  for (const std::string &text : texts)
    all += (all.empty() ? "" : ", ") + text;
  return all;
}

// The numbers of a row, and why it was refused.
std::string notesOf(const search::TraceRow &row) {
  std::vector<std::string> notes;
  for (const auto &[name, value] : row.counts)
    notes.push_back(fixedText(value, 0) + " " + std::string(name));
  if (!row.reason.empty()) notes.push_back(row.reason);
  return joined(notes);
}

} // namespace

void printTrace(const search::Trace &trace) {
  const bool isTime = trace.unit == "s";
  const std::string unit = isTime ? " [µs]" : "";
  const double scale = isTime ? kMicro : 1;
  using enum Table::Align;
  Table table{{{"phase"},
               {"what"},
               {"funcs"},
               {"cost" + unit, Right},
               {"benefit" + unit, Right},
               {"outcome"},
               {"why"}},
              {}};
  for (const search::TraceRow &row : trace.rows)
    table.rows.push_back({row.phase, row.what, joined(row.funcs), costText(row.cost, scale),
                          costText(row.benefit, scale), std::string(name(row.outcome)),
                          notesOf(row)});
  std::cout << table;
  if (trace.leftOut > 0)
    std::cout << trace.leftOut << (trace.leftOut == 1 ? " more row is" : " more rows are")
              << " left out\n";
}

nlohmann::ordered_json traceJson(const search::Trace &trace) {
  nlohmann::ordered_json json{{"rows", nlohmann::ordered_json::array()},
                              {"left_out", trace.leftOut}};
  if (!trace.unit.empty()) json["unit"] = trace.unit;
  for (const search::TraceRow &row : trace.rows) {
    nlohmann::ordered_json one{{"phase", row.phase},
                               {"what", row.what},
                               {"funcs", row.funcs},
                               {"outcome", name(row.outcome)}};
    if (row.cost) one["cost"] = *row.cost;
    if (row.benefit) one["benefit"] = *row.benefit;
    if (!row.reason.empty()) one["reason"] = row.reason;
    for (const auto &[count, value] : row.counts)
      one["counts"][std::string(count)] = value;
    json["rows"].push_back(std::move(one));
  }
  return json;
}

} // namespace tessera::app
