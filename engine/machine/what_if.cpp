// SPDX-License-Identifier: MIT
#include "engine/machine/what_if.h"

#include "engine/machine/fields.h"

#include <cmath>
#include <type_traits>

namespace tessera::machine {

namespace {

constexpr std::string_view kSuffix = "-what-if";
// The upper limit of every number, the same as in machine_json.cpp: larger than any number of a
// GPU, and still exact as a double.
constexpr double kMost = 1e15;

} // namespace

Machine whatIfOf(const Machine &machine) {
  if (isWhatIf(machine.name)) return machine;
  Machine copy = machine;
  copy.name += kSuffix;
  copy.title += ", what if";
  return copy;
}

bool isWhatIf(std::string_view name) { return originalOf(name).has_value(); }

std::optional<std::string> originalOf(std::string_view name) {
  if (!name.ends_with(kSuffix) || name.size() == kSuffix.size()) return std::nullopt;
  return std::string(name.substr(0, name.size() - kSuffix.size()));
}

Result<Machine> withValue(Machine machine, std::string_view field, double value) {
  std::optional<Error> wrong =
      Error{ErrorCode::Usage, "A machine has no value called '" + std::string(field) + "'.", {}};
  forEachField(machine, [&](std::string_view name, auto &number, const char *meaning) {
    if (name != field) return;
    using Number = std::remove_reference_t<decltype(number)>;
    const bool mayBeNothing = name == "shared_reserved_bytes";
    const bool isWhole = !std::is_integral_v<Number> || value == std::floor(value);
    if (!(value > 0 || (value == 0 && mayBeNothing)) || value > kMost || !isWhole) {
      wrong = Error{ErrorCode::Usage, std::string(meaning) + ": this value is not possible.",
                    !std::is_integral_v<Number> ? "Write a number above 0."
                    : mayBeNothing              ? "Write a whole number that is at least 0."
                                                : "Write a whole number that is at least 1."};
      return;
    }
    wrong.reset();
    number = static_cast<Number>(value);
    machine.sources[std::string(name)] = "what if";
  });
  if (wrong) return *wrong;
  return machine;
}

Machine withValueOf(Machine machine, std::string_view field, const Machine &other) {
  std::optional<double> value;
  forEachField(other, [&](std::string_view name, const auto &number, const char *) {
    if (name == field) value = static_cast<double>(number);
  });
  forEachField(machine, [&](std::string_view name, auto &number, const char *) {
    using Number = std::remove_reference_t<decltype(number)>;
    if (name == field && value) number = static_cast<Number>(*value);
  });
  const auto source = other.sources.find(std::string(field));
  if (source != other.sources.end()) machine.sources[std::string(field)] = source->second;
  return machine;
}

} // namespace tessera::machine
