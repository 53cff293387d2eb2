// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <set>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace tessera::bench {

// Thrown by the code in this folder that reads a JSON document, for a member that is missing, of a
// wrong type or unknown; the text names the member. Callers outside this folder must not see it.
struct Malformed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class ObjectReader {
public:
  ObjectReader(const nlohmann::json &object, std::string what)
      : m_object(object), m_what(std::move(what)) {
    if (!object.is_object()) throw Malformed(m_what + " is not an object");
  }

  bool has(const char *key) {
    m_known.insert(key);
    return m_object.contains(key) && !m_object[key].is_null();
  }
  const nlohmann::json &at(const char *key) {
    if (!has(key)) throw Malformed(m_what + " has no '" + key + "'");
    return m_object[key];
  }
  std::string word(const char *key) {
    const nlohmann::json &value = at(key);
    if (!value.is_string()) throw Malformed(quoted(key) + " is not a string");
    return value.get<std::string>();
  }
  template <typename Number>
  Number number(const char *key) {
    const nlohmann::json &value = at(key);
    if constexpr (std::is_same_v<Number, bool>) {
      if (!value.is_boolean()) throw Malformed(quoted(key) + " is neither true nor false");
    } else if constexpr (std::is_integral_v<Number>) {
      if (!value.is_number_integer()) throw Malformed(quoted(key) + " is not a whole number");
      const auto wide = value.get<std::int64_t>();
      if (wide < 0 || static_cast<std::int64_t>(static_cast<Number>(wide)) != wide)
        throw Malformed(quoted(key) + " is out of range");
    } else if (!value.is_number()) {
      throw Malformed(quoted(key) + " is not a number");
    }
    return value.get<Number>();
  }
  template <typename Item, typename Read>
  std::vector<Item> list(const char *key, const Read &read) {
    const nlohmann::json &items = at(key);
    if (!items.is_array()) throw Malformed(quoted(key) + " is not a list");
    std::vector<Item> result;
    for (const nlohmann::json &item : items)
      result.push_back(read(item));
    return result;
  }
  std::vector<std::string> words(const char *key) {
    return list<std::string>(key, [&](const nlohmann::json &item) {
      if (!item.is_string()) throw Malformed(quoted(key) + " has an item that is not a string");
      return item.get<std::string>();
    });
  }
  // Checks the members "format" and "version". `none` is the error for a wrong format ("it is not a
  // measurement"); `has` begins the error for a wrong version ("it has").
  void expectFormat(const char *format, int version, const char *none, const std::string &has) {
    if (word("format") != format) throw Malformed(none);
    if (const int found = number<int>("version"); found != version)
      throw Malformed(has + " version " + std::to_string(found) + "; this program reads version " +
                      std::to_string(version));
  }
  // Fails if the object has members that were not read. Must be called last.
  void refuseOthers() const {
    for (const auto &[key, value] : m_object.items())
      if (!m_known.contains(key)) throw Malformed(m_what + " has an unknown member '" + key + "'");
  }

private:
  std::string quoted(const char *key) const { return m_what + ": '" + key + "'"; }

  const nlohmann::json &m_object;
  std::string m_what;
  std::set<std::string> m_known;
};

// Returns what `read` returns. Any std::exception becomes an Error whose text begins with `before`.
template <typename Read>
Result<std::invoke_result_t<Read>> readOr(ErrorCode code, const std::string &before,
                                          const Read &read) {
  try {
    return read();
  } catch (const std::exception &problem) {
    return Error{code, before + problem.what(), ""};
  }
}

} // namespace tessera::bench
