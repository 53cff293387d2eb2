// SPDX-License-Identifier: MIT
#include "engine/measure/run_inputs.h"

#include "engine/bench/json_reader.h"

#include <algorithm>
#include <utility>

namespace tessera::measure {

using bench::ObjectReader;
using nlohmann::json;
using nlohmann::ordered_json;

std::string RunInputs::pathOf(std::string_view input) const {
  const auto file = std::ranges::find(files, input, &File::input);
  return file == files.end() ? std::string() : file->path;
}

RunInputs RunInputs::with(const std::string &input, const std::string &path) const {
  RunInputs changed = *this;
  std::erase_if(changed.files, [&](const File &file) { return file.input == input; });
  if (!path.empty()) changed.files.push_back({input, path});
  std::ranges::sort(changed.files, {}, &File::input);
  return changed;
}

ordered_json toJson(const RunInputs &inputs) {
  ordered_json files = ordered_json::array();
  for (const RunInputs::File &file : inputs.files)
    files.push_back({{"input", file.input}, {"path", file.path}});
  ordered_json object{{"seed", inputs.seed}, {"files", std::move(files)}};
  if (!inputs.tolerance.isNothing()) object["tolerance"] = textOf(inputs.tolerance);
  return object;
}

Result<RunInputs> runInputsFromJson(const json &document) {
  try {
    ObjectReader object(document, "the inputs");
    RunInputs inputs;
    inputs.seed = object.number<int>("seed");
    const auto files = object.list<RunInputs::File>("files", [](const json &item) {
      ObjectReader one(item, "an input");
      return RunInputs::File{one.word("input"), one.word("path")};
    });
    for (const RunInputs::File &file : files)
      inputs = inputs.with(file.input, file.path);
    if (!object.has("tolerance")) return inputs;
    const auto given = report::givenToleranceFrom(object.word("tolerance"));
    if (!given) return given.error();
    inputs.tolerance = *given;
    return inputs;
  } catch (const bench::Malformed &wrong) {
    return Error{ErrorCode::InputRefused, wrong.what(), ""};
  }
}

} // namespace tessera::measure
