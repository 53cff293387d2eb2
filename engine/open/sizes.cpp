// SPDX-License-Identifier: MIT
#include "engine/open/sizes.h"

#include "engine/open/open.h"
#include "engine/host/files.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <utility>

namespace tessera::open {
namespace {

using nlohmann::ordered_json;

constexpr std::size_t kMaxBytes = std::size_t{1} << 20;

Error malformed(const std::string &what) {
  return {ErrorCode::InputRefused, "sizes.json: " + what,
          "It must give for each pipeline and size: \"from\", \"folder\", and \"estimates\" as for "
          "--estimate."};
}

// The name is the same for a file with a schedule: both harris.hlpipe and harris.manual.hlpipe give
// harris.
std::string pipelineName(const std::string &path) {
  std::string name = std::filesystem::path(path).filename().string();
  for (const std::string_view ending : {".hlpipe", ".manual"})
    if (name.ends_with(ending)) name.resize(name.size() - ending.size());
  return name;
}

Result<PipelineSize> sizeFrom(const std::string &name, const ordered_json &entry) {
  PipelineSize size;
  size.name = name;
  if (!entry.is_object()) return malformed("\"" + name + "\" is not an object.");
  for (const auto &[key, target] :
       {std::pair{"from", &size.from}, std::pair{"folder", &size.folder}}) {
    const auto found = entry.find(key);
    if (found == entry.end()) continue;
    if (!found->is_string()) return malformed("\"" + std::string(key) + "\" is not a string.");
    *target = found->get<std::string>();
  }
  // The folder must lie beside the file, so its name may not be a path.
  if (size.folder.find('/') != std::string::npos || size.folder == "..")
    return malformed("\"" + size.folder + "\" is not the name of a folder.");
  const auto estimates = entry.find("estimates");
  if (estimates == entry.end()) return size;
  if (!estimates->is_array()) return malformed("\"estimates\" is not a list.");
  for (const ordered_json &estimate : *estimates) {
    if (!estimate.is_string()) return malformed("an estimate is not a string.");
    size.estimates.push_back(estimate.get<std::string>());
  }
  return size;
}

} // namespace

Result<std::vector<PipelineSize>> parseSizes(std::string_view text, const std::string &name) {
  const ordered_json document = ordered_json::parse(text, nullptr, false);
  if (!document.is_object()) return malformed("it is not a JSON object.");
  std::vector<PipelineSize> sizes;
  const auto pipeline = document.find(name);
  if (pipeline == document.end()) return sizes;
  if (!pipeline->is_object()) return malformed("\"" + name + "\" is not an object.");
  for (const auto &[sizeName, entry] : pipeline->items()) {
    auto size = sizeFrom(sizeName, entry);
    if (!size) return size.error();
    sizes.push_back(std::move(*size));
  }
  return sizes;
}

Result<std::vector<PipelineSize>> sizesOf(const std::string &pipelinePath) {
  const std::filesystem::path file =
      std::filesystem::path(pipelinePath).parent_path() / "sizes.json";
  std::error_code missing;
  if (!std::filesystem::exists(file, missing)) return std::vector<PipelineSize>{};
  const auto text = host::readHead(file.string(), kMaxBytes);
  if (!text) return text.error();
  return parseSizes(*text, pipelineName(pipelinePath));
}

Result<OpenRequest> atSize(OpenRequest request) {
  const std::string wanted = std::exchange(request.size, {});
  if (wanted.empty() || wanted == kOwnSize) return request;
  const auto sizes = sizesOf(request.path);
  if (!sizes) return sizes.error();
  const auto size = std::find_if(sizes->begin(), sizes->end(),
                                 [&](const PipelineSize &one) { return one.name == wanted; });
  if (size == sizes->end()) {
    std::string names = "'" + std::string(kOwnSize) + "'";
    for (const PipelineSize &one : *sizes)
      names += ", '" + one.name + "' (" + one.from + ")";
    return Error{ErrorCode::Usage, "'" + request.path + "' has no size '" + wanted + "'.",
                 "It has " + names + ". Give any other size with --estimate."};
  }
  std::vector<EstimateOverride> estimates;
  for (const std::string &text : size->estimates) {
    auto estimate = parseEstimate(text);
    if (!estimate) return estimate.error();
    estimates.push_back(std::move(*estimate));
  }
  std::move(request.estimates.begin(), request.estimates.end(), std::back_inserter(estimates));
  request.estimates = std::move(estimates);
  if (!size->folder.empty()) {
    const std::filesystem::path path(request.path);
    request.path = (path.parent_path() / size->folder / path.filename()).string();
  }
  return request;
}

} // namespace tessera::open
