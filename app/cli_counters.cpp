// SPDX-License-Identifier: MIT
#include "app/cli_counters.h"

#include "app/cli_table.h"
#include "engine/chart/quantity_text.h"

#include <iostream>

namespace tessera::app {

using bench::KernelCounters;

namespace {

std::string countText(const std::optional<double> &count, const char *unit) {
  return count ? chart::withPrefix(*count, unit) : "?";
}

std::string waitsText(const KernelCounters &kernel) {
  constexpr std::size_t kMost = 3;
  std::string text;
  for (std::size_t i = 0; i < kernel.stalls.size() && i < kMost; ++i)
    text += (text.empty() ? "" : ", ") + kernel.stalls[i].reason + " " +
            fixedText(100 * kernel.stalls[i].share, 0) + " %";
  return text;
}

} // namespace

void printCounters(const bench::CounterReport &report) {
  if (!report.refused.empty()) {
    std::cout << "\nno counters: " << report.refused << "\n";
    if (!report.hint.empty()) std::cout << report.hint << "\n";
    return;
  }
  using enum Table::Align;
  Table table{{{"kernel"},
               {"DRAM read", Right},
               {"written", Right},
               {"L2", Right},
               {"L1", Right},
               {"shared", Right},
               {"fp64", Right},
               {"fp32", Right},
               {"fp16", Right},
               {"integers", Right},
               {"occupancy", Right},
               {"warps wait for"}},
              {}};
  for (const KernelCounters &kernel : report.kernels)
    table.rows.push_back(
        {kernel.name, countText(kernel.dramReadBytes, "B"), countText(kernel.dramWriteBytes, "B"),
         countText(kernel.l2Bytes, "B"), countText(kernel.l1Bytes, "B"),
         countText(kernel.sharedBytes, "B"), countText(kernel.fp64, ""), countText(kernel.fp32, ""),
         countText(kernel.fp16, ""), countText(kernel.integers, ""),
         kernel.occupancy ? fixedText(100 * *kernel.occupancy, 1) + " %" : "?", waitsText(kernel)});
  std::cout << "\ncounted by " << report.profiler << " on " << report.chip << " in "
            << report.passes << " runs\n"
            << table;
}

} // namespace tessera::app
