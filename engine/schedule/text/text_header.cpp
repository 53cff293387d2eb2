// SPDX-License-Identifier: MIT
#include "engine/schedule/text/text_header.h"

#include "engine/base/escape.h"

#include <array>
#include <charconv>
#include <cmath>

namespace tessera::schedule {

namespace {

constexpr std::string_view kMilliseconds = " ms";

template <typename Number>
std::string shortest(Number number) {
  std::array<char, 64> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number);
  return {digits.data(), end.ptr};
}

template <typename Number>
std::optional<Number> numberFrom(std::string_view text) {
  Number number{};
  const auto end = std::from_chars(text.data(), text.data() + text.size(), number);
  if (end.ec != std::errc() || end.ptr != text.data() + text.size()) return std::nullopt;
  return number;
}

Error makesNoSense(std::string_view value, std::string_view fact, std::string understood) {
  return {ErrorCode::InputRefused,
          "found '" + std::string(value.substr(0, 40)) + "' as the value of '" + std::string(fact) +
              "'",
          std::move(understood)};
}

Status readTime(std::string_view value, std::string_view fact, std::optional<double> &time) {
  std::string_view digits = value;
  if (digits.ends_with(kMilliseconds)) digits.remove_suffix(kMilliseconds.size());
  const auto number = numberFrom<double>(digits);
  if (!number || !std::isfinite(*number) || *number < 0)
    return makesNoSense(value, fact, "milliseconds, such as '0.021 ms'");
  time = *number;
  return Done{};
}

Status readRegisters(std::string_view value, std::optional<std::int32_t> &cap) {
  const auto number = numberFrom<std::int32_t>(value);
  if (!number || *number < 1)
    return makesNoSense(value, "registers", "a number of registers, such as '64'");
  cap = *number;
  return Done{};
}

bool isTime(const std::optional<double> &time) {
  return time && std::isfinite(*time) && *time >= 0;
}

} // namespace

std::vector<report::Promise> promisesOf(const TextHeader &header) {
  std::vector<report::Promise> promises;
  for (const std::string &sentence : header.promises)
    if (auto promise = report::promiseFromText(sentence)) promises.push_back(std::move(*promise));
  return promises;
}

std::vector<std::string> headerLines(const TextHeader &header) {
  std::vector<std::string> lines{std::string(kHeaderMark)};
  const auto fact = [&lines](std::string_view key, std::string_view value) {
    lines.push_back(std::string(key) + ": " + escaped(value));
  };
  const auto time = [&fact](std::string_view key, const std::optional<double> &value) {
    if (isTime(value)) fact(key, shortest(*value) + std::string(kMilliseconds));
  };
  if (!header.version.empty()) fact("version", header.version);
  if (!header.pipeline.empty()) fact("pipeline", header.pipeline);
  if (!header.machine.empty()) fact("machine", header.machine);
  if (header.registerCap && *header.registerCap >= 1) {
    const std::string cap = shortest(*header.registerCap);
    fact("registers", cap);
    lines.push_back("  (a thread; run with HL_CUDA_JIT_MAX_REGISTERS=" + cap +
                    ", Halide's runtime takes 64 otherwise)");
  }
  for (const std::string &promise : header.promises)
    fact("promise", promise);
  time("predicted", header.predictedMilliseconds);
  time("measured", header.measuredMilliseconds);
  for (const std::string &note : header.notes)
    fact("note", note);
  return lines;
}

Status readHeaderLine(std::string_view line, TextHeader &header) {
  const std::size_t colon = line.find(": ");
  if (colon == std::string_view::npos) return Done{};
  const std::string_view key = line.substr(0, colon), value = line.substr(colon + 2);
  if (key == "version") header.version = unescaped(value);
  if (key == "pipeline") header.pipeline = unescaped(value);
  if (key == "machine") header.machine = unescaped(value);
  if (key == "promise") header.promises.push_back(unescaped(value));
  if (key == "note") header.notes.push_back(unescaped(value));
  if (key == "registers") return readRegisters(value, header.registerCap);
  if (key == "predicted") return readTime(value, key, header.predictedMilliseconds);
  if (key == "measured") return readTime(value, key, header.measuredMilliseconds);
  return Done{};
}

} // namespace tessera::schedule
