// SPDX-License-Identifier: MIT
#pragma once

#include "engine/halide/compile/compile.h"
#include "engine/halide/verify/realize.h"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tessera::halide {

// Reads members of a request; one that is missing or null leaves its target unchanged. `error` is
// about the first member with a wrong type or value.
class Fields {
public:
  explicit Fields(const nlohmann::json &fields) : m_fields(fields) {}

  void text(const char *key, std::string &target);
  void number(const char *key, int &target, int least, int most);
  void words(const char *key, const std::vector<std::pair<const char *, bool *>> &known);
  void texts(const char *key, std::vector<std::pair<std::string, std::string>> &target);
  void flag(const char *key, bool &target);
  void target(CompileTarget &result, const std::string &usual);
  void inputs(std::vector<InputFile> &target);
  Status directives(std::vector<schedule::Directive> &target) const;

  const nlohmann::json *find(const char *key) const;
  void fail(const char *key, const std::string &wanted);

  std::optional<Error> error;

private:
  const nlohmann::json &m_fields;
};

} // namespace tessera::halide
