// SPDX-License-Identifier: MIT
#include "engine/open/open.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>
#include <utility>

namespace tessera::open {
namespace {

std::optional<std::int64_t> integer(std::string_view text) {
  std::int64_t value = 0;
  const char *end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, value);
  if (parsed.ec != std::errc{} || parsed.ptr != end) return std::nullopt;
  return value;
}

Error malformed(std::string_view text) {
  return {ErrorCode::Usage, "'" + std::string(text) + "' is not an estimate.",
          "Write name=min:extent,min:extent,… for a buffer (as in input=0:1536,0:2560) or "
          "name=value for a scalar. Extents are at least 1."};
}

} // namespace

Result<EstimateOverride> parseEstimate(std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0 || equals + 1 == text.size())
    return malformed(text);
  EstimateOverride estimate;
  estimate.name = text.substr(0, equals);
  std::string_view rest = text.substr(equals + 1);
  if (rest.find(':') == std::string_view::npos) {
    if (rest.find(',') != std::string_view::npos) return malformed(text);
    estimate.scalar = rest;
    return estimate;
  }
  while (true) {
    const std::size_t comma = rest.find(',');
    const std::string_view dim = rest.substr(0, comma);
    const std::size_t colon = dim.find(':');
    if (colon == std::string_view::npos) return malformed(text);
    const auto min = integer(dim.substr(0, colon));
    const auto extent = integer(dim.substr(colon + 1));
    constexpr std::int64_t kLimit = std::numeric_limits<std::int32_t>::max();
    if (!min || !extent || *extent < 1 || *extent > kLimit || *min < -kLimit || *min > kLimit)
      return malformed(text);
    estimate.dims.push_back({*min, *min + *extent - 1});
    if (comma == std::string_view::npos) return estimate;
    rest.remove_prefix(comma + 1);
  }
}

void setEstimate(OpenRequest &request, EstimateOverride estimate) {
  const auto same = std::ranges::find(request.estimates, estimate.name, &EstimateOverride::name);
  if (same == request.estimates.end())
    request.estimates.push_back(std::move(estimate));
  else
    *same = std::move(estimate);
}

} // namespace tessera::open
