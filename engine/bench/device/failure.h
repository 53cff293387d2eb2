// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/outcome.h"
#include "engine/base/result.h"

#include <string>

namespace tessera::bench {

// The reason why a measurement ended. It is thrown only inside this folder: a measurement makes
// about fifty calls that can fail, and any failure ends the whole measurement. worker.cpp turns it
// into a reply.
struct Failure {
  Outcome outcome = Outcome::LaunchError;
  Error error;
};

// After these outcomes the context stays in an error state and cannot be used any more.
inline bool isFatal(Outcome outcome) {
  return outcome == Outcome::LaunchError || outcome == Outcome::RunTimeout ||
         outcome == Outcome::DeviceLost;
}

[[noreturn]] inline void fail(Outcome outcome, std::string message, std::string hint = {}) {
  throw Failure{outcome, {errorCode(outcome), std::move(message), std::move(hint)}};
}

// The user's input cannot be used; the device is not at fault.
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
