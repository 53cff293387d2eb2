// SPDX-License-Identifier: MIT
#include "engine/open/open.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <optional>
#include <utility>

namespace tessera::open {
namespace {

using pipeline::Interval;

constexpr std::string_view kDigits = "0123456789", kSpace = " \t";
constexpr std::array<std::string_view, 4> kTimes{"x", "X", "*", "×"};

std::optional<std::int64_t> integer(std::string_view text) {
  std::int64_t value = 0;
  const char *end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, value);
  if (parsed.ec != std::errc{} || parsed.ptr != end) return std::nullopt;
  return value;
}

std::string_view stripped(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpace) + 1 - first);
}

std::optional<Interval> interval(std::optional<std::int64_t> min,
                                 std::optional<std::int64_t> extent) {
  constexpr std::int64_t kLimit = std::numeric_limits<std::int32_t>::max();
  if (!min || !extent || *extent < 1 || *extent > kLimit || *min < -kLimit || *min > kLimit)
    return std::nullopt;
  return Interval{*min, *min + *extent - 1};
}

// "1024", which begins at 0.
std::optional<Interval> extentAlone(std::string_view text) { return interval(0, integer(text)); }

// "-2:1024".
std::optional<Interval> minAndExtent(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) return std::nullopt;
  return interval(integer(stripped(text.substr(0, colon))),
                  integer(stripped(text.substr(colon + 1))));
}

// The parts of a text, with the length of what separates each from the next.
std::vector<std::string_view> split(std::string_view text,
                                    std::size_t (*separatorAt)(std::string_view)) {
  std::vector<std::string_view> parts;
  std::size_t begin = 0, at = 0;
  while (at < text.size()) {
    const std::size_t length = separatorAt(text.substr(at));
    if (length > 0) {
      parts.push_back(stripped(text.substr(begin, at - begin)));
      begin = at + length;
    }
    at += std::max<std::size_t>(length, 1);
  }
  parts.push_back(stripped(text.substr(begin)));
  return parts;
}

std::size_t commaAt(std::string_view text) { return text.starts_with(',') ? 1 : 0; }

std::size_t timesAt(std::string_view text) {
  const auto found =
      std::ranges::find_if(kTimes, [&](std::string_view times) { return text.starts_with(times); });
  return found == kTimes.end() ? 0 : found->size();
}

// Whether the text can only be meant as a size, as "1024 × 768" is. "max" and "1e5" are values.
bool hasTimesBetweenNumbers(std::string_view text) {
  const std::vector<std::string_view> parts = split(text, timesAt);
  return parts.size() > 1 && text.find_first_of(kDigits) != std::string_view::npos &&
         std::ranges::all_of(parts, [](std::string_view part) {
           return part.find_first_not_of(kDigits) == std::string_view::npos;
         });
}

std::optional<std::vector<Interval>>
dimensionsOf(const std::vector<std::string_view> &parts,
             std::optional<Interval> (*read)(std::string_view)) {
  std::vector<Interval> dims;
  for (const std::string_view part : parts) {
    const auto dim = read(part);
    if (!dim) return std::nullopt;
    dims.push_back(*dim);
  }
  return dims;
}

Error malformed(std::string_view text) {
  return {ErrorCode::Usage, "'" + std::string(text) + "' is not an estimate.",
          "Write name=1536×2560 or name=1536x2560x3 for a buffer, name=min:extent,min:extent,… if "
          "it does not begin at 0 (as in input=-1:1538,0:2560), or name=value for a scalar. "
          "Extents are at least 1."};
}

} // namespace

Result<EstimateOverride> parseEstimate(std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos) return malformed(text);
  EstimateOverride estimate;
  estimate.name = stripped(text.substr(0, equals));
  const std::string_view value = stripped(text.substr(equals + 1));
  if (estimate.name.empty() || value.empty()) return malformed(text);
  const bool hasMinima = value.find_first_of(":,") != std::string_view::npos;
  if (!hasMinima && !hasTimesBetweenNumbers(value)) {
    estimate.scalar = value;
    return estimate;
  }
  auto dims = hasMinima ? dimensionsOf(split(value, commaAt), minAndExtent)
                        : dimensionsOf(split(value, timesAt), extentAlone);
  if (!dims) return malformed(text);
  estimate.dims = std::move(*dims);
  return estimate;
}

bool readAsSize(EstimateOverride &estimate) {
  if (!estimate.dims.empty()) return true;
  const auto only = extentAlone(estimate.scalar);
  if (!only) return false;
  estimate.dims = {*only};
  estimate.scalar.clear();
  return true;
}

std::string textOf(const EstimateOverride &estimate) {
  std::string text = estimate.name + "=" + estimate.scalar;
  for (std::size_t d = 0; d < estimate.dims.size(); ++d)
    text += (d ? "," : "") + std::to_string(estimate.dims[d].min) + ":" +
            std::to_string(estimate.dims[d].extent());
  return text;
}

void setEstimate(OpenRequest &request, EstimateOverride estimate) {
  const auto same = std::ranges::find(request.estimates, estimate.name, &EstimateOverride::name);
  if (same == request.estimates.end())
    request.estimates.push_back(std::move(estimate));
  else
    *same = std::move(estimate);
}

std::vector<EstimateOverride> fittingEstimates(const pipeline::Pipeline &pipeline) {
  std::vector<EstimateOverride> estimates;
  for (const pipeline::NamedSize &fit : pipeline.conflicts().fit)
    estimates.push_back({fit.name, fit.size, {}});
  return estimates;
}

} // namespace tessera::open
