// SPDX-License-Identifier: MIT
#include "app/cli_table.h"

#include <algorithm>
#include <iomanip>
#include <sstream>

namespace tessera::app {
namespace {

// The width in characters: every character that is used here is one column wide.
std::size_t width(const std::string &text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (c & '\xc0') != '\x80'; }));
}

// Prints a row without trailing blanks.
void printRow(std::ostream &out, const Table &table, const std::vector<std::size_t> &widths,
              const auto &cellOf) {
  std::string line;
  for (std::size_t c = 0; c < widths.size(); ++c) {
    const std::string &cell = cellOf(c);
    const std::string padding(widths[c] - width(cell), ' ');
    line += c > 0 ? "  " : "";
    line += table.columns[c].align == Table::Align::Right ? padding + cell : cell + padding;
  }
  line.resize(line.find_last_not_of(' ') + 1);
  out << line << "\n";
}

} // namespace

std::ostream &operator<<(std::ostream &out, const Table &table) {
  std::vector<std::size_t> widths;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    widths.push_back(width(table.columns[c].title));
    for (const auto &row : table.rows)
      widths[c] = std::max(widths[c], width(row[c]));
  }
  printRow(out, table, widths,
           [&](std::size_t c) -> const std::string & { return table.columns[c].title; });
  for (const auto &row : table.rows)
    printRow(out, table, widths, [&](std::size_t c) -> const std::string & { return row[c]; });
  return out;
}

std::string sizeText(const std::array<std::int64_t, 3> &size) {
  return std::to_string(size[0]) + "×" + std::to_string(size[1]) + "×" + std::to_string(size[2]);
}

std::string fixedText(double value, int digits) {
  std::ostringstream text;
  text << std::fixed << std::setprecision(digits) << value;
  return text.str();
}

} // namespace tessera::app
