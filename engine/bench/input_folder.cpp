// SPDX-License-Identifier: MIT
#include "engine/bench/input_folder.h"

#include "engine/bench/json_reader.h"
#include "engine/base/sha256.h"
#include "engine/file/system_error.h"
#include "engine/file/write_file.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>

namespace tessera::bench {

namespace {

using nlohmann::json;
using nlohmann::ordered_json;

constexpr const char *kFormat = "tessera-inputs";
constexpr const char *kIndex = "/inputs.json";

InputFolder::Entry entryFrom(const json &value, const std::string &folder) {
  ObjectReader reader(value, "an input");
  const auto type = pipeline::scalarTypeFromString(reader.word("type"));
  if (!type) throw Malformed("an input has an unknown type");
  const std::string file = reader.word("file");
  if (file.find('/') != std::string::npos)
    throw Malformed("'" + file + "' is not a file of this folder");
  InputFolder::Entry entry{
      reader.word("name"), *type,
      reader.list<std::int64_t>("extents",
                                [](const json &item) { return item.get<std::int64_t>(); }),
      folder + "/" + file, reader.word("sha256")};
  reader.refuseOthers();
  return entry;
}

// Inputs that stay by mistake would be measured with, so a failure is one.
Status removeInputs(const std::string &folder) {
  std::error_code failed;
  std::filesystem::remove(folder + kIndex, failed);
  if (failed) return file::systemError("Cannot remove", folder + kIndex, failed.value());
  return Done{};
}

} // namespace

Status writeInputs(const std::vector<GivenInput> &inputs, const std::string &folder) {
  if (inputs.empty()) return removeInputs(folder);
  ordered_json entries = ordered_json::array();
  for (const GivenInput &input : inputs) {
    const std::string name = "input" + std::to_string(entries.size()) + ".raw";
    const std::vector<std::uint8_t> &data = input.array.data;
    if (auto written = file::writeFile(folder + "/" + name, data, file::Durability::Rebuildable);
        !written)
      return written;
    entries.push_back({{"name", input.name},
                       {"type", pipeline::toString(input.array.type)},
                       {"extents", input.array.extents},
                       {"file", name},
                       {"sha256", sha256Hex(std::as_bytes(std::span(data)))}});
  }
  const std::string text =
      ordered_json{{"format", kFormat}, {"inputs", std::move(entries)}}.dump(1);
  return file::writeFile(folder + kIndex, text, file::Durability::Rebuildable);
}

Result<InputFolder> readInputs(const std::string &folder) {
  std::ifstream file(folder + kIndex, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  InputFolder inputs;
  try {
    const json document = json::parse(text, nullptr, false);
    ObjectReader reader(document, "inputs.json");
    if (reader.word("format") != kFormat) throw Malformed("inputs.json does not describe inputs");
    inputs.entries = reader.list<InputFolder::Entry>(
        "inputs", [&](const json &value) { return entryFrom(value, folder); });
    reader.refuseOthers();
  } catch (const std::exception &problem) {
    return Error{ErrorCode::InputRefused,
                 "The inputs in '" + folder + "' cannot be used: " + problem.what() + ".",
                 "Give the inputs again with --input."};
  }
  inputs.sha256 = sha256Hex(std::as_bytes(std::span(text)));
  return inputs;
}

std::string inputsIn(const std::string &folder) {
  std::error_code ignored;
  return std::filesystem::exists(folder + kIndex, ignored) ? folder : std::string();
}

} // namespace tessera::bench
