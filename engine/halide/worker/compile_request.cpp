// SPDX-License-Identifier: MIT
#include "engine/halide/worker/compile_request.h"

#include "engine/halide/worker/fields.h"
#include "engine/halide/worker/request.h"

#include <nlohmann/json.hpp>

#include <cstdint>

namespace tessera::halide {

namespace {

using nlohmann::json;

Error badRequest(const std::string &what) {
  return Error{ErrorCode::Usage, "request to tessera-halide: " + what, ""};
}

// A bundle is run by a caller that sets its thread's rounding mode, so its loops are not parallel.
void readReference(Fields &reader, std::optional<ReferenceForm> &form) {
  std::string word;
  reader.text("reference", word);
  if (word == "strict")
    form = ReferenceForm{.parallel = false};
  else if (word == "loose")
    form = ReferenceForm{.strict = false, .reversedSums = true, .parallel = false};
  else if (!word.empty())
    reader.fail("reference", "\"strict\" or \"loose\"");
}

void readFunctions(Fields &reader, std::optional<LinkedFunctions> &functions) {
  const json *given = reader.find("functions");
  if (given == nullptr) return;
  LinkedFunctions read;
  for (const auto &[key, target] : {std::pair{"linked", &read.files}, {"missing", &read.missing}}) {
    const auto list = given->find(key);
    const bool isList = given->is_object() && list != given->end() && list->is_array();
    if (!isList) return reader.fail("functions", "two lists, \"linked\" and \"missing\"");
    for (const json &item : *list) {
      if (!item.is_string()) return reader.fail("functions", "two lists of strings");
      target->push_back(item.get<std::string>());
    }
  }
  functions = std::move(read);
}

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
  int threads = static_cast<int>(options.limits.threadsPerBlock);
  int sharedBytes = static_cast<int>(options.limits.sharedBytesPerBlock);
  reader.number("threads_per_block", threads, 0, INT32_MAX);
  reader.number("shared_bytes_per_block", sharedBytes, 0, INT32_MAX);
  options.limits.threadsPerBlock = threads;
  options.limits.sharedBytesPerBlock = sharedBytes;
  reader.text("sm", options.architecture);
  reader.text("ptxas", options.ptxas);
  reader.text("linker", options.linker);
  reader.text("disassembler", options.disassembler);
  reader.text("output", options.output);
  reader.text("scratch", options.scratch);
  reader.text("cache", options.cache);
  reader.text("algorithm_sha256", options.algorithmSha256);
  reader.words("want", {{"lowered", &options.wantLowered},
                        {"ptx", nullptr}, // accepted but not needed: PTX is always reported
                        {"sass", &options.wantSass}});
  reader.flag("small", options.small);
  readReference(reader, options.reference);
  readFunctions(reader, options.functions);
  if (options.output.empty()) reader.fail("output", "the folder of the bundle");
  if (reader.error) return *reader.error;
  if (auto status = reader.directives(options.directives); !status) return status.error();
  return options;
}

Result<ExcerptOptions> excerptOptionsFrom(const json &fields) {
  auto import = importOptionsFrom(fields);
  if (!import) return import.error();
  ExcerptOptions options;
  options.import = std::move(*import);
  Fields reader(fields);
  reader.text("output", options.output);
  if (options.output.empty()) reader.fail("output", "the path of the new file");
  if (!reader.find("excerpt")) reader.fail("excerpt", "what is cut out");
  if (reader.error) return *reader.error;
  auto excerpt = pipeline::excerptFromJson(*reader.find("excerpt"));
  if (!excerpt) return excerpt.error();
  options.excerpt = std::move(*excerpt);
  if (auto status = reader.directives(options.directives); !status) return status.error();
  if (auto status = readPromises(fields, "kept_promises", options.promises); !status)
    return status.error();
  return options;
}

Result<VerifyOptions> verifyOptionsFrom(const json &fields) {
  auto import = importOptionsFrom(fields);
  if (!import) return import.error();
  VerifyOptions options;
  options.import = std::move(*import);
  Fields reader(fields);
  const json *target = reader.find("target");
  options.isInterpreted = target && *target == "lowered";
  if (options.isInterpreted)
    options.target = CompileTarget::Cuda;
  else
    reader.target(options.target, "opencl");
  reader.flag("small", options.small);
  reader.flag("driver_optimizes", options.driverOptimizes);
  int seed = 1;
  reader.number("seed", seed, 0, INT32_MAX);
  options.seed = static_cast<std::uint64_t>(seed);
  std::string tolerance;
  reader.text("tolerance", tolerance);
  if (!tolerance.empty()) {
    auto given = report::givenToleranceFrom(tolerance);
    if (!given) return given.error();
    options.tolerance = *given;
  }
  reader.inputs(options.inputs);
  reader.text("outputs", options.outputs);
  reader.text("functions", options.functions);
  if (reader.error) return *reader.error;
  if (options.small && !options.inputs.empty())
    return badRequest("\"inputs\" have a size of their own and cannot be \"small\"");
  if (auto status = reader.directives(options.directives); !status) return status.error();
  return options;
}

} // namespace tessera::halide
