// SPDX-License-Identifier: MIT
#include "engine/open/generator.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <sstream>

namespace tessera::open {
namespace {

std::string trimmed(std::string_view text) {
  const auto space = [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; };
  while (!text.empty() && space(text.front()))
    text.remove_prefix(1);
  while (!text.empty() && space(text.back()))
    text.remove_suffix(1);
  return std::string(text);
}

// Finds the enumerations: "enum class Enum_mode {" … "};" gives Enum_mode → its values.
std::map<std::string, std::vector<std::string>> enumerations(std::string_view header) {
  std::map<std::string, std::vector<std::string>> found;
  constexpr std::string_view kOpening = "enum class ";
  for (std::size_t at = header.find(kOpening); at != std::string_view::npos;
       at = header.find(kOpening, at + 1)) {
    const std::size_t brace = header.find('{', at);
    const std::size_t end = header.find('}', at);
    if (brace == std::string_view::npos || end == std::string_view::npos || end < brace) break;
    std::vector<std::string> &values =
        found[trimmed(header.substr(at + kOpening.size(), brace - at - kOpening.size()))];
    std::istringstream body(std::string(header.substr(brace + 1, end - brace - 1)));
    for (std::string value; std::getline(body, value, ',');)
      if (std::string name = trimmed(value); !name.empty()) values.push_back(std::move(name));
  }
  return found;
}

// Converts a default from C++ spelling to the spelling of the generator's command line.
std::string commandLineValue(const std::string &type, std::string value) {
  if (value.size() >= 2 && value.front() == '"' && value.back() == '"')
    return value.substr(1, value.size() - 2);
  if (const std::size_t scope = value.rfind("::"); scope != std::string::npos)
    value = value.substr(scope + 2);
  if (type == "float" && !value.empty() && value.back() == 'f') value.pop_back();
  if (type != "Type") return value;
  std::string word; // command-line spelling: "uint8" for UInt(8)
  for (const char c : value)
    if (c != '(' && c != ')')
      word += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return word;
}

} // namespace

std::vector<GeneratorParameter> parametersOfStub(std::string_view header) {
  std::vector<GeneratorParameter> parameters;
  const auto enums = enumerations(header);
  const std::size_t begin = header.find("struct GeneratorParams final {");
  if (begin == std::string_view::npos) return parameters;
  std::istringstream body(std::string(header.substr(begin)));
  std::string line;
  std::getline(body, line);
  while (std::getline(body, line)) {
    const std::string member = trimmed(line);
    if (member.starts_with("GeneratorParams()")) break;
    const std::size_t brace = member.find('{');
    const std::size_t end = member.rfind("};");
    const std::size_t space = member.rfind(' ', brace);
    if (brace == std::string::npos || end == std::string::npos || space == std::string::npos)
      continue;
    GeneratorParameter parameter;
    parameter.type = trimmed(std::string_view(member).substr(0, space));
    parameter.name = trimmed(std::string_view(member).substr(space + 1, brace - space - 1));
    parameter.defaultValue = commandLineValue(
        parameter.type, trimmed(std::string_view(member).substr(brace + 1, end - brace - 1)));
    if (const auto values = enums.find(parameter.type); values != enums.end()) {
      parameter.type = "enum";
      parameter.choices = values->second;
    }
    parameters.push_back(std::move(parameter));
  }
  return parameters;
}

std::vector<std::string> generatorNames(std::string_view message) {
  std::vector<std::string> names;
  constexpr std::string_view kAnnouncement = "available Generators are:";
  const std::size_t at = message.find(kAnnouncement);
  if (at == std::string_view::npos) return names;
  std::istringstream lines(std::string(message.substr(at + kAnnouncement.size())));
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line) && line.starts_with(' '))
    if (std::string name = trimmed(line); !name.empty()) names.push_back(std::move(name));
  std::sort(names.begin(), names.end());
  return names;
}

} // namespace tessera::open
