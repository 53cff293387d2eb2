// SPDX-License-Identifier: MIT
#include "engine/record/words.h"

#include <algorithm>
#include <csignal>
#include <iterator>

namespace tessera::record {
namespace {

constexpr Word kRequests[] = {"import", "schedule",  "boxes", "compile", "excerpt",    "peer",
                              "verify", "describe",  "load",  "measure", "interleave", "ceilings",
                              "count",  "reference", "keep",  "put",     "layout",     "svg"};

constexpr Word kPhases[] = {"reading",
                            "bounds",
                            "access maps",
                            "lowering",
                            "compiling",
                            "linking",
                            "assembling",
                            "reference",
                            "running the schedule",
                            "loading",
                            "first run",
                            "checking the outputs",
                            "warming up",
                            "measuring",
                            "measuring a CUDA graph",
                            "measuring with a cold cache",
                            "measuring with allocations",
                            "measuring the kernels",
                            "checking the outputs again",
                            "counting"};

// More specific texts come first, because only the first match is logged.
constexpr Word kSaid[] = {"CUDA_ERROR_ILLEGAL_ADDRESS",
                          "CUDA_ERROR_MISALIGNED_ADDRESS",
                          "CUDA_ERROR_ILLEGAL_INSTRUCTION",
                          "CUDA_ERROR_LAUNCH_TIMEOUT",
                          "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES",
                          "CUDA_ERROR_LAUNCH_FAILED",
                          "CUDA_ERROR_OUT_OF_MEMORY",
                          "CUDA_ERROR_INVALID_PTX",
                          "CUDA_ERROR_NO_BINARY_FOR_GPU",
                          "CUDA_ERROR_ECC_UNCORRECTABLE",
                          "CUDA_ERROR_NO_DEVICE",
                          "CUDA_ERROR_NOT_INITIALIZED",
                          "CUDA_ERROR_INVALID_VALUE",
                          "CUDA_ERROR",
                          "AddressSanitizer",
                          "ThreadSanitizer",
                          "bad_alloc",
                          "out of memory",
                          "Out of memory",
                          "Cannot allocate memory",
                          "memory exhausted",
                          "stack smashing detected",
                          "double free",
                          "corrupted",
                          "invalid pointer",
                          "Internal Error",
                          "LLVM ERROR",
                          "Assertion",
                          "terminate called",
                          "pure virtual method called",
                          "error while loading shared libraries",
                          "No space left on device",
                          "Permission denied"};

struct Signal {
  int number;
  Word word;
};
constexpr Signal kSignals[] = {{SIGSEGV, "SIGSEGV"}, {SIGABRT, "SIGABRT"}, {SIGBUS, "SIGBUS"},
                               {SIGFPE, "SIGFPE"},   {SIGILL, "SIGILL"},   {SIGKILL, "SIGKILL"},
                               {SIGTERM, "SIGTERM"}, {SIGINT, "SIGINT"},   {SIGXCPU, "SIGXCPU"},
                               {SIGSYS, "SIGSYS"},   {SIGTRAP, "SIGTRAP"}, {SIGPIPE, "SIGPIPE"},
                               {SIGHUP, "SIGHUP"},   {SIGQUIT, "SIGQUIT"}, {SIGXFSZ, "SIGXFSZ"}};

} // namespace

Word wordOf(Outcome outcome) {
  switch (outcome) {
  case Outcome::Ok:
    return "ok";
  case Outcome::WrongOutput:
    return "wrong output";
  case Outcome::CompileError:
    return "compile error";
  case Outcome::CompileTimeout:
    return "compile time-out";
  case Outcome::LaunchError:
    return "launch error";
  case Outcome::RunTimeout:
    return "run time-out";
  case Outcome::HostMemory:
    return "host memory";
  case Outcome::DeviceMemory:
    return "device memory";
  case Outcome::Crashed:
    return "crash with signal";
  case Outcome::DeviceLost:
    return "device lost";
  case Outcome::ConnectionLost:
    return "connection lost";
  case Outcome::Cancelled:
    return "cancelled";
  case Outcome::SkippedKnownBad:
    return "skipped as known bad";
  case Outcome::ProtocolError:
    break;
  }
  return "protocol error";
}

Word wordOf(ErrorCode code) {
  switch (code) {
  case ErrorCode::Usage:
    return "usage";
  case ErrorCode::InputRefused:
    return "input refused";
  case ErrorCode::NotTrusted:
    return "not trusted";
  case ErrorCode::Cancelled:
    return "cancelled";
  case ErrorCode::System:
    return "system";
  case ErrorCode::WorkerFailed:
    break;
  }
  return "worker failed";
}

Word signalWord(int signal) {
  const auto found = std::ranges::find(kSignals, signal, &Signal::number);
  return found == std::end(kSignals) ? Word("other") : found->word;
}

Word requestWord(std::string_view type) { return oneOf(type, kRequests); }

Word phaseWord(std::string_view phase) { return oneOf(phase, kPhases); }

Word knownWordIn(std::string_view lastWords) {
  for (const Word &word : kSaid)
    if (lastWords.find(word.text()) != std::string_view::npos) return word;
  return "none";
}

} // namespace tessera::record
