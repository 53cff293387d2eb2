// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace tessera {

// JSON that people edit: errors say the line, the column and the member, such as
//
//   14:9: directives[1].arguments[3]: expected a number, found "x"
//
// A reader puts the path of the member in front of its message; withPlaceIn() adds where that is.

struct TextPlace {
  std::size_t line = 1, column = 1; // from 1; columns are bytes

  friend bool operator==(const TextPlace &, const TextPlace &) = default;
};

Result<nlohmann::json> parsedJson(std::string_view text);

// Where the value of a member begins in a JSON text. Of a member that is missing, the object that
// lacks it. None if `text` is no JSON.
std::optional<TextPlace> placeInJson(std::string_view text, std::string_view path);

// `error` with the line and column of the member that its message begins with.
Error withPlaceIn(std::string_view text, Error error);

// "expected a number, found "x"", with the value shortened.
std::string expectedText(std::string_view expected, const nlohmann::json &found);

} // namespace tessera
