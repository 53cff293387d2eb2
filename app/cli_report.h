// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"
#include "engine/job/worker_client.h"

namespace tessera::app {

// The exit codes that scripts can rely on.
enum ExitCode : int {
  kOk = 0,
  kUsage = 2,
  kInputRefused = 3,
  kWorkerFailed = 4, // or the system, as when the disk is full
  kWrongOutput = 5,
  kUndecided = 6,
  kCancelled = 130
};

enum class ReportStyle { Text, Json };

// Prints an error on standard error, or as {"error": …} on standard output. Returns the exit code.
int report(const Error &error, ReportStyle style);

// To be called after all output: returns kOk, or an error code if not all output could be written.
int outputDone();

// Shows the phase of the running job on standard error if that is a terminal; otherwise does
// nothing.
job::ProgressCallback terminalProgress();
// Removes the phase that was shown last from the terminal.
void clearProgress();

} // namespace tessera::app
