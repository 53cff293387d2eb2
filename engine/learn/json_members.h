// SPDX-License-Identifier: MIT
#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

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

inline std::vector<std::string> textsMember(const nlohmann::json &document, const char *key) {
  std::vector<std::string> texts;
  for (const nlohmann::json &item : listMember(document, key)) {
    if (!item.is_string()) throw Damaged{"'" + std::string(key) + "' is not a list of texts"};
    texts.push_back(item.get<std::string>());
  }
  return texts;
}

} // namespace tessera::learn
