// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"

#include <optional>
#include <string_view>

namespace tessera {

// How a piece of work in a child process ended. The list is closed: every switch over it handles
// every value, and a test provokes every value.
enum class Outcome {
  Ok,
  WrongOutput,
  CompileError, // Halide, the compiler or ptxas refused the input with a reason
  CompileTimeout,
  LaunchError,
  RunTimeout,
  HostMemory,
  DeviceMemory,
  Crashed, // ended by a signal, by an exit without an answer, or by an unexpected exception
  DeviceLost,
  ConnectionLost, // the connection to the worker's machine was lost; the worker ends with it
  Cancelled,
  ProtocolError, // frames or messages that break the protocol; a worker that cannot be started
  SkippedKnownBad,
};

inline constexpr int kOutcomeCount = 14;

// The name used in frames, JSON and tables: "ok", "wrong output", …
std::string_view name(Outcome outcome);
std::optional<Outcome> outcomeFromName(std::string_view name);

// The code tells who has to act: the user (input refused), nobody (cancelled) or the developers
// (worker failed).
ErrorCode errorCode(Outcome outcome);
// The error of a piece of work, with the code that belongs to its outcome. An error of the system,
// as of a full disk, stays one.
Error errorOf(Outcome outcome, Error error);

} // namespace tessera
