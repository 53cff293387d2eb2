// SPDX-License-Identifier: MIT
#include "engine/machine/machine_json.h"

#include "engine/machine/fields.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <set>
#include <type_traits>

namespace tessera::machine {

using nlohmann::json;
using nlohmann::ordered_json;

namespace {

constexpr std::string_view kCuda = "cuda", kOpenCl = "opencl";
// The upper limit of every number: larger than any number of a GPU, and still exact as a double.
constexpr double kMost = 1e15;

// "a number", as JSON calls it.
std::string kindOf(const json &value) {
  if (value.is_null()) return "null";
  const std::string name = value.type_name();
  return (value.is_array() || value.is_object() ? "an " : "a ") + name;
}

class Reader {
public:
  explicit Reader(const json &document) : m_document(document) {}

  Result<Machine> read() {
    for (const auto &[key, value] : m_document.items())
      if (!kMembers.contains(key)) fail("it has the unknown member '" + key + "'");
    m_machine.name = text("name");
    m_machine.title = text("title");
    readApi();
    readCapability();
    readValues();
    if (!m_problem.empty()) return Error{ErrorCode::InputRefused, m_problem, {}};
    return m_machine;
  }

private:
  void fail(const std::string &problem) {
    if (m_problem.empty()) m_problem = problem;
  }

  std::string text(const std::string &key) {
    const auto found = m_document.find(key);
    if (found == m_document.end())
      fail("it has no '" + key + "'");
    else if (!found->is_string())
      fail("'" + key + "' must be a string, not " + kindOf(*found));
    else if (found->get<std::string>().empty())
      fail("'" + key + "' is empty");
    else
      return found->get<std::string>();
    return {};
  }

  void readApi() {
    const std::string api = text("api");
    if (api == kOpenCl)
      m_machine.api = Api::OpenCl;
    else if (api != kCuda)
      fail("'api' must be \"cuda\" or \"opencl\"");
    m_machine.limits.vectorsTakenApart = m_machine.api == Api::Cuda;
  }

  void readCapability() {
    const auto found = m_document.find("compute_capability");
    if (found == m_document.end()) return;
    const bool isPair = found->is_array() && found->size() == 2 &&
                        (*found)[0].is_number_unsigned() && (*found)[1].is_number_unsigned();
    if (!isPair) return fail("'compute_capability' must be a pair such as [9, 0]");
    m_machine.major = (*found)[0].get<int>();
    m_machine.minor = (*found)[1].get<int>();
  }

  void readValues() {
    const auto values = m_document.find("values");
    if (values == m_document.end()) return fail("it has no 'values'");
    if (!values->is_object()) return fail("'values' must be an object, not " + kindOf(*values));
    std::set<std::string> known;
    forEachField(m_machine, [&](const char *name, auto &value, const char *) {
      known.insert(name);
      readValue(*values, name, value);
    });
    for (const auto &[name, value] : values->items())
      if (!known.contains(name)) fail("there is no value called '" + name + "'");
  }

  template <typename Number>
  void readValue(const json &values, const std::string &name, Number &value) {
    const auto found = values.find(name);
    if (found == values.end()) return fail("value '" + name + "' is missing");
    if (!found->is_object())
      return fail("value '" + name + "' must be an object, not " + kindOf(*found));
    if (!found->contains("value")) return fail("value '" + name + "' has no 'value'");
    const json &number = (*found)["value"];
    const bool isWhole = number.is_number_unsigned();
    if (!number.is_number() || (std::is_integral_v<Number> && !isWhole))
      return fail("value '" + name + "' is not a " +
                  (std::is_integral_v<Number> ? "whole number" : "number"));
    // Only shared_reserved_bytes may be zero.
    const double size = number.get<double>();
    if (!(size > 0 || (size == 0 && name == "shared_reserved_bytes")) || size > kMost)
      return fail("value '" + name + "' is out of range");
    value = number.get<Number>();
    readSource(*found, name);
  }

  void readSource(const json &value, const std::string &name) {
    const auto source = value.find("source");
    const auto sources = m_document.find("sources");
    if (source == value.end()) return fail("value '" + name + "' has no source");
    if (!source->is_string())
      return fail("the source of value '" + name + "' must be a string, not " + kindOf(*source));
    const std::string word = source->get<std::string>();
    if (sources == m_document.end() || !sources->is_object() || !sources->contains(word) ||
        !(*sources)[word].is_string())
      return fail("source '" + word + "' of value '" + name + "' is not among the sources");
    m_machine.sources[name] = (*sources)[word].get<std::string>();
  }

  static const std::set<std::string> kMembers;
  const json &m_document;
  Machine m_machine;
  std::string m_problem;
};

const std::set<std::string> Reader::kMembers{"name",    "title",  "api", "compute_capability",
                                             "sources", "values", "note"};

} // namespace

ordered_json toJson(const Machine &machine) {
  ordered_json document;
  document["name"] = machine.name;
  document["title"] = machine.title;
  document["api"] = machine.api == Api::Cuda ? kCuda : kOpenCl;
  if (machine.major > 0) document["compute_capability"] = {machine.major, machine.minor};
  ordered_json &values = document["values"];
  std::map<std::string, std::string> words; // maps a source to its name in the file
  forEachField(machine, [&](const char *name, const auto &value, const char *) {
    values[name]["value"] = value;
    const auto source = machine.sources.find(name);
    if (source == machine.sources.end()) return;
    const auto word =
        words.try_emplace(source->second, "source " + std::to_string(words.size() + 1)).first;
    values[name]["source"] = word->second;
  });
  for (const auto &[source, word] : words)
    document["sources"][word] = source;
  return document;
}

Result<Machine> machineFromJson(const std::string &text, const std::string &from) {
  const json document = json::parse(text, nullptr, false);
  const std::string hint = "resources/machines has examples";
  if (!document.is_object())
    return Error{ErrorCode::InputRefused, from + " is not a JSON object", hint};
  auto machine = Reader(document).read();
  if (machine) return machine;
  return Error{ErrorCode::InputRefused, from + " is not a machine: " + machine.error().message,
               hint};
}

} // namespace tessera::machine
