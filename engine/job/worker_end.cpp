// SPDX-License-Identifier: MIT
#include "engine/job/worker_end.h"

#include "engine/job/reply.h"

#include <algorithm>
#include <array>
#include <csignal>
#include <cstring>
#include <fstream>
#include <string_view>

namespace tessera::job {
namespace {

constexpr int kLastLines = 6;
constexpr std::size_t kLastWordsBytes = 2000;

// If an allocation fails under an address-space limit, the process prints one of these texts and
// aborts.
bool saysOutOfMemory(const std::string &errorText) {
  constexpr std::array<std::string_view, 5> kWords{"bad_alloc", "out of memory", "Out of memory",
                                                   "Cannot allocate memory", "memory exhausted"};
  const std::string words = lastLines(errorText, kLastLines);
  return std::any_of(kWords.begin(), kWords.end(),
                     [&](std::string_view word) { return words.find(word) != std::string::npos; });
}

std::string signalText(int signal) {
  const char *abbreviation = ::sigabbrev_np(signal);
  const char *description = ::sigdescr_np(signal);
  if (!abbreviation || !description) return "signal " + std::to_string(signal);
  return "signal SIG" + std::string(abbreviation) + " (" + description + ")";
}

constexpr int kSshFailed = 255;
constexpr int kSignalled = 128; // a shell adds the signal's number to this

// Whether ssh itself failed or was killed.
bool isConnectionLost(const WorkerEnd &end) {
  return !end.host.empty() && (end.end.signalled || end.end.value == kSshFailed);
}

// Converts the end of ssh to the end of the program on the other machine.
WorkerEnd asThere(WorkerEnd end) {
  if (end.end.value > kSignalled) end.end = {true, end.end.value - kSignalled};
  end.worker += " on " + end.host;
  end.kernelWasOutOfMemory = false; // this flag concerns this machine, not the other one
  return end;
}

std::string duringRequest(const WorkerEnd &end) {
  return " during '" + end.request + "'" + (end.phase.empty() ? "" : ", phase '" + end.phase + "'");
}

std::string lastWords(const WorkerEnd &end) {
  const std::string words = lastLines(end.errorText, kLastLines);
  return words.empty() ? "." : ". It last wrote:\n" + words;
}

Outcome outcomeOf(const WorkerEnd &end) {
  const bool aborted = !end.end.signalled || end.end.value == SIGABRT;
  if (aborted && saysOutOfMemory(end.errorText)) return Outcome::HostMemory;
  if (!end.end.signalled) return Outcome::Crashed;
  if (end.end.value == SIGXCPU) return Outcome::CompileTimeout;
  if (end.end.value == SIGKILL && end.kernelWasOutOfMemory) return Outcome::HostMemory;
  return Outcome::Crashed;
}

std::string what(const WorkerEnd &end, Outcome outcome) {
  if (outcome == Outcome::CompileTimeout) return " used up its CPU time";
  if (outcome == Outcome::HostMemory) return " ran out of memory";
  if (end.end.signalled) return " crashed with " + signalText(end.end.value);
  return " ended with exit code " + std::to_string(end.end.value) + " before it answered";
}

} // namespace

Reply describe(const WorkerEnd &given) {
  if (isConnectionLost(given))
    return failed(Outcome::ConnectionLost, "The connection to " + given.host + " was lost" +
                                               duringRequest(given) + lastWords(given));
  const WorkerEnd end = given.host.empty() ? given : asThere(given);
  const Outcome outcome = outcomeOf(end);
  return failed(outcome, end.worker + what(end, outcome) + duringRequest(end) + lastWords(end));
}

std::string lastLines(const std::string &text, int lines) {
  const std::size_t last = text.find_last_not_of(" \t\r\n");
  if (last == std::string::npos) return {};
  std::size_t begin = last + 1;
  for (int i = 0; i < lines && begin != std::string::npos && begin > 0; ++i)
    begin = text.rfind('\n', begin - 1);
  begin = begin == std::string::npos ? 0 : begin;
  begin = text.find_first_not_of('\n', begin);
  begin = std::max(begin, last + 1 > kLastWordsBytes ? last + 1 - kLastWordsBytes : 0);
  return text.substr(begin, last + 1 - begin);
}

std::uint64_t outOfMemoryKills() {
  std::ifstream counters("/proc/vmstat");
  std::string name;
  std::uint64_t value = 0;
  while (counters >> name >> value)
    if (name == "oom_kill") return value;
  return 0;
}

} // namespace tessera::job
