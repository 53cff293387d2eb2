// SPDX-License-Identifier: MIT
#include "engine/report/promise.h"

#include "engine/base/escape.h"

#include <charconv>
#include <limits>
#include <optional>

namespace tessera::report {

namespace {

constexpr std::string_view kAnd = " && ";
constexpr std::string_view kEquals = " == ";
constexpr std::string_view kDim = ".dim(";
constexpr std::string_view kAlignment = ".host_alignment";
constexpr std::int64_t kMostDims = 16;        // dimensions 0 to 15, as in schedule_json.cpp
constexpr std::int64_t kMostAlignment = 4096; // bytes

// The name with escapes for dots and blanks, which the sentence itself uses.
std::string nameText(const std::string &name) {
  std::string out;
  for (const char c : escaped(name)) {
    if (c == '.')
      out += "\\x2e";
    else if (c == ' ')
      out += "\\x20";
    else
      out += c;
  }
  return out;
}

Error noPromise(std::string_view text) {
  return {ErrorCode::InputRefused,
          "found '" + std::string(text.substr(0, 80)) + "' where a promise was expected",
          "expected here: 'input.dim(0).stride == 1' (or min, extent), 'input.host_alignment == "
          "16', or several joined by ' && '"};
}

std::optional<std::int64_t> numberIn(std::string_view text, std::int64_t low, std::int64_t high) {
  std::int64_t number = 0;
  const auto end = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool whole = end.ec == std::errc() && end.ptr == text.data() + text.size();
  if (!whole || number < low || number > high) return std::nullopt;
  return number;
}

// What a condition is about: "input.dim(1).min" is one property of one dimension.
struct Subject {
  std::string buffer;
  std::optional<std::uint16_t> dim; // none: the whole buffer
  std::string_view property;
};

std::optional<Subject> subjectFrom(std::string_view text) {
  if (text.ends_with(kAlignment)) {
    const std::string_view buffer = text.substr(0, text.size() - kAlignment.size());
    return Subject{unescaped(buffer), std::nullopt, kAlignment.substr(1)};
  }
  const std::size_t dot = text.find(kDim);
  const std::size_t close = text.find(").", dot == std::string_view::npos ? text.size() : dot);
  if (close == std::string_view::npos) return std::nullopt;
  const std::size_t first = dot + kDim.size();
  const auto dim = numberIn(text.substr(first, close - first), 0, kMostDims - 1);
  if (!dim) return std::nullopt;
  return Subject{unescaped(text.substr(0, dot)), static_cast<std::uint16_t>(*dim),
                 text.substr(close + 2)};
}

bool take(Promise &promise, const Subject &subject, std::string_view value) {
  constexpr std::int64_t kLow = std::numeric_limits<std::int32_t>::min();
  constexpr std::int64_t kHigh = std::numeric_limits<std::int32_t>::max();
  const auto once = [](std::optional<std::int64_t> &target, std::optional<std::int64_t> number) {
    if (target || !number) return false;
    target = number;
    return true;
  };
  if (!subject.dim) {
    const auto bytes = numberIn(value, 1, kMostAlignment);
    if (!bytes || promise.hostAlignment != 0) return false;
    promise.hostAlignment = *bytes;
    return true;
  }
  promise.dim = *subject.dim;
  if (subject.property == "min") return once(promise.min, numberIn(value, kLow, kHigh));
  if (subject.property == "extent") return once(promise.extent, numberIn(value, 1, kHigh));
  if (subject.property == "stride") return once(promise.stride, numberIn(value, kLow, kHigh));
  return false;
}

} // namespace

std::string textOf(const Promise &promise) {
  const std::string buffer = nameText(promise.buffer);
  const std::string ofDim = buffer + std::string(kDim) + std::to_string(promise.dim) + ").";
  std::string out;
  const auto say = [&out](const std::string &subject, std::int64_t value) {
    if (!out.empty()) out += kAnd;
    out += subject + std::string(kEquals) + std::to_string(value);
  };
  if (promise.min) say(ofDim + "min", *promise.min);
  if (promise.extent) say(ofDim + "extent", *promise.extent);
  if (promise.stride) say(ofDim + "stride", *promise.stride);
  if (promise.hostAlignment != 0) say(buffer + std::string(kAlignment), promise.hostAlignment);
  return out;
}

Result<Promise> promiseFromText(std::string_view text) {
  Promise promise;
  std::optional<std::uint16_t> dim;
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t end = rest.find(kAnd);
    const std::string_view fact = rest.substr(0, end);
    rest = end == std::string_view::npos ? std::string_view{} : rest.substr(end + kAnd.size());
    if (end != std::string_view::npos && rest.empty()) return noPromise(text);
    const std::size_t equals = fact.find(kEquals);
    if (equals == std::string_view::npos) return noPromise(text);
    const auto subject = subjectFrom(fact.substr(0, equals));
    if (!subject || subject->buffer.empty()) return noPromise(text);
    const bool another = !promise.buffer.empty() && promise.buffer != subject->buffer;
    if (another || (dim && subject->dim && *dim != *subject->dim)) return noPromise(text);
    promise.buffer = subject->buffer;
    if (subject->dim) dim = subject->dim;
    if (!take(promise, *subject, fact.substr(equals + kEquals.size()))) return noPromise(text);
  }
  if (promise.buffer.empty()) return noPromise(text);
  return promise;
}

std::vector<std::string> halideCalls(const Promise &promise) {
  std::vector<std::string> calls;
  const auto add = [&](const char *call, const std::optional<std::int64_t> &value) {
    if (value)
      calls.push_back(std::string(call) + "(" + std::to_string(promise.dim) + ", " +
                      std::to_string(*value) + ")");
  };
  add("set_min_constraint", promise.min);
  add("set_extent_constraint", promise.extent);
  add("set_stride_constraint", promise.stride);
  if (promise.hostAlignment != 0)
    calls.push_back("set_host_alignment(" + std::to_string(promise.hostAlignment) + ")");
  return calls;
}

} // namespace tessera::report
