// SPDX-License-Identifier: MIT
#include "app/cli_report.h"

#include <nlohmann/json.hpp>

#include <cstdio>
#include <iostream>
#include <string>
#include <unistd.h>

namespace tessera::app {
namespace {

struct Row {
  ErrorCode code;
  const char *name;
  ExitCode exit;
};

constexpr Row kRows[] = {
    {ErrorCode::Usage, "usage", kUsage},
    {ErrorCode::InputRefused, "input_refused", kInputRefused},
    {ErrorCode::NotTrusted, "not_trusted", kInputRefused},
    {ErrorCode::WorkerFailed, "worker_failed", kWorkerFailed},
    {ErrorCode::Cancelled, "cancelled", kCancelled},
    {ErrorCode::System, "system", kWorkerFailed},
};

const Row &rowOf(ErrorCode code) {
  for (const Row &row : kRows)
    if (row.code == code) return row;
  return kRows[3];
}

} // namespace

int report(const Error &error, ReportStyle style) {
  const Row &row = rowOf(error.code);
  if (style == ReportStyle::Json) {
    nlohmann::ordered_json json{
        {"error", {{"code", row.name}, {"message", error.message}, {"hint", error.hint}}}};
    for (const Asked &one : error.asked)
      for (const std::string &word : {"--" + one.option, one.value})
        json["error"]["asked"].push_back(word);
    std::cout << json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) << "\n";
  } else {
    std::cerr << "tessera-cli: " << error.message << "\n";
    if (!error.hint.empty()) std::cerr << "  " << error.hint << "\n";
  }
  return row.exit;
}

int outputDone() {
  std::cout.flush();
  if (std::cout) return kOk;
  return report({ErrorCode::System, "Cannot write to standard output.", ""}, ReportStyle::Text);
}

job::ProgressCallback terminalProgress() {
  if (!::isatty(STDERR_FILENO)) return {};
  return [](const job::Progress &progress) {
    std::fprintf(stderr, "\r\033[K%s …", progress.phase.c_str());
    if (progress.fraction >= 0) std::fprintf(stderr, " %.0f %%", progress.fraction * 100);
    std::fflush(stderr);
  };
}

void clearProgress() {
  if (::isatty(STDERR_FILENO)) std::fputs("\r\033[K", stderr);
}

} // namespace tessera::app
