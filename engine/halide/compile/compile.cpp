// SPDX-License-Identifier: MIT
#include "engine/halide/compile/compile.h"
#include "engine/halide/import/load.h"

#include "engine/halide/compile/apply.h"
#include "engine/halide/compile/bundle.h"
#include "engine/halide/compile/certain_failure.h"
#include "engine/halide/compile/device_code.h"
#include "engine/halide/compile/extern_functions.h"
#include "engine/halide/compile/float_influence.h"
#include "engine/halide/compile/kernel_counts.h"
#include "engine/halide/compile/lowered_lines.h"
#include "engine/halide/compile/ptx_products.h"
#include "engine/halide/compile/ptxas.h"
#include "engine/halide/compile/under_estimates.h"
#include "engine/base/sha256.h"
#include "engine/halide/file_io.h"
#include "engine/halide/guard.h"
#include "engine/halide/import/cuda_types.h"
#include "engine/halide/import/file_check.h"
#include "engine/halide/import/promises.h"
#include "engine/job/child_process.h"
#include "engine/report/promise.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <filesystem>
#include <future>

namespace tessera::halide {

namespace {

using Halide::Target;
using report::CompileReport;
using report::KernelReport;
namespace ir = Halide::Internal;

constexpr const char *kEntry = "tessera_pipeline";
constexpr const char *kObject = "pipeline.o", *kLibrary = "pipeline.so", *kCubin = "kernels.cubin";
constexpr const char *kLowered = "lowered.txt", *kSass = "kernels.sass";

const char *deviceFile(CompileTarget target) {
  return target == CompileTarget::Cuda ? "kernels.ptx" : "kernels.cl";
}

// Why this kernel cannot be launched; empty if it can. The legality rules refuse such schedules
// earlier, except where only Halide knows the size of a tile.
std::string launchRefusal(const KernelReport &kernel, const machine::Limits &limits) {
  const std::string end =
      limits == machine::Limits{} ? "no GPU can run it" : "the chosen GPU cannot run it";
  const std::string head = kernel.name + " is launched with ";
  if (kernel.sharedBytes > limits.sharedBytesPerBlock)
    return head + std::to_string(kernel.sharedBytes) +
           " bytes of shared memory in a block, but Halide may ask for at most " +
           std::to_string(limits.sharedBytesPerBlock) + ": " + end;
  const std::int64_t threads = kernel.threads[0] * kernel.threads[1] * kernel.threads[2];
  if (threads > limits.threadsPerBlock)
    return head + std::to_string(threads) + " threads in a block, more than the limit of " +
           std::to_string(limits.threadsPerBlock) + ": " + end;
  return "";
}

std::optional<Target::Feature> capabilityFeature(int capability) {
  switch (capability) {
  case 30:
    return Target::CUDACapability30;
  case 32:
    return Target::CUDACapability32;
  case 35:
    return Target::CUDACapability35;
  case 50:
    return Target::CUDACapability50;
  case 61:
    return Target::CUDACapability61;
  case 70:
    return Target::CUDACapability70;
  case 75:
    return Target::CUDACapability75;
  case 80:
    return Target::CUDACapability80;
  case 86:
    return Target::CUDACapability86;
  default:
    return std::nullopt;
  }
}

// The number of stages of each func and wrapper in the scheduled pipeline.
std::map<std::string, std::uint32_t> stageCounts(const Halide::Pipeline &pipeline) {
  std::map<std::string, std::uint32_t> counts;
  const auto add = [&](const ir::Function &function) {
    counts[function.name()] = static_cast<std::uint32_t>(function.updates().size()) + 1;
  };
  for (const auto &[name, function] : functionsOf(pipeline)) {
    add(function);
    for (const auto &[consumer, wrapper] : function.wrappers())
      add(ir::Function(wrapper));
  }
  return counts;
}

// A name such as "k2_blur_y_s1", from what the kernel computes. It is the same in every process.
std::string kernelName(std::size_t number, const KernelReport &kernel) {
  std::string name = "k" + std::to_string(number);
  if (!kernel.stages.empty()) {
    name += "_" + kernel.stages[0].func + "_s" + std::to_string(kernel.stages[0].stage);
    for (char &c : name)
      if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  }
  return name;
}

// One compilation. Its members pass the results of each phase to the next phases.
class Compilation {
public:
  Compilation(const PreparedPipeline &prepared, const CompileOptions &options,
              const PhaseCallback &phase)
      : m_prepared(prepared), m_options(options), m_phase(phase), m_start(Clock::now()) {}

