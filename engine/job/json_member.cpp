// SPDX-License-Identifier: MIT
#include "engine/job/json_member.h"

#include <nlohmann/json.hpp>

namespace tessera::job {

std::string textAt(const nlohmann::json &object, const char *key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

} // namespace tessera::job
