// SPDX-License-Identifier: MIT
#include "engine/base/outcome.h"

#include <array>
#include <utility>

namespace tessera {
namespace {

struct Row {
  Outcome outcome;
  std::string_view name;
  ErrorCode code;
};

constexpr std::array<Row, kOutcomeCount> kRows{{
    {Outcome::Ok, "ok", ErrorCode::WorkerFailed},
    {Outcome::WrongOutput, "wrong output", ErrorCode::WorkerFailed},
    {Outcome::CompileError, "compile error", ErrorCode::InputRefused},
    {Outcome::CompileTimeout, "compile time-out", ErrorCode::WorkerFailed},
    {Outcome::LaunchError, "launch error", ErrorCode::WorkerFailed},
    {Outcome::RunTimeout, "run time-out", ErrorCode::WorkerFailed},
    {Outcome::HostMemory, "host memory", ErrorCode::WorkerFailed},
    {Outcome::DeviceMemory, "device memory", ErrorCode::WorkerFailed},
    {Outcome::Crashed, "crash with signal", ErrorCode::WorkerFailed},
    {Outcome::DeviceLost, "device lost", ErrorCode::WorkerFailed},
    {Outcome::ConnectionLost, "connection lost", ErrorCode::WorkerFailed},
    {Outcome::Cancelled, "cancelled", ErrorCode::Cancelled},
    {Outcome::ProtocolError, "protocol error", ErrorCode::WorkerFailed},
    {Outcome::SkippedKnownBad, "skipped as known bad", ErrorCode::InputRefused},
}};

} // namespace

std::string_view name(Outcome outcome) {
  for (const Row &row : kRows)
    if (row.outcome == outcome) return row.name;
  return "protocol error";
}

std::optional<Outcome> outcomeFromName(std::string_view name) {
  for (const Row &row : kRows)
    if (row.name == name) return row.outcome;
  return std::nullopt;
}

ErrorCode errorCode(Outcome outcome) {
  for (const Row &row : kRows)
    if (row.outcome == outcome) return row.code;
  return ErrorCode::WorkerFailed;
}

Error errorOf(Outcome outcome, Error error) {
  if (error.code != ErrorCode::System) error.code = errorCode(outcome);
  return error;
}

} // namespace tessera