  Result<Compiled> run();

private:
  using Clock = std::chrono::steady_clock;

  Result<Applied> asReference(Halide::Pipeline &pipeline);
  void sayInfluences();
  void sayPromises(const Halide::Pipeline &pipeline);
  Status lower();
  Status refuseMissingKernels(std::size_t kernels) const;
  Status readKernels();
  Status writeCode();
  void noteWrongProducts(std::string_view ptx);
  std::future<Result<AssemblerReports>> startAssembler();
  Status link();
  void takeAssembled(std::future<Result<AssemblerReports>> assembled);
  void disassemble();
  Status finish();

  void say(const char *what, double fraction) {
    if (m_phase) m_phase(what, fraction);
  }
  // Records the time of the phase that ends here.
  void took(const char *what) {
    const auto now = Clock::now();
    m_compiled.seconds.emplace_back(what, std::chrono::duration<double>(now - m_start).count());
    m_start = now;
  }
  CompileReport &report() { return m_compiled.report; }

  const PreparedPipeline &m_prepared;
  const CompileOptions &m_options;
  const PhaseCallback &m_phase;
  Clock::time_point m_start;
  std::optional<BundleFolder> m_folder;
  std::optional<Halide::Module> m_module;
  LoweredContext m_context;
  std::string m_failure; // the check that Halide sees to fail in every run; empty: none
  Compiled m_compiled;
};

Result<Applied> Compilation::asReference(Halide::Pipeline &pipeline) {
  return guarded("the reference", [&]() -> Result<Applied> {
    if (Status here = checkLinkedFunctions(pipeline, m_options.functions); !here)
      return here.error();
    makeReference(pipeline, m_prepared, *m_options.reference);
    return Applied{};
  });
}

// Whoever runs the bundle has to know what is promised, and the strides that the pipeline itself
// asks of its buffers.
void Compilation::sayPromises(const Halide::Pipeline &pipeline) {
  std::vector<report::Promise> promises = m_options.import.promises;
  for (const report::Promise &own : promisesOf(pipeline)) {
    const bool isSaid = std::ranges::any_of(promises, [&](const report::Promise &promise) {
      return promise.buffer == own.buffer && promise.dim == own.dim && promise.stride == own.stride;
    });
    if (own.stride && !isSaid)
      promises.push_back({.buffer = own.buffer, .dim = own.dim, .stride = own.stride});
  }
  for (const report::Promise &promise : promises)
    report().promises.push_back(textOf(promise));
}

Status Compilation::lower() {
  say("lowering", 0.1);
  auto loaded = loadPipeline(m_options.import.path, m_options.import.sidecar);
  if (!loaded) return loaded.error();
  if (loaded->sha256 != m_prepared.loaded.sha256)
    return Error{ErrorCode::InputRefused,
                 m_options.import.path + ": the file changed while it was being read", ""};
  auto applied = m_options.reference ? asReference(loaded->pipeline)
                                     : applyDirectives(loaded->pipeline, m_options.directives);
  if (!applied) return applied.error();
  if (auto status = applyPromises(loaded->pipeline, m_options.import.promises); !status)
    return status;
  sayPromises(loaded->pipeline);
  if (m_options.target == CompileTarget::Cuda)
    if (auto status = checkTypesForCuda(loaded->pipeline); !status) return status;
  auto target = halideTarget(m_options.target, m_options.capability);
  if (!target) return target.error();
  if (m_options.reference) target = referenceTarget(*target, *m_options.reference);
  if (getsUserContext(loaded->pipeline)) target->set_feature(Halide::Target::UserContext);
  took("apply");
  auto status = guarded("the schedule does not compile", [&]() -> Status {
    m_context = {valuesUnderEstimates(m_prepared), stageCounts(loaded->pipeline),
                 std::move(applied->made)};
    FailureWatch watch;
    m_module =
        loaded->pipeline.compile_to_module(loaded->pipeline.infer_arguments(), kEntry, *target);
    m_failure = watch.failure();
    return Done{};
  });
  if (!status) return status;
  report().pipelineSha256 =
      m_options.algorithmSha256.empty() ? loaded->sha256 : m_options.algorithmSha256;
  report().target = target->to_string();
  took("lower");
  return Done{};
}

// The outputs come in the order of the pipeline, the elements of a tuple one after the other.
void Compilation::sayInfluences() {
  const std::vector<report::FloatInfluence> influences = floatInfluences(m_prepared.raw);
  std::size_t output = 0;
  for (report::PipelineArgument &argument : report().arguments)
    if (argument.kind == report::PipelineArgument::Kind::Output && output < influences.size())
      argument.floats = influences[output++];
}

// A schedule of whose kernels some are missing writes no outputs, and must not count as compiled.
Status Compilation::refuseMissingKernels(std::size_t kernels) const {
  const std::size_t wanted = kernelStages(m_options.directives);
  const bool isMissing = wanted > 0 && (kernels == 0 || (!m_failure.empty() && kernels < wanted));
  if (!isMissing) return Done{};
  return Error{ErrorCode::InputRefused,
               (kernels == 0 ? "Halide leaves no kernel of the schedule"
                             : "Halide leaves only " + std::to_string(kernels) + " of the " +
                                   std::to_string(wanted) + " kernels of the schedule") +
                   (m_failure.empty() ? "" : ": it sees that a check always fails, " + m_failure),
               "See what the command explain says of the schedule."};
}

Status Compilation::readKernels() {
  const ir::LoweredFunc entry = m_module->get_function_by_name(kEntry);
  report().arguments = argumentsUnderEstimates(entry.args, m_prepared);
  if (m_options.reference) sayInfluences();
  LoweredCounts counts =
      countKernels(withAskedBounds(m_module->get_conceptual_stmt(), m_prepared), m_context);
  const std::vector<Launch> launches =
      launchesOf(withAskedBounds(entry.body, m_prepared), m_context);
  if (auto status = refuseMissingKernels(launches.size()); !status) return status;
  if (launches.size() != counts.kernels.size())
    return Error{ErrorCode::WorkerFailed,
                 "the lowered code has " + std::to_string(counts.kernels.size()) +
                     " kernels, but " + std::to_string(launches.size()) + " kernel launches",
                 ""};
  std::map<std::string, std::string> names;
  for (std::size_t i = 0; i < launches.size(); ++i) {
    KernelReport &kernel = counts.kernels[i];
    kernel.name = kernelName(i, kernel);
    names.emplace(launches[i].kernel, kernel.name);
    kernel.blocks = launches[i].blocks;
    kernel.threads = launches[i].threads;
    kernel.sharedBytes = launches[i].sharedBytes;
    if (kernel.sharedBytes < 0)
      return Error{
          ErrorCode::InputRefused,
          kernel.name + " is launched with " + std::to_string(kernel.sharedBytes) +
              " bytes of shared memory: the data of its block has no valid size at these estimates",
          "keep it in global memory, or give estimates of at least one block"};
    if (const std::string refusal = launchRefusal(kernel, m_options.limits);
        m_options.target == CompileTarget::Cuda && !refusal.empty())
      report().remarks.push_back(refusal);
    if (!launches[i].known)
      report().remarks.push_back("the shape or shared memory of " + kernel.name +
                                 " does not follow from the estimates; 0 means unknown");
  }
  report().kernels = std::move(counts.kernels);
  report().allocations = std::move(counts.allocations);
  if (!names.empty()) m_module = withKernelNames(*m_module, names, m_context.made);
  took("count");
  return Done{};
}

Status Compilation::writeCode() {
  if (m_options.wantLowered) {
    report().files.lowered = kLowered;
    const std::string text = stableText(m_module->get_conceptual_stmt(), m_context.made);
    if (auto status = m_folder->write(kLowered, text); !status) return status;
    std::map<std::string, std::uint32_t> stages;
    for (const auto &[func, count] : m_context.stages)
      stages.emplace(m_context.nameOf(func), count);
    report().loweredLines = stagesOfLines(text, stages);
  }
  if (report().kernels.empty()) return Done{};
  const std::string code = deviceCodeOf(*m_module);
  for (KernelReport &kernel : report().kernels) {
    const LineRange lines = linesOfKernel(code, kernel.name);
    kernel.firstLine = lines.first;
    kernel.lineCount = lines.count;
  }
  if (m_options.target == CompileTarget::Cuda) noteWrongProducts(code);
  report().files.device = deviceFile(m_options.target);
  return m_folder->write(report().files.device, code);
}

void Compilation::noteWrongProducts(std::string_view ptx) {
  for (const WrongProduct &wrong : wrongProducts(ptx)) {
    const auto kernel = std::ranges::find(report().kernels, wrong.kernel, &KernelReport::name);
    if (kernel == report().kernels.end() || kernel->wrongLine > 0) continue;
    kernel->wrongLine = wrong.line;
    report().remarks.push_back(
        kernel->name +
        " will give wrong results on a GPU: ptxas, at least up to CUDA 13.5, computes " +
        "one of its addresses wrongly (line " + std::to_string(wrong.line) + " of " +
        deviceFile(m_options.target) + ", shifted by " + std::to_string(wrong.made) +
        " instead of " + std::to_string(wrong.meant) +
        "). Other tiles, or another padding of the block's data, change the addresses.");
  }
}

std::future<Result<AssemblerReports>> Compilation::startAssembler() {
  if (m_options.target != CompileTarget::Cuda || report().kernels.empty()) return {};
  if (m_options.ptxas.empty()) {
    report().remarks.push_back(
        "ptxas was not found: registers, spills and stack of the kernels are unknown");
    return {};
  }
  report().architecture = m_options.architecture;
  const PtxasRequest request{m_options.ptxas, m_folder->file(report().files.device),
                             m_folder->file(kCubin), m_options.architecture, m_options.registerCap};
  return std::async(std::launch::async, [request] { return runPtxas(request); });
}

Status Compilation::link() {
  say("compiling", 0.5);
  const std::string object = m_folder->file(kObject);
  auto status = guarded("the lowered schedule does not compile", [&]() -> Status {
    m_module->compile({{Halide::OutputFileType::object, object}});
    return Done{};
  });
  if (!status) return status;
  report().files.object = kObject;
  took("object");
  if (m_options.linker.empty()) {
    report().remarks.push_back(
        "no C++ compiler was found to link with: the bundle cannot be loaded and run");
    return Done{};
  }
  if (const Status functions =
          checkLinkedFunctions(m_prepared.loaded.pipeline, m_options.functions);
      !functions) {
    report().remarks.push_back(functions.error().message);
    return Done{};
  }
  say("linking", 0.7);
  const std::string cache = m_options.cache.empty()
                                ? std::filesystem::absolute(m_options.output).parent_path().string()
                                : m_options.cache;
  const auto runtime = runtimeObject(m_module->target(), cache);
  if (!runtime) return runtime.error();
  took("runtime");
  const std::string library = m_folder->file(kLibrary);
  if (status = linkLibrary(
          m_options.linker, {object, *runtime},
          m_options.functions ? m_options.functions->files : std::vector<std::string>{}, library);
      !status)
    return status;
  const auto bytes = readFile(library, std::size_t{1} << 30);
  if (!bytes) return bytes.error();
  report().files.library = kLibrary;
  report().functions = functionsCalledBy(m_prepared.loaded.pipeline);
  report().librarySha256 = sha256Hex(std::as_bytes(std::span(*bytes)));
  took("link");
  return Done{};
}

void Compilation::takeAssembled(std::future<Result<AssemblerReports>> assembled) {
  if (!assembled.valid()) return;
  say("assembling", 0.9);
  const Result<AssemblerReports> result = assembled.get();
  took("ptxas");
  if (!result) {
    report().architecture.clear();
    report().remarks.push_back(result.error().message);
    return;
  }
  report().files.assembled = kCubin;
  for (KernelReport &kernel : report().kernels)
    if (const auto at = result->find(kernel.name); at != result->end())
      kernel.assembler = at->second;
  if (m_options.wantSass) disassemble();
}

void Compilation::disassemble() {
  if (m_options.disassembler.empty()) {
    report().remarks.push_back("neither nvdisasm nor cuobjdump was found, so there is no SASS");
    return;
  }
  job::ProcessOptions process;
  process.program = m_options.disassembler;
  const bool objdump =
      std::filesystem::path(m_options.disassembler).filename().string().starts_with("cuobjdump");
  process.arguments = {objdump ? "-sass" : "-c", m_folder->file(kCubin)};
  const auto result = job::runProcess(process, std::chrono::minutes(1));
  const bool good = result && !result->timedOut && result->end == job::ProcessEnd{};
  if (good && m_folder->write(kSass, result->output)) {
    report().files.sass = kSass;
    for (KernelReport &kernel : report().kernels) {
      const LineRange lines = linesOfSass(result->output, kernel.name);
      kernel.sassFirstLine = lines.first;
      kernel.sassLineCount = lines.count;
    }
  } else {
    report().remarks.push_back(
        m_options.disassembler + " gave no SASS: " +
        (!result ? result.error().message : result->errors.substr(0, result->errors.find('\n'))));
  }
  took("sass");
}

Status Compilation::finish() {
  report().pipeline = m_options.import.name.empty()
                          ? std::filesystem::path(m_options.import.path).stem().string()
                          : m_options.import.name;
  report().halideVersion = halideVersion();
  report().registerCap = m_options.registerCap;
  report().entryPoint = kEntry;
  report().directives = m_options.directives;
  std::error_code ignored;
  if (report().files.assembled.empty()) std::filesystem::remove(m_folder->file(kCubin), ignored);
  const std::string index = report::toJson(report()).dump(1) + "\n";
  if (auto status = m_folder->write("bundle.json", index); !status) return status;
  auto status = m_folder->publish();
  took("publish");
  return status;
}

Result<Compiled> Compilation::run() {
  auto folder = BundleFolder::create(m_options.output, m_options.scratch);
  if (!folder) return folder.error();
  m_folder.emplace(std::move(*folder));
  if (auto status = lower(); !status) return status.error();
  if (auto status = readKernels(); !status) return status.error();
  if (auto status = writeCode(); !status) return status.error();
  // ptxas runs in parallel with LLVM. The future's destructor waits for it on every early return.
  auto assembled = startAssembler();
  if (auto status = link(); !status) return status.error();
  takeAssembled(std::move(assembled));
  if (auto status = finish(); !status) return status.error();
  return std::move(m_compiled);
}

} // namespace

Result<Target> halideTarget(CompileTarget target, int capability) {
  const Target host = Halide::get_host_target();
  // Host code is also compiled to compute the reference, with every func at root. Then some
  // pipelines need buffers of more than 2 GiB.
  if (target == CompileTarget::Host)
    return host.with_feature(Target::NoRuntime).with_feature(Target::LargeBuffers);
  Target result(host.os, host.arch, host.bits, {Target::NoRuntime});
  if (target == CompileTarget::OpenCl) return result.with_feature(Target::OpenCL);
  const auto feature = capabilityFeature(capability);
  if (!feature)
    return Error{ErrorCode::Usage,
                 "Halide cannot compile for CUDA compute capability " + std::to_string(capability),
                 "It knows 30, 32, 35, 50, 61, 70, 75, 80 and 86; newer GPUs run code for 86."};
  return result.with_feature(Target::CUDA).with_feature(*feature);
}

Result<Compiled> compileBundle(const PreparedPipeline &prepared, const CompileOptions &options,
                               const PhaseCallback &phase) {
  return Compilation(prepared, options, phase).run();
}

} // namespace tessera::halide
