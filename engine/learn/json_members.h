// SPDX-License-Identifier: MIT
#pragma once

#include <nlohmann/json.hpp>

#include <string>

namespace tessera::learn {

// Why a file that was read is not as it was written. Thrown by the readers of this room, and caught
// by them.
struct Damaged {
  std::string why;
};

inline const nlohmann::json &member(const nlohmann::json &document, const char *key) {
  if (!document.is_object() || !document.contains(key))
    throw Damaged{"'" + std::string(key) + "' is missing"};
  return document[key];
}

inline std::string textMember(const nlohmann::json &document, const char *key) {
  const nlohmann::json &value = member(document, key);
  if (!value.is_string()) throw Damaged{"'" + std::string(key) + "' is not a text"};
  return value.get<std::string>();
}

inline const nlohmann::json &listMember(const nlohmann::json &document, const char *key) {
  const nlohmann::json &list = member(document, key);
  if (!list.is_array()) throw Damaged{"'" + std::string(key) + "' is not a list"};
  return list;
}

} // namespace tessera::learn
