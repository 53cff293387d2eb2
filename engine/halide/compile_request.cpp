// SPDX-License-Identifier: MIT
#include "engine/halide/compile_request.h"

#include "engine/halide/request.h"
#include "engine/schedule/directive_json.h"

#include <nlohmann/json.hpp>

namespace tessera::halide {

namespace {

using nlohmann::json;

Error badRequest(const std::string &what) {
  return Error{ErrorCode::Usage, "request to tessera-halide: " + what, ""};
}

std::optional<CompileTarget> targetFrom(const std::string &word) {
  if (word == "cuda") return CompileTarget::Cuda;
  if (word == "opencl") return CompileTarget::OpenCl;
  if (word == "host") return CompileTarget::Host;
  return std::nullopt;
}

// Reads members that may be missing or null; remembers the first that is something else.
class Fields {
public:
  explicit Fields(const json &fields) : m_fields(fields) {}

  void text(const char *key, std::string &target) {
    if (const json *value = find(key)) {
      if (value->is_string())
        target = value->get<std::string>();
      else
        fail(key, "a text");
    }
  }
  void number(const char *key, int &target, int least, int most) {
    if (const json *value = find(key)) {
      const bool whole = value->is_number_integer() &&
                         (!value->is_number_unsigned() || value->get<std::uint64_t>() < INT32_MAX);
      if (whole && value->get<std::int64_t>() >= least && value->get<std::int64_t>() <= most)
        target = value->get<int>();
      else
        fail(key, "a number from " + std::to_string(least) + " to " + std::to_string(most));
    }
  }
  void words(const char *key, const std::vector<std::pair<const char *, bool *>> &known) {
    const json *value = find(key);
    if (!value) return;
    if (!value->is_array()) return fail(key, "a list");
    for (const json &word : *value) {
      bool hit = false;
      for (const auto &[name, target] : known)
        if (word.is_string() && word.get<std::string>() == name) {
          hit = true;
          if (target) *target = true;
        }
      if (!hit) fail(key, "a list of what can be had: " + word.dump());
    }
  }
  void flag(const char *key, bool &target) {
    if (const json *value = find(key)) {
      if (value->is_boolean())
        target = value->get<bool>();
      else
        fail(key, "true or false");
    }
  }
  void target(CompileTarget &result, const std::string &usual) {
    std::string word = usual;
    text("target", word);
    const auto known = targetFrom(word);
    if (known) result = *known;
    if (!known) fail("target", "\"cuda\", \"opencl\" or \"host\"");
  }
  void inputs(std::vector<InputFile> &target) {
    const json *value = find("inputs");
    if (!value) return;
    if (!value->is_array()) return fail("inputs", "a list");
    for (const json &item : *value) {
      const auto text = [&](const char *key) {
        const bool there = item.is_object() && item.contains(key) && item[key].is_string();
        return there ? item[key].get<std::string>() : std::string();
      };
      target.push_back({text("name"), text("file")});
      if (target.back().input.empty() || target.back().file.empty())
        return fail("inputs", "a list of {name, file}");
    }
  }
  Status directives(std::vector<schedule::Directive> &target) const {
    const json *value = find("directives");
    if (!value) return Done{};
    auto list = schedule::directivesFromJson(*value);
    if (!list) return list.error();
    target = std::move(*list);
    return Done{};
  }
  const json *find(const char *key) const {
    const auto at = m_fields.find(key);
    return at == m_fields.end() || at->is_null() ? nullptr : &*at;
  }
  void fail(const char *key, const std::string &wanted) {
    if (!error) error = badRequest(std::string("\"").append(key) + "\" is not " + wanted);
  }

  std::optional<Error> error;

private:
  const json &m_fields;
};

} // namespace

Result<CompileOptions> compileOptionsFrom(const json &fields) {
  auto import = importOptionsFrom(fields);
  if (!import) return import.error();
  CompileOptions options;
  options.import = std::move(*import);
  Fields reader(fields);
  reader.target(options.target, "cuda");
  reader.number("capability", options.capability, 10, 1000);
  reader.number("register_cap", options.registerCap, 16, 255);
  reader.text("sm", options.architecture);
  reader.text("ptxas", options.ptxas);
  reader.text("linker", options.linker);
  reader.text("disassembler", options.disassembler);
  reader.text("output", options.output);
  reader.text("scratch", options.scratch);
  reader.text("cache", options.cache);
  reader.words("want", {{"lowered", &options.wantLowered},
                        {"ptx", nullptr}, // always there
                        {"sass", &options.wantSass}});
  if (options.output.empty()) reader.fail("output", "the folder of the bundle");
  if (reader.error) return *reader.error;
  if (auto status = reader.directives(options.directives); !status) return status.error();
  return options;
}

Result<VerifyOptions> verifyOptionsFrom(const json &fields) {
  auto import = importOptionsFrom(fields);
  if (!import) return import.error();
  VerifyOptions options;
  options.import = std::move(*import);
  Fields reader(fields);
  reader.target(options.target, "opencl");
  reader.flag("small", options.small);
  int seed = 1;
  reader.number("seed", seed, 0, INT32_MAX);
  options.seed = static_cast<std::uint64_t>(seed);
  if (const json *tolerance = reader.find("tolerance")) {
    if (tolerance->is_number() && tolerance->get<double>() >= 0)
      options.tolerance = tolerance->get<double>();
    else
      reader.fail("tolerance", "a number of at least 0");
  }
  reader.inputs(options.inputs);
  if (reader.error) return *reader.error;
  if (options.small && !options.inputs.empty())
    return badRequest("\"inputs\" have a size of their own and are not \"small\"");
  if (auto status = reader.directives(options.directives); !status) return status.error();
  return options;
}

} // namespace tessera::halide
