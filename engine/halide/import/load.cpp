// SPDX-License-Identifier: MIT
#include "engine/halide/import/load.h"

#include "engine/halide/import/file_check.h"
#include "engine/base/sha256.h"
#include "engine/halide/file_io.h"
#include "engine/halide/guard.h"

#include <cctype>
#include <filesystem>
#include <set>

namespace tessera::halide {

namespace {

namespace ir = Halide::Internal;

constexpr std::size_t kMaxPipelineBytes = std::size_t{1} << 30;
constexpr int kMaxReserved = 4096; // bounds the work if a damaged name contains a huge number

Result<std::optional<Sidecar>> findSidecar(const std::string &path, const std::string &named) {
  const std::string file = named.empty() ? sidecarPath(path) : named;
  std::error_code ignored;
  if (named.empty() && !std::filesystem::exists(file, ignored)) return std::optional<Sidecar>();
  auto sidecar = readSidecar(file);
  if (!sidecar) return sidecar.error();
  return std::optional<Sidecar>(std::move(*sidecar));
}

Status checkSidecar(const Sidecar &sidecar, const std::string &sha256, const std::string &path,
                    const std::vector<std::uint8_t> &bytes) {
  if (!sidecar.pipelineSha256.empty() && sidecar.pipelineSha256 != sha256)
    return Error{ErrorCode::InputRefused,
                 path + ": its content does not match " + sidecarPath(path) +
                     " (SHA-256 differs): one of the two is damaged or outdated",
                 "Capture the pipeline again, or remove the sidecar to open the file as it is."};
  for (const auto &[name, parameter] : Halide::deserialize_parameters(bytes)) {
    const SidecarParam *param = sidecar.find(name);
    if (!param) continue;
    const bool same = param->isBuffer == parameter.is_buffer() && param->type == parameter.type() &&
                      static_cast<int>(param->dims.size()) == parameter.dimensions();
    if (!same)
      return Error{ErrorCode::InputRefused,
                   path + ": parameter \"" + name + "\" has another type or other dimensions in " +
                       sidecarPath(path),
                   "Capture the pipeline again, or remove the sidecar."};
  }
  return Done{};
}

void reserveNamesOf(const ir::Function &function) {
  struct Names : ir::IRVisitor {
    using IRVisitor::visit;
    std::set<std::string> found;
    void visit(const ir::Variable *v) override { found.insert(v->name); }
    void visit(const ir::Let *let) override {
      found.insert(let->name);
      IRVisitor::visit(let);
    }
  } names;
  function.accept(&names);
  names.found.insert(function.name());
  for (const std::string &arg : function.args())
    names.found.insert(arg);
  const auto addDims = [&](const ir::StageSchedule &schedule) {
    for (const ir::Dim &dim : schedule.dims())
      names.found.insert(dim.var);
    for (const ir::Split &split : schedule.splits()) {
      names.found.insert(split.old_var);
      names.found.insert(split.outer);
      names.found.insert(split.inner);
    }
  };
  if (function.has_pure_definition()) addDims(function.definition().schedule());
  for (const ir::Definition &update : function.updates())
    addDims(update.schedule());
  for (const std::string &name : names.found)
    reserveName(name);
}

} // namespace

std::map<std::string, ir::Function> functionsOf(const Halide::Pipeline &pipeline) {
  std::vector<ir::Function> outputs;
  for (const Halide::Func &output : pipeline.outputs())
    outputs.push_back(output.function());
  return ir::build_environment(outputs);
}

void reserveName(const std::string &name) {
  // Halide counts per prefix: "v7" is the eighth of 'v', "f$3" the fourth of "f".
  const auto number = [](const std::string &digits) {
    const bool all = !digits.empty() && digits.size() < 6 &&
                     digits.find_first_not_of("0123456789") == std::string::npos;
    return all ? std::min(std::stoi(digits), kMaxReserved) : -1;
  };
  // Halide made up each part of a dotted name separately, so each part is reserved.
  const auto dot = name.find('.');
  if (dot != std::string::npos && dot + 1 < name.size()) reserveName(name.substr(dot + 1));
  const std::string base = name.substr(0, dot);
  if (base.empty()) return;
  if (const int last = number(base.substr(1));
      last >= 0 && std::isalpha(static_cast<unsigned char>(base[0]))) {
    for (;;) {
      const std::string made = ir::unique_name(base[0]);
      if (const int n = number(made.substr(1)); n < 0 || n >= last) break;
    }
  }
  const auto dollar = base.rfind('$');
  const std::string prefix = base.substr(0, dollar);
  if (prefix.empty()) return;
  const int last = dollar == std::string::npos ? 0 : number(base.substr(dollar + 1));
  for (int i = 0; i <= last; ++i) {
    const std::string made = ir::unique_name(prefix);
    const auto at = made.rfind('$');
    if (at != std::string::npos && number(made.substr(at + 1)) >= last) break;
  }
}

Result<LoadedPipeline> loadPipeline(const std::string &path, const std::string &sidecarFile) {
  auto bytes = readFile(path, kMaxPipelineBytes);
  if (!bytes) return bytes.error();
  LoadedPipeline loaded;
  loaded.path = path;
  loaded.sha256 = sha256Hex(std::as_bytes(std::span(*bytes)));
  auto sidecar = findSidecar(path, sidecarFile);
  if (!sidecar) return sidecar.error();
  loaded.sidecar = std::move(*sidecar);
  if (auto status = checkPipelineFile(*bytes, path); !status) return status.error();

  return guarded(path + ": reading the pipeline", [&]() -> Result<LoadedPipeline> {
    std::map<std::string, Halide::Parameter> params;
    if (loaded.sidecar) {
      if (auto status = checkSidecar(*loaded.sidecar, loaded.sha256, path, *bytes); !status)
        return status.error();
      params = parametersOf(*loaded.sidecar);
    }
    loaded.pipeline = Halide::deserialize_pipeline(*bytes, params);
    if (!loaded.pipeline.defined() || loaded.pipeline.outputs().empty())
      return Error{ErrorCode::InputRefused, path + ": a pipeline without outputs", ""};
    for (auto &[name, function] : functionsOf(loaded.pipeline)) {
      reserveNamesOf(function);
      function.lock_loop_levels();
      for (const auto &[consumer, wrapper] : function.wrappers())
        ir::Function(wrapper).lock_loop_levels();
    }
    return std::move(loaded);
  });
}

} // namespace tessera::halide
