// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"
#include "engine/job/worker_client.h"

namespace tessera::app {

// What a script can rely on.
enum ExitCode : int {
  kOk = 0,
  kUsage = 2,
  kInputRefused = 3,
  kWorkerFailed = 4,
  kWrongOutput = 5,
  kCancelled = 130
};

enum class ReportStyle { Text, Json };

// Says an error on standard error, or as {"error": …} on standard output; returns the exit code.
int report(const Error &error, ReportStyle style);

// After the last of standard output: kOk, or an error where not all of it arrived.
int outputDone();

// Shows phases on standard error while it is a terminal; otherwise does nothing.
job::ProgressCallback terminalProgress();
// Removes the last phase from the terminal.
void clearProgress();

} // namespace tessera::app
