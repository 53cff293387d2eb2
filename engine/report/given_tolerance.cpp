// SPDX-License-Identifier: MIT
#include "engine/report/given_tolerance.h"

#include <array>
#include <charconv>
#include <cmath>
#include <utility>

namespace tessera::report {

namespace {

using Word = std::pair<std::string_view, std::optional<double> GivenTolerance::*>;
constexpr std::array<Word, 3> kToleranceWords{{{"rel", &GivenTolerance::relative},
                                               {"abs", &GivenTolerance::absolute},
                                               {"share", &GivenTolerance::share}}};

std::string shortest(double value) {
  std::array<char, 32> text;
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value);
  return {text.data(), end.ptr};
}

Error badTolerance(std::string_view part) {
  return {ErrorCode::Usage, "'" + std::string(part) + "' is not a tolerance.",
          "Write for example rel=1e-3,abs=1,share=0.01: what a float may be off by, as a part of "
          "its value; what any number may be off by; and how many of the elements may be further "
          "off, from 0 to 1."};
}

// Takes one "word=number". Returns false if it is not one.
bool takePart(std::string_view part, GivenTolerance &tolerance) {
  for (const auto &[word, member] : kToleranceWords) {
    if (!part.starts_with(word) || part.substr(word.size(), 1) != "=") continue;
    const std::string_view number = part.substr(word.size() + 1);
    double value = 0;
    const auto [end, problem] =
        std::from_chars(number.data(), number.data() + number.size(), value);
    const bool isNumber = problem == std::errc() && end == number.data() + number.size();
    if (!isNumber || !std::isfinite(value) || value < 0 || tolerance.*member) return false;
    if (member == &GivenTolerance::share && value > 1) return false;
    tolerance.*member = value;
    return true;
  }
  return false;
}

} // namespace

std::string textOf(const GivenTolerance &tolerance) {
  std::string text;
  for (const auto &[word, member] : kToleranceWords)
    if (const std::optional<double> value = tolerance.*member)
      text += (text.empty() ? "" : ",") + std::string(word) + "=" + shortest(*value);
  return text;
}

Result<GivenTolerance> givenToleranceFrom(std::string_view text) {
  GivenTolerance tolerance;
  for (std::string_view rest = text;;) {
    const std::size_t comma = rest.find(',');
    const std::string_view part = rest.substr(0, comma);
    if (!takePart(part, tolerance)) return badTolerance(part.empty() ? text : part);
    if (comma == std::string_view::npos) return tolerance;
    rest.remove_prefix(comma + 1);
  }
}

} // namespace tessera::report
