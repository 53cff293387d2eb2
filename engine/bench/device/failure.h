// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/outcome.h"
#include "engine/base/result.h"

#include <string>

namespace tessera::bench {

// Why a measurement ended. Thrown inside this folder alone: a measurement is fifty calls that can
// each fail, and whichever fails ends all of it. worker.cpp makes a reply of it.
struct Failure {
  Outcome outcome = Outcome::LaunchError;
  Error error;
};

// After these the context is in an error for good, and nothing more can be done with it.
inline bool isFatal(Outcome outcome) {
  return outcome == Outcome::LaunchError || outcome == Outcome::RunTimeout ||
         outcome == Outcome::DeviceLost;
}

[[noreturn]] inline void fail(Outcome outcome, std::string message, std::string hint = {}) {
  throw Failure{outcome, {errorCode(outcome), std::move(message), std::move(hint)}};
}

// What the user gave cannot be used: no device is to blame.
[[noreturn]] inline void refuse(std::string message, std::string hint = {}) {
  throw Failure{Outcome::CompileError,
                {ErrorCode::InputRefused, std::move(message), std::move(hint)}};
}

template <typename T>
T valueOrRefuse(Result<T> result) {
  if (!result) throw Failure{Outcome::CompileError, result.error()};
  return std::move(*result);
}

} // namespace tessera::bench
