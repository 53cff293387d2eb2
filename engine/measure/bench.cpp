// SPDX-License-Identifier: MIT
#include "engine/measure/bench.h"

#include "engine/host/files.h"

#include <algorithm>
#include <filesystem>

namespace tessera::measure {

namespace fs = std::filesystem;

namespace {

// Whether another way of rounding could change an output.
bool dependsOnRounding(const report::CompileReport &reference) {
  return std::ranges::any_of(reference.arguments, [](const report::PipelineArgument &argument) {
    return argument.floats.value_or(report::FloatInfluence::None) != report::FloatInfluence::None;
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

// Compiles for the host into folders beside `folder`, and runs these bundles. Where outputs depend
// on rounding, there is one bundle more, which takes as long as the first.
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
  host.pipeline.directives.clear();
  host.pipeline.promises.clear();
  bench::ReferenceOptions options{.bundle = scratch->path() + "/reference",
                                  .output = output.string(),
                                  .inputs = bench::inputsIn(output.string()),
                                  .seed = request.seed,
                                  .loose = {}};
  host.output = options.bundle;
  host.reference = "strict";
  const CompileAnswer strict = compiler.compile(host, stop);
  if (strict.outcome != Outcome::Ok) return strict.error;
  if (dependsOnRounding(strict.report)) {
    host.output = options.loose = scratch->path() + "/loose";
    host.reference = "loose";
    const CompileAnswer loose = compiler.compile(host, stop);
    if (loose.outcome != Outcome::Ok) return loose.error;
  }
  const auto made = gpu.reference(options, request.referenceTimeout, stop);
  if (made.outcome == Outcome::LaunchError) // the pipeline itself does not run at these sizes
    return Error{ErrorCode::InputRefused, made.error.message, made.error.hint};
  if (made.outcome != Outcome::Ok) return made.error;
  return Done{};
}

std::string withoutReference(const Error &why) {
  return "There is no reference, so the outputs could not be checked: " + why.message;
}

} // namespace tessera::measure
