// SPDX-License-Identifier: MIT
#include "engine/halide/compile/ptxas.h"

#include "engine/job/child_process.h"

#include <charconv>
#include <chrono>

namespace tessera::halide {

namespace {

// The number that stands right before `unit`. In "  16 bytes stack frame", the number before "
// bytes stack" is 16.
int numberBefore(std::string_view line, std::string_view unit) {
  const auto end = line.find(unit);
  if (end == std::string_view::npos) return 0;
  const auto last = line.substr(0, end).find_last_not_of("0123456789");
  const auto begin = last == std::string_view::npos ? 0 : last + 1;
  int value = 0;
  std::from_chars(line.data() + begin, line.data() + end, value);
  return value;
}

std::string_view between(std::string_view line, std::string_view before, char after) {
  const auto begin = line.find(before);
  if (begin == std::string_view::npos) return {};
  line.remove_prefix(begin + before.size());
  return line.substr(0, line.find(after));
}

} // namespace

AssemblerReports parsePtxas(std::string_view text) {
  AssemblerReports reports;
  report::AssemblerReport *current = nullptr;
  while (!text.empty()) {
    const auto end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    // ptxas prints properties of device functions too. Those of a kernel follow the kernel's own
    // headline.
    if (const auto kernel = between(line, "Compiling entry function '", '\''); !kernel.empty())
      current = &reports[std::string(kernel)];
    if (line.find("Function properties for ") != std::string_view::npos) {
      const auto of = between(line, "Function properties for ", ' ');
      const auto at = reports.find(std::string(of));
      current = at == reports.end() ? nullptr : &at->second;
    }
    if (!current) continue;
    if (line.find(" bytes stack frame") != std::string_view::npos) {
      current->stackBytes = numberBefore(line, " bytes stack frame");
      current->spillStoreBytes = numberBefore(line, " bytes spill stores");
      current->spillLoadBytes = numberBefore(line, " bytes spill loads");
    }
    if (line.find("Used ") != std::string_view::npos)
      current->registers = numberBefore(line, " registers");
  }
  return reports;
}

Result<AssemblerReports> runPtxas(const PtxasRequest &request) {
  job::ProcessOptions options;
  options.program = request.program;
  options.arguments = {"-v",
                       "-arch=" + request.architecture,
                       "-maxrregcount=" + std::to_string(request.registerCap),
                       request.source,
                       "-o",
                       request.object};
  const auto report = job::runProcess(options, std::chrono::minutes(5));
  if (!report) return report.error();
  if (report->timedOut)
    return Error{ErrorCode::WorkerFailed, "ptxas did not finish within five minutes", ""};
  if (report->end != job::ProcessEnd{})
    return Error{ErrorCode::WorkerFailed,
                 "ptxas failed: " + report->errors.substr(0, report->errors.find('\n')), ""};
  return parsePtxas(report->errors + "\n" + report->output);
}

} // namespace tessera::halide
