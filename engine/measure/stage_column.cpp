// SPDX-License-Identifier: MIT
#include "engine/measure/stage_column.h"

#include <algorithm>
#include <map>

namespace tessera::measure {

using report::CompileReport;
using report::KernelReport;
using report::KernelStage;
using report::StageLines;

namespace {

// Calls `each` with the number of each line, counted from 1, and its text without the newline.
template <typename Each>
void forLines(std::string_view text, Each each) {
  for (std::uint32_t number = 1; !text.empty(); ++number) {
    const auto end = std::min(text.find('\n'), text.size());
    each(number, text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

} // namespace

std::string toString(const KernelStage &stage) {
  return stage.stage == 0 ? stage.func
                          : stage.func + ".update(" + std::to_string(stage.stage - 1) + ")";
}

std::string stagesOf(const KernelReport &kernel) {
  std::string text;
  for (const KernelStage &stage : kernel.stages)
    text += (text.empty() ? "" : ", ") + toString(stage);
  return text;
}

std::string loweredWithStages(std::string_view lowered, const CompileReport &report) {
  std::size_t width = 0;
  for (const StageLines &lines : report.loweredLines)
    width = std::max(width, toString(lines.stage).size());
  std::string result;
  auto lines = report.loweredLines.begin();
  forLines(lowered, [&](std::uint32_t number, std::string_view line) {
    while (lines != report.loweredLines.end() && lines->last < number)
      ++lines;
    const bool inside = lines != report.loweredLines.end() && lines->first <= number;
    const std::string stage = inside ? toString(lines->stage) : "";
    result.append(stage).append(width - stage.size(), ' ').append(" | ").append(line).append("\n");
  });
  return result;
}

std::string deviceWithStages(std::string_view code, const CompileReport &report, DeviceText kind) {
  std::map<std::uint32_t, const KernelReport *> firstLines;
  for (const KernelReport &kernel : report.kernels)
    firstLines[kind == DeviceText::Sass ? kernel.sassFirstLine : kernel.firstLine] = &kernel;
  std::string result;
  forLines(code, [&](std::uint32_t number, std::string_view line) {
    if (const auto at = firstLines.find(number); at != firstLines.end())
      result += "// " + at->second->name + " computes " + stagesOf(*at->second) + "\n";
    result.append(line).append("\n");
  });
  return result;
}

} // namespace tessera::measure
