// SPDX-License-Identifier: MIT
#include "engine/bench/input_folder.h"

#include "engine/bench/json_reader.h"
#include "engine/base/sha256.h"

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

Status writeFile(const std::string &path, const char *data, std::size_t bytes) {
  std::ofstream file(path, std::ios::binary);
  file.write(data, static_cast<std::streamsize>(bytes));
  file.close();
  if (!file) return Error{ErrorCode::System, "'" + path + "' cannot be written.", ""};
  return Done{};
}

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

} // namespace

Status writeInputs(const std::vector<GivenInput> &inputs, const std::string &folder) {
  std::error_code ignored; // without the folder, writing the files fails below
  if (inputs.empty()) {
    std::filesystem::remove(folder + kIndex, ignored);
    return Done{};
  }
  std::filesystem::create_directories(folder, ignored);
  ordered_json entries = ordered_json::array();
  for (const GivenInput &input : inputs) {
    const std::string file = "input" + std::to_string(entries.size()) + ".raw";
    const std::vector<std::uint8_t> &data = input.array.data;
    if (auto written = writeFile(folder + "/" + file, reinterpret_cast<const char *>(data.data()),
                                 data.size());
        !written)
      return written;
    entries.push_back({{"name", input.name},
                       {"type", pipeline::toString(input.array.type)},
                       {"extents", input.array.extents},
                       {"file", file},
                       {"sha256", sha256Hex(std::as_bytes(std::span(data)))}});
  }
  const std::string text =
      ordered_json{{"format", kFormat}, {"inputs", std::move(entries)}}.dump(1);
  return writeFile(folder + kIndex, text.data(), text.size());
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
