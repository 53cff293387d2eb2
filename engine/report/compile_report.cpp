// SPDX-License-Identifier: MIT
#include "engine/report/compile_report.h"

#include "engine/schedule/words/directive_json.h"

#include <nlohmann/json.hpp>

#include <stdexcept>

namespace tessera::report {

namespace {

using nlohmann::json;
using nlohmann::ordered_json;

constexpr const char *kFormat = "tessera-bundle";
constexpr std::array<const char *, 3> kArgumentKinds{"input", "scalar", "output"};

ordered_json toJson(const MemoryTraffic &traffic) {
  return {{"loads", traffic.loads},
          {"stores", traffic.stores},
          {"load_bytes", traffic.loadBytes},
          {"store_bytes", traffic.storeBytes},
          {"atomics", traffic.atomics}};
}

ordered_json toJson(const KernelReport &kernel) {
  ordered_json out{{"name", kernel.name},
                   {"launches", kernel.launches},
                   {"blocks", kernel.blocks},
                   {"threads", kernel.threads},
                   {"shared_bytes", kernel.sharedBytes}};
  out["stages"] = ordered_json::array();
  for (const KernelStage &stage : kernel.stages)
    out["stages"].push_back({{"func", stage.func}, {"stage", stage.stage}});
  out["operations"] = ordered_json::array();
  for (const OperationTotal &total : kernel.operations)
    out["operations"].push_back({{"kind", pipeline::name(total.kind)},
                                 {"type", pipeline::toString(total.type)},
                                 {"count", total.count}});
  out["global"] = toJson(kernel.global);
  out["shared"] = toJson(kernel.shared);
  out["local"] = toJson(kernel.local);
  if (const auto &assembler = kernel.assembler)
    out["assembler"] = {{"registers", assembler->registers},
                        {"stack_bytes", assembler->stackBytes},
                        {"spill_store_bytes", assembler->spillStoreBytes},
                        {"spill_load_bytes", assembler->spillLoadBytes}};
  out["first_line"] = kernel.firstLine;
  out["line_count"] = kernel.lineCount;
  if (kernel.sassLineCount > 0) {
    out["sass_first_line"] = kernel.sassFirstLine;
    out["sass_line_count"] = kernel.sassLineCount;
  }
  if (kernel.wrongLine > 0) out["wrong_line"] = kernel.wrongLine;
  return out;
}

ordered_json toJson(const PipelineArgument &argument) {
  ordered_json out{{"name", argument.name},
                   {"kind", kArgumentKinds[static_cast<std::size_t>(argument.kind)]},
                   {"type", pipeline::toString(argument.type)}};
  if (argument.kind == PipelineArgument::Kind::Scalar) {
    out["value"] = argument.value.empty() ? ordered_json(nullptr) : ordered_json(argument.value);
    return out;
  }
  out["dims"] = ordered_json::array();
  for (const pipeline::Interval &dim : argument.region)
    out["dims"].push_back({{"min", dim.min}, {"extent", dim.extent()}});
  if (argument.floats) out["floats"] = name(*argument.floats);
  return out;
}

// Thrown in this file only.
struct Malformed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

const json &member(const json &object, const char *key) {
  if (!object.is_object()) throw Malformed(std::string("there is no object around '") + key + "'");
  const auto found = object.find(key);
  if (found == object.end()) throw Malformed(std::string("'") + key + "' is missing");
  return *found;
}

std::string text(const json &object, const char *key) {
  const json &value = member(object, key);
  if (value.is_null()) return {};
  if (!value.is_string()) throw Malformed(std::string("'") + key + "' is not a string");
  return value.get<std::string>();
}

double number(const json &object, const char *key) {
  const json &value = member(object, key);
  const bool good = value.is_number() && value.get<double>() >= 0;
  if (!good) throw Malformed(std::string("'") + key + "' is not a count");
  return value.get<double>();
}

std::int64_t integer(const json &value, const char *key) {
  constexpr std::int64_t kLimit = std::int64_t{1} << 52;
  const bool good = value.is_number_integer() &&
                    (!value.is_number_unsigned() || value.get<std::uint64_t>() < kLimit) &&
                    value.get<std::int64_t>() < kLimit && value.get<std::int64_t>() > -kLimit;
  if (!good) throw Malformed(std::string("'") + key + "' is not an integer");
  return value.get<std::int64_t>();
}

template <typename Number>
Number natural(const json &object, const char *key) {
  const std::int64_t value = integer(member(object, key), key);
  if (value < 0 || value > std::int64_t{std::numeric_limits<Number>::max()})
    throw Malformed(std::string("'") + key + "' is out of range");
  return static_cast<Number>(value);
}

template <typename T, typename Convert>
std::vector<T> list(const json &object, const char *key, Convert convert) {
  const json &items = member(object, key);
  if (!items.is_array()) throw Malformed(std::string("'") + key + "' is not a list");
  std::vector<T> result;
  for (const json &item : items)
    result.push_back(convert(item));
  return result;
}

template <typename T>
T word(const json &object, const char *key, std::optional<T> (*fromName)(std::string_view)) {
  const std::string name = text(object, key);
  if (const std::optional<T> value = fromName(name)) return *value;
  throw Malformed("'" + name + "' is not a known " + key);
}

std::array<std::int64_t, 3> shape(const json &object, const char *key) {
  const auto sides =
      list<std::int64_t>(object, key, [key](const json &value) { return integer(value, key); });
  if (sides.size() != 3) throw Malformed(std::string("'") + key + "' does not have three sides");
  return {sides[0], sides[1], sides[2]};
}

MemoryTraffic traffic(const json &value) {
  return {number(value, "loads"), number(value, "stores"), number(value, "load_bytes"),
          number(value, "store_bytes"), number(value, "atomics")};
}

AssemblerReport assembler(const json &value) {
  return {natural<int>(value, "registers"), natural<int>(value, "stack_bytes"),
          natural<int>(value, "spill_store_bytes"), natural<int>(value, "spill_load_bytes")};
}

KernelReport kernel(const json &value) {
  KernelReport result;
  result.name = text(value, "name");
  result.launches = number(value, "launches");
  result.blocks = shape(value, "blocks");
  result.threads = shape(value, "threads");
  result.sharedBytes = natural<std::int64_t>(value, "shared_bytes");
  result.stages = list<KernelStage>(value, "stages", [](const json &stage) {
    return KernelStage{text(stage, "func"), natural<std::uint32_t>(stage, "stage")};
  });
  result.operations = list<OperationTotal>(value, "operations", [](const json &total) {
    return OperationTotal{word(total, "kind", pipeline::opKindFromName),
                          word(total, "type", pipeline::scalarTypeFromString),
                          number(total, "count")};
  });
  result.global = traffic(member(value, "global"));
  result.shared = traffic(member(value, "shared"));
  result.local = traffic(member(value, "local"));
  if (value.contains("assembler")) result.assembler = assembler(value["assembler"]);
  result.firstLine = natural<std::uint32_t>(value, "first_line");
  result.lineCount = natural<std::uint32_t>(value, "line_count");
  if (value.contains("sass_line_count")) {
    result.sassFirstLine = natural<std::uint32_t>(value, "sass_first_line");
    result.sassLineCount = natural<std::uint32_t>(value, "sass_line_count");
  }
  if (value.contains("wrong_line")) result.wrongLine = natural<std::uint32_t>(value, "wrong_line");
  return result;
}

PipelineArgument argument(const json &value) {
  PipelineArgument result;
  result.name = text(value, "name");
  result.type = word(value, "type", pipeline::scalarTypeFromString);
  const std::string kind = text(value, "kind");
  std::size_t index = 0;
  while (index < kArgumentKinds.size() && kind != kArgumentKinds[index])
    ++index;
  if (index == kArgumentKinds.size())
    throw Malformed("'" + kind + "' is not a known kind of argument");
  result.kind = static_cast<PipelineArgument::Kind>(index);
  if (result.kind == PipelineArgument::Kind::Scalar) {
    result.value = text(value, "value");
    return result;
  }
  result.region = list<pipeline::Interval>(value, "dims", [](const json &dim) {
    const std::int64_t min = integer(member(dim, "min"), "min");
    return pipeline::Interval{min, min + natural<std::int64_t>(dim, "extent") - 1};
  });
  if (value.contains("floats")) result.floats = word(value, "floats", floatInfluenceFrom);
  return result;
}

CompileReport report(const json &document) {
  if (text(document, "format") != kFormat) throw Malformed("it is not a bundle");
  const std::int64_t version = integer(member(document, "version"), "version");
  if (version != kBundleVersion)
    throw Malformed("it has version " + std::to_string(version) + "; this program reads version " +
                    std::to_string(kBundleVersion));
  CompileReport result;
  result.pipeline = text(document, "pipeline");
  result.pipelineSha256 = text(document, "pipeline_sha256");
  result.halideVersion = text(document, "halide_version");
  result.target = text(document, "target");
  result.registerCap = natural<int>(document, "register_cap");
  result.architecture = text(document, "architecture");
  result.entryPoint = text(document, "entry_point");
  result.arguments = list<PipelineArgument>(document, "arguments", argument);
  result.kernels = list<KernelReport>(document, "kernels", kernel);
  result.allocations = list<DeviceAllocation>(document, "allocations", [](const json &value) {
    return DeviceAllocation{text(value, "func"), natural<std::int64_t>(value, "bytes"),
                            number(value, "times")};
  });
  if (document.contains("lowered_lines"))
    result.loweredLines = list<StageLines>(document, "lowered_lines", [](const json &lines) {
      return StageLines{natural<std::uint32_t>(lines, "first"),
                        natural<std::uint32_t>(lines, "last"),
                        {text(lines, "func"), natural<std::uint32_t>(lines, "stage")}};
    });
  auto directives = schedule::directivesFromJson(member(document, "directives"));
  if (!directives) throw Malformed(directives.error().message);
  result.directives = std::move(*directives);
  result.promises = list<std::string>(document, "promises", [](const json &promise) {
    if (!promise.is_string()) throw Malformed("a promise is not a string");
    return promise.get<std::string>();
  });
  if (document.contains("functions"))
    result.functions = list<std::string>(document, "functions", [](const json &function) {
      if (!function.is_string()) throw Malformed("a function is not a string");
      return function.get<std::string>();
    });
  const json &files = member(document, "files");
  result.files = {
      text(files, "object"), text(files, "library"),
      text(files, "device"), text(files, "lowered"),
      text(files, "sass"),   files.contains("assembled") ? text(files, "assembled") : ""};
  result.librarySha256 = text(document, "library_sha256");
  result.remarks = list<std::string>(document, "remarks", [](const json &remark) {
    if (!remark.is_string()) throw Malformed("a remark is not a string");
    return remark.get<std::string>();
  });
  return result;
}

} // namespace

std::string nameOf(const KernelStage &stage) {
  return stage.stage == 0 ? stage.func
                          : stage.func + ".update(" + std::to_string(stage.stage - 1) + ")";
}

ordered_json toJson(const CompileReport &report) {
  ordered_json out{{"format", kFormat},
                   {"version", kBundleVersion},
                   {"pipeline", report.pipeline},
                   {"pipeline_sha256", report.pipelineSha256},
                   {"halide_version", report.halideVersion},
                   {"target", report.target},
                   {"register_cap", report.registerCap},
                   {"architecture", report.architecture},
                   {"entry_point", report.entryPoint}};
  out["arguments"] = ordered_json::array();
  for (const PipelineArgument &argument : report.arguments)
    out["arguments"].push_back(toJson(argument));
  out["kernels"] = ordered_json::array();
  for (const KernelReport &kernel : report.kernels)
    out["kernels"].push_back(toJson(kernel));
  out["allocations"] = ordered_json::array();
  for (const DeviceAllocation &allocation : report.allocations)
    out["allocations"].push_back(
        {{"func", allocation.func}, {"bytes", allocation.bytes}, {"times", allocation.times}});
  if (!report.loweredLines.empty()) {
    out["lowered_lines"] = ordered_json::array();
    for (const StageLines &lines : report.loweredLines)
      out["lowered_lines"].push_back({{"first", lines.first},
                                      {"last", lines.last},
                                      {"func", lines.stage.func},
                                      {"stage", lines.stage.stage}});
  }
  out["directives"] = toJson(std::span<const schedule::Directive>(report.directives));
  out["promises"] = report.promises;
  if (!report.functions.empty()) out["functions"] = report.functions;
  out["files"] = {{"object", report.files.object}, {"library", report.files.library},
                  {"device", report.files.device}, {"lowered", report.files.lowered},
                  {"sass", report.files.sass},     {"assembled", report.files.assembled}};
  out["library_sha256"] = report.librarySha256;
  out["remarks"] = report.remarks;
  return out;
}

Result<CompileReport> compileReportFromJson(const json &document) {
  try {
    return report(document);
  } catch (const Malformed &e) {
    return Error{ErrorCode::InputRefused, std::string("bundle: ") + e.what(), ""};
  }
}

} // namespace tessera::report
