// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"

#include <optional>
#include <string_view>

namespace tessera {

// How a piece of work in a child process ended. Closed: every place that switches over it handles
// every value, and every value is provoked by a test.
enum class Outcome {
  Ok,
  WrongOutput,
  CompileError, // Halide, the compiler or ptxas refused the input and said why
  CompileTimeout,
  LaunchError,
  RunTimeout,
  HostMemory,
  DeviceMemory,
  Crashed, // ended by a signal
  DeviceLost,
  ConnectionLost, // to the machine of the worker; the worker there dies of it
  Cancelled,
  ProtocolError, // frames or messages that do not follow the protocol
  SkippedKnownBad,
};

inline constexpr int kOutcomeCount = 14;

// The name in frames, JSON and tables: "ok", "wrong output", …
std::string_view name(Outcome outcome);
std::optional<Outcome> outcomeFromName(std::string_view name);

// Who has to act on it: the user (input refused), nobody (cancelled), or us (worker failed).
ErrorCode errorCode(Outcome outcome);
// The error that a piece of work ended with, under the code of its outcome.
Error errorOf(Outcome outcome, Error error);

} // namespace tessera
