// SPDX-License-Identifier: MIT
#include "engine/machine/machine_json.h"

#include "engine/machine/fields.h"
#include "engine/base/json_text.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <set>
#include <string_view>
#include <type_traits>
#include <utility>

namespace tessera::machine {

using nlohmann::json;
using nlohmann::ordered_json;

namespace {

constexpr std::string_view kCuda = "cuda", kOpenCl = "opencl";
// The upper limit of every number: larger than any number of a GPU, and still exact as a double.
constexpr double kMost = 1e15;

class Reader {
public:
  explicit Reader(const json &document) : m_document(document) {}

  Result<Machine> read() {
    for (const auto &[key, value] : m_document.items())
      if (!kMembers.contains(key)) fail(key, "there is no such member");
    m_machine.name = text("name");
    m_machine.title = text("title");
    readApi();
    readCapability();
    readValues();
    if (!m_problem.empty()) return Error{ErrorCode::InputRefused, m_problem, {}};
    return m_machine;
  }

private:
  // `path` leads to the member that is wrong, or to the object that lacks one.
  void fail(const std::string &path, const std::string &problem) {
    if (m_problem.empty()) m_problem = path + (path.empty() ? "" : ": ") + problem;
  }
  void expect(const std::string &path, std::string_view expected, const json &found) {
    fail(path, expectedText(expected, found));
  }
  void lacks(const std::string &path, const std::string &key) {
    fail(path, "'" + key + "' is missing");
  }

  std::string text(const std::string &key) {
    const auto found = m_document.find(key);
    if (found == m_document.end())
      lacks("", key);
    else if (!found->is_string() || found->get<std::string>().empty())
      expect(key, "words in quotes", *found);
    else
      return found->get<std::string>();
    return {};
  }

  void readApi() {
    const std::string api = text("api");
    if (api == kOpenCl)
      m_machine.api = Api::OpenCl;
    else if (api != kCuda && !api.empty())
      expect("api", R"("cuda" or "opencl")", api);
    m_machine.limits.vectorsTakenApart = m_machine.api == Api::Cuda;
  }

  void readCapability() {
    const auto found = m_document.find("compute_capability");
    if (found == m_document.end()) return;
    const bool isPair = found->is_array() && found->size() == 2 &&
                        (*found)[0].is_number_unsigned() && (*found)[1].is_number_unsigned();
    if (!isPair) return expect("compute_capability", "a pair such as [9,0]", *found);
    m_machine.major = (*found)[0].get<int>();
    m_machine.minor = (*found)[1].get<int>();
  }

  void readValues() {
    const auto values = m_document.find("values");
    if (values == m_document.end()) return lacks("", "values");
    if (!values->is_object()) return expect("values", "an object", *values);
    std::set<std::string> known;
    forEachField(m_machine, [&](const char *name, auto &value, const char *) {
      known.insert(name);
      readValue(*values, name, value);
    });
    for (const auto &[name, value] : values->items())
      if (!known.contains(name)) fail("values." + name, "there is no such value");
  }

  template <typename Number>
  void readValue(const json &values, const std::string &name, Number &value) {
    const std::string path = "values." + name;
    const auto found = values.find(name);
    if (found == values.end()) return lacks("values", name);
    if (!found->is_object()) return expect(path, "an object", *found);
    if (!found->contains("value")) return lacks(path, "value");
    const json &number = (*found)["value"];
    const bool isWhole = number.is_number_unsigned();
    if (!number.is_number() || (std::is_integral_v<Number> && !isWhole))
      return expect(path + ".value",
                    std::is_integral_v<Number> ? "a positive whole number" : "a number", number);
    // Only shared_reserved_bytes may be zero.
    const double size = number.get<double>();
    if (!(size > 0 || (size == 0 && name == "shared_reserved_bytes")) || size > kMost)
      return expect(path + ".value", "a number above 0, up to 1e15", number);
    value = number.get<Number>();
    readSource(*found, name);
  }

  void readSource(const json &value, const std::string &name) {
    const std::string path = "values." + name;
    const auto source = value.find("source");
    const auto sources = m_document.find("sources");
    if (source == value.end()) return lacks(path, "source");
    if (!source->is_string()) return expect(path + ".source", "words in quotes", *source);
    const std::string word = source->get<std::string>();
    if (sources == m_document.end() || !sources->is_object() || !sources->contains(word) ||
        !(*sources)[word].is_string())
      return expect(path + ".source", "a member of 'sources'", *source);
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

Result<Machine> machineFromJson(const std::string &text, const std::string &path) {
  const auto read = [&]() -> Result<Machine> {
    const auto document = parsedJson(text);
    if (!document) return document.error();
    if (!document->is_object())
      return withPlaceIn(text, {ErrorCode::InputRefused, expectedText("an object", *document), {}});
    auto machine = Reader(*document).read();
    return machine ? std::move(machine) : withPlaceIn(text, machine.error());
  };
  auto machine = read();
  if (machine) return machine;
  return Error{ErrorCode::InputRefused, path + ":" + machine.error().message,
               "It is read as the description of a GPU; resources/machines has examples."};
}

} // namespace tessera::machine
