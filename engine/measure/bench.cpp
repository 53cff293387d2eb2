// SPDX-License-Identifier: MIT
#include "engine/measure/bench.h"

#include "engine/host/files.h"

#include <algorithm>
#include <filesystem>

namespace tessera::measure {

namespace fs = std::filesystem;

namespace {

// The schedule of the reference: every func in memory of its own. A table that is read with an
// unbounded index has no size and stays inlined.
std::vector<schedule::Directive> everyFuncAtRoot(const pipeline::Pipeline &pipeline) {
  std::vector<schedule::Directive> directives;
  for (const pipeline::Func &func : pipeline.funcs())
    if (std::ranges::all_of(func.region, &pipeline::Interval::bounded))
      directives.push_back({func.name, 0, schedule::Verb::ComputeRoot, {}, {}});
  return directives;
}

bool isFloat(pipeline::ScalarType type) {
  return type.kind == pipeline::TypeKind::Float || type.kind == pipeline::TypeKind::BFloat;
}

// Whether some func stores floats or some stage computes with floats. Then the rounding of a float
// may decide the value of an integer.
bool computesWithFloats(const pipeline::Pipeline &pipeline) {
  const bool inFuncs = std::ranges::any_of(pipeline.funcs(), [](const pipeline::Func &func) {
    return std::ranges::any_of(func.types, isFloat);
  });
  return inFuncs || std::ranges::any_of(pipeline.stages(), [](const pipeline::Stage &stage) {
           return std::ranges::any_of(stage.operations, [](const pipeline::OpCount &count) {
             return isFloat(count.type);
           });
         });
}

} // namespace

std::string referenceFolderOf(const std::string &bundle) { return bundle + "/reference"; }

std::string referenceIn(const std::string &bundle) {
  const std::string folder = referenceFolderOf(bundle);
  return isReference(folder) ? folder : std::string();
}

bool isBundle(const std::string &path) {
  std::error_code ignored;
  return fs::exists(path + "/bundle.json", ignored);
}

bool isReference(const std::string &folder) {
  std::error_code ignored;
  return fs::exists(folder + "/reference.json", ignored);
}

Result<BenchBundle> makeBenchBundle(ScheduleCompiler &compiler, bench::GpuClient &gpu,
                                    const BenchBundleRequest &request, std::stop_token stop,
                                    const job::ProgressCallback &progress) {
  const CompileAnswer compiled = compiler.compile(request.compile, stop, progress);
  if (compiled.outcome != Outcome::Ok) return errorOf(compiled.outcome, compiled.error);
  BenchBundle bundle{compiled.report, {}, {}};
  if (progress) progress({"computing the reference", -1});
  if (const Status made =
          makeReference(compiler, gpu, request, referenceFolderOf(request.compile.output), stop);
      !made) {
    if (stop.stop_requested()) return Error{ErrorCode::Cancelled, "Cancelled.", ""};
    if (made.error().code == ErrorCode::System) return made.error(); // as on a full disk
    bundle.remarks.push_back(withoutReference(made.error()));
  }
  bundle.reference = referenceIn(request.compile.output);
  return bundle;
}

// Compiles for the host into a folder beside `folder`, and runs the bundle.
Status makeReference(ScheduleCompiler &compiler, bench::GpuClient &gpu,
                     const BenchBundleRequest &request, const std::string &folder,
                     const std::stop_token &stop) {
  const fs::path output = fs::absolute(folder);
  std::error_code ignored;
  fs::create_directories(output.parent_path(), ignored);
  if (const Status written = bench::writeInputs(request.inputs, output.string()); !written)
    return written;
  const auto scratch = host::ScratchFolder::create(output.parent_path().string());
  if (!scratch) return scratch.error();
  CompileRequest host = request.compile;
  host.target = GpuApi::Host;
  host.pipeline.directives = everyFuncAtRoot(*request.pipeline);
  host.pipeline.promises.clear();
  host.output = scratch->path() + "/reference";
  const CompileAnswer compiled = compiler.compile(host, stop);
  if (compiled.outcome != Outcome::Ok) return compiled.error;
  const auto made = gpu.reference({.bundle = host.output,
                                   .output = output.string(),
                                   .inputs = bench::inputsIn(output.string()),
                                   .seed = request.seed,
                                   .floatsDecideIntegers = computesWithFloats(*request.pipeline)},
                                  request.referenceTimeout, stop);
  if (made.outcome != Outcome::Ok) return made.error;
  return Done{};
}

std::string withoutReference(const Error &why) {
  return "There is no reference, so the outputs could not be checked: " + why.message;
}

} // namespace tessera::measure
