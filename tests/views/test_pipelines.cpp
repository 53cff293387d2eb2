// SPDX-License-Identifier: GPL-3.0-or-later
#include "test_pipelines.h"

#include "engine/schedule/edits/default_schedule.h"
#include "engine/schedule/rules/legality.h"

#include <QFileInfo>
#include <QtGlobal>

#include <algorithm>
#include <atomic>
#include <memory>
#include <random>
#include <thread>

namespace tessera::views::test {

using namespace pipeline;

namespace {

constexpr Interval kX{0, 63}, kY{0, 47};

IndexMap index(std::uint32_t loop, Interval offset = {0, 0}) {
  IndexMap map;
  map.atoms.push_back({.terms = {{loop, 1}}, .offset = offset});
  return map;
}

Access access(Producer producer, std::vector<IndexMap> indices) {
  Access made;
  made.producer = producer;
  made.indices = std::move(indices);
  return made;
}

Stage pureStage(FuncId func, std::vector<Access> loads, const std::string &definition) {
  Stage stage;
  stage.func = func;
  stage.loops = {{"x", LoopDim::Kind::Pure, kX}, {"y", LoopDim::Kind::Pure, kY}};
  stage.operations = {{OpKind::Add, {TypeKind::Float, 32}, 2}};
  stage.loads = std::move(loads);
  stage.store = access(Producer::func(func), {index(0), index(1)});
  stage.definition = definition;
  return stage;
}

Func func(const std::string &name, std::uint32_t firstStage) {
  Func made;
  made.name = name;
  made.types = {{TypeKind::Float, 32}};
  made.args = {"x", "y"};
  made.firstStage = StageId{firstStage};
  made.region = {kX, kY};
  return made;
}

Input image() {
  Input input;
  input.name = "input";
  input.type = {TypeKind::UInt, 16};
  input.dims = {{{0, 65}, EstimateSource::Sidecar}, {{0, 47}, EstimateSource::Derived}};
  return input;
}

PipelinePtr created(PipelineParts parts) {
  auto made = Pipeline::create(std::move(parts));
  if (!made) qFatal("test pipeline: %s", made.error().message.c_str());
  return std::move(*made);
}

} // namespace

PipelinePtr smallPipeline(const std::string &name) {
  PipelineParts parts;
  parts.name = name;
  parts.halideVersion = "21.0.0";
  parts.inputs = {image()};
  parts.funcs = {func("blur_x", 0), func("blur_y", 1)};
  parts.funcs[1].stageCount = 2;
  parts.funcs[1].isOutput = true;
  parts.stages = {pureStage(FuncId{0},
                            {access(Producer::input(InputId{0}), {index(0, {0, 2}), index(1)})},
                            "blur_x(x, y) = input(x, y) + input(x + 2, y)"),
                  pureStage(FuncId{1}, {access(Producer::func(FuncId{0}), {index(0), index(1)})},
                            "blur_y(x, y) = blur_x(x, y)")};
  Stage update = parts.stages[1];
  update.index = 1;
  update.loops.push_back({"r", LoopDim::Kind::Reduction, {0, 2}});
  update.loads.push_back(access(Producer::func(FuncId{1}), {index(0), index(1)}));
  std::ranges::sort(update.loads, {}, [](const Access &a) { return a.producer.index; });
  update.definition = "blur_y(x, y) = blur_y(x, y) + blur_x(x, y)";
  parts.stages.push_back(update);
  parts.outputs = {{FuncId{1}, {{kX, EstimateSource::Sidecar}, {kY, EstimateSource::User}}}};
  parts.foundSchedule = {{StageId{0}, {"compute_root()", "vectorize(x, 8)"}}};
  parts.remarks = {{"blur_x", "its region was rounded up"}};
  return created(std::move(parts));
}

PipelinePtr scalarPipeline(const std::string &name, const std::string &levels,
                           EstimateSource source) {
  Input scalar;
  scalar.name = "levels";
  scalar.type = {TypeKind::Int, 16};
  scalar.isScalar = true;
  scalar.scalarEstimate = levels;
  scalar.scalarSource = source;
  PipelineParts parts = smallPipeline(name)->parts();
  parts.inputs.push_back(scalar);
  return created(std::move(parts));
}

PipelinePtr externPipeline(const std::string &name) {
  PipelineParts parts = smallPipeline(name)->parts();
  parts.funcs[0].externCall = pipeline::ExternCall{"blur_call"};
  parts.stages[0].operations.clear();
  parts.stages[0].definition = "blur_x(x, y) = extern blur_call(input)";
  const pipeline::IndexMap whole{
      {}, pipeline::kEverything, pipeline::Precision::Whole, "the function blur_call chooses it"};
  for (Access &load : parts.stages[0].loads)
    load.indices.assign(load.indices.size(), whole);
  parts.foundSchedule.clear();
  return created(std::move(parts));
}

PipelinePtr layeredPipeline(std::uint32_t funcs, std::uint32_t seed) {
  std::mt19937 random(seed);
  const std::uint32_t width = std::max(1u, funcs / 50);
  PipelineParts parts;
  parts.name = "layered" + std::to_string(funcs);
  parts.halideVersion = "21.0.0";
  parts.inputs = {image()};
  for (std::uint32_t i = 0; i < funcs; ++i) {
    parts.funcs.push_back(func("stage_" + std::to_string(i), i));
    std::vector<std::uint32_t> producers;
    const std::uint32_t layer = i / width;
    for (std::uint32_t k = 0, n = 1 + random() % 3; layer > 0 && k < n; ++k) {
      const std::uint32_t back = random() % 4 ? 1 : 1 + random() % std::min(layer, 6u);
      const std::uint32_t from = (layer - back) * width + random() % width;
      if (std::ranges::find(producers, from) == producers.end()) producers.push_back(from);
    }
    std::ranges::sort(producers);
    std::vector<Access> loads;
    for (const std::uint32_t from : producers)
      loads.push_back(access(Producer::func(FuncId{from}), {index(0, {-1, 1}), index(1)}));
    if (loads.empty()) loads.push_back(access(Producer::input(InputId{0}), {index(0), index(1)}));
    parts.stages.push_back(pureStage(FuncId{i}, std::move(loads), "…"));
  }
  parts.funcs.back().isOutput = true;
  parts.outputs = {{FuncId{funcs - 1}, {{kX, EstimateSource::File}, {kY, EstimateSource::File}}}};
  return created(std::move(parts));
}

OpenService cannedService() {
  auto trusted = std::make_shared<std::atomic<bool>>(false);
  const auto baseName = [](const std::string &path) {
    return QFileInfo(QString::fromStdString(path)).completeBaseName();
  };
  OpenService service;
  service.kindOf = [baseName](const std::string &path) -> Result<open::SourceKind> {
    if (baseName(path).startsWith("source")) return open::SourceKind::GeneratorSource;
    return baseName(path).startsWith("generator") ? open::SourceKind::GeneratorProgram
                                                  : open::SourceKind::SerializedPipeline;
  };
  service.hash = [](const std::string &) -> Result<std::string> { return std::string(64, 'a'); };
  service.trust = [trusted](const std::string &, const std::string &) -> Status {
    *trusted = true;
    return Done{};
  };
  const std::vector<open::Generator> generators{
      {"one", {{"levels", "int32_t", {}, "8"}, {"fast", "bool", {}, "true"}}},
      {"two", {{"mode", "enum", {"sum", "max"}, "sum"}}}};
  const auto notTrusted = [] {
    return Error{ErrorCode::NotTrusted, "it has not been allowed yet", "Allow it."};
  };
  service.buildNear = [](const std::string &) {
    return open::BuildOptions{{"/near/include"}, {"NEAR=1"}, {}, {}};
  };
  service.generators = [trusted, generators, notTrusted, baseName](
                           const std::string &path, const open::BuildOptions &build,
                           std::stop_token,
                           const job::ProgressCallback &) -> Result<std::vector<open::Generator>> {
    if (!*trusted) return notTrusted();
    const QString name = baseName(path);
    if (name.startsWith("source-broken"))
      return Error{ErrorCode::InputRefused, "The compiler ended with exit code 1:\nx.cpp:3: error",
                   ""};
    if (!name.startsWith("source")) return generators;
    if (build.includes.empty())
      return Error{ErrorCode::InputRefused,
                   "The compiler ended with exit code 1:\nx.cpp:2: fatal error: one.h",
                   "Give what it includes: --include /app",
                   ErrorRemedy::Build,
                   {{"include", "/app"}, {"with-source", "/app/two.cpp"}}};
    return std::vector<open::Generator>{{"lone", {}}};
  };
  service.open = [baseName, generators](
                     const open::OpenRequest &request, std::stop_token stop,
                     const job::ProgressCallback &progress) -> Result<open::OpenedPipeline> {
    const QString name = baseName(request.path);
    if (progress) progress({"reading", 0.5});
    while (name.startsWith("slow") && !stop.stop_requested())
      std::this_thread::yield();
    if (name.startsWith("slow")) return Error{ErrorCode::Cancelled, "cancelled", {}};
    if (name.startsWith("broken"))
      return Error{ErrorCode::InputRefused, "'" + request.path + "' is truncated at byte 17.",
                   "Write it again."};
    if (name.startsWith("noestimates") && request.estimates.empty())
      return Error{ErrorCode::InputRefused,
                   "The output 'blur_y' has no estimates.",
                   "Give its size.",
                   ErrorRemedy::Estimates,
                   {{"estimate", "blur_y=0:64,0:48"}, {"estimate", "levels=8"}}};
    if (name.startsWith("source") && request.parameters.empty())
      return Error{ErrorCode::InputRefused,
                   "Generator 'lone' leaves open: the type and the dimensions of input 'in'.",
                   "Give them.",
                   ErrorRemedy::Parameters,
                   {{"param", "in.type=uint8"}, {"param", "in.dim=2"}}};
    open::OpenedPipeline opened;
    opened.path = request.path;
    opened.pipeline =
        smallPipeline(request.generator.empty() ? name.toStdString() : request.generator);
    if (!request.generator.empty()) opened.generators = generators;
    if (name.startsWith("scalar")) {
      const auto levels =
          std::ranges::find(request.estimates, "levels", &open::EstimateOverride::name);
      const bool isGiven = levels != request.estimates.end();
      if (isGiven && levels->scalar == "13")
        return Error{ErrorCode::InputRefused, "blur_y has no size with 13 levels.", {}};
      opened.pipeline = scalarPipeline(name.toStdString(), isGiven ? levels->scalar : "8",
                                       isGiven ? EstimateSource::User : EstimateSource::Sidecar);
    }
    if (name.startsWith("source")) {
      opened.kind = open::SourceKind::GeneratorSource;
      opened.generators = {{"lone", {}}};
    }
    if (name.startsWith("extern")) {
      opened.pipeline = externPipeline(name.toStdString());
      opened.file.functions =
          functionSourceOf(request, open::SourceKind::SerializedPipeline, *opened.pipeline);
    }
    opened.isUnscheduled = name.startsWith("scheduled");
    if (name.startsWith("contradicts") && request.estimates.empty()) {
      PipelineParts parts = opened.pipeline->parts();
      parts.conflicts = {{{"input", "it is accessed at 69"}}, {{"input", {{0, 69}, {0, 47}}}}};
      opened.pipeline = created(std::move(parts));
    }
    if (name.startsWith("sized"))
      opened.sizes = {{"paper-small", "a paper", {}, {}}, {"paper-large", "another", {}, {}}};
    return opened;
  };
  return service;
}

FoundSchedule defaultFound(const PipelinePtr &pipeline) {
  schedule::Schedule start = schedule::defaultSchedule(pipeline);
  cost::Prediction prediction = cost::predict(start, machine::Machine{});
  return {std::move(start), std::move(prediction)};
}

ScheduleService cannedScheduleService() {
  ScheduleService service;
  service.algorithms = {{"auto", "The default"}, {"other", "Another"}};
  service.machines = {{"a100", "An A100"}, {"h200", "An H200"}};
  service.defaultMachine = "h200";
  service.predict = [](const schedule::Schedule &schedule,
                       const std::string &) -> Result<FoundSchedule> {
    if (const auto wrong = schedule::check(schedule, machine::Machine{}); !wrong.empty())
      return Error{ErrorCode::InputRefused, wrong.front().message, wrong.front().allowed};
    return FoundSchedule{schedule, cost::predict(schedule, machine::Machine{})};
  };
  service.predictSourced = [](const document::SourcedSchedule &sourced,
                              const std::string &) -> Result<FoundSchedule> {
    auto remarks = document::remarksOn(sourced, machine::Machine{});
    if (!remarks) return remarks.error();
    return FoundSchedule{sourced.schedule, cost::predict(sourced.schedule, machine::Machine{}),
                         std::move(*remarks)};
  };
  service.choices = [](const schedule::Schedule &schedule, std::optional<pipeline::StageId> stage,
                       const std::string &, std::stop_token stop,
                       const document::ChoicesCallback &found) -> Status {
    if (stage)
      document::choicesFor(schedule, *stage, machine::Machine{}, stop, found);
    else
      document::settingChoices(schedule, machine::Machine{}, found);
    return Done{};
  };
  service.sharedChoices =
      [](const schedule::Schedule &schedule, const std::vector<pipeline::StageId> &stages,
         schedule::DecisionColumn column, const std::string &, std::stop_token stop,
         const document::ChoicesCallback &found) -> Status {
    document::sharedChoices(schedule, stages, column, machine::Machine{}, stop, found);
    return Done{};
  };
  service.typed = [](const schedule::Schedule &schedule,
                     const std::vector<pipeline::StageId> &stages,
                     std::optional<schedule::DecisionColumn> column, const std::string &text,
                     const std::string &, std::stop_token stop) -> Result<document::TypedChoices> {
    return document::typedChoices(schedule, stages, column, text, machine::Machine{}, stop);
  };
  service.moves = [](const schedule::Schedule &schedule, pipeline::StageId stage,
                     const std::string &, std::stop_token stop,
                     const document::MovesCallback &found) -> Status {
    document::movesOf(schedule, stage, machine::Machine{}, stop, found);
    return Done{};
  };
  service.run = [](const ScheduleRequest &request, std::stop_token stop,
                   const job::ProgressCallback &progress,
                   const ScheduleService::Found &better) -> Result<FoundSchedule> {
    const std::string &name = request.pipeline->name();
    if (name.starts_with("refused"))
      return Error{ErrorCode::InputRefused, "blur_x cannot be scheduled", {}};
    progress({"looking", 0.25});
    const bool keeps = request.around &&
                       (request.from == ScheduleRequest::From::Around ||
                        std::ranges::any_of(request.around->marks(),
                                            [](const auto &mark) { return mark.second.frozen; }));
    FoundSchedule found =
        keeps ? FoundSchedule{*request.around, cost::predict(*request.around, machine::Machine{})}
              : defaultFound(request.pipeline);
    better(found);
    while (name.starts_with("endless") && !stop.stop_requested())
      std::this_thread::yield();
    return found;
  };
  return service;
}

KernelService cannedKernelService() {
  KernelService service;
  service.machine = [](const std::string &name) -> Result<MachineFacts> {
    if (name == "lost") return Error{ErrorCode::InputRefused, "'lost' is not a machine", {}};
    const machine::Machine machine;
    return MachineFacts{machine, cost::ceilingsOf(machine)};
  };
  return service;
}

measure::KeptMeasurement cannedMeasurement(const schedule::Schedule &schedule,
                                           const std::string &contentSha256) {
  measure::KeptMeasurement kept;
  kept.of.scheduleHash = schedule.hash();
  kept.of.contentSha256 = contentSha256;
  kept.bundle.pipeline = kept.times.pipeline = schedule.base()->name();
  kept.times.machine = "Canned GPU";
  kept.times.driver = "999.01";
  kept.times.date = "2026-11-22T11:05:00Z";
  kept.times.before.multiprocessorMhz = 1700;
  kept.times.kernelClock = bench::KernelClock::Cupti;
  double seconds = 0;
  const pipeline::Pipeline &pipeline = *schedule.pipeline();
  for (const auto &[load, time] : cost::predict(schedule, machine::Machine{}).kernels) {
    const pipeline::Stage &stage = pipeline.stage(load.stage);
    report::KernelReport report;
    report.name = "k" + std::to_string(kept.bundle.kernels.size());
    report.stages = {{pipeline.func(stage.func).name, stage.index}};
    kept.bundle.kernels.push_back(report);
    const double each = 10e-6 * double(kept.bundle.kernels.size());
    kept.times.kernels.push_back({report.name, 1, {each, each, each, 7}, 24, 0});
    seconds += each;
  }
  kept.bundle.allocations = {{"blur_x", 64 * 48 * 4, 1}};
  const double run = seconds + 5e-6, allocating = run + 7e-6;
  kept.times.backToBack = {run, 0.9 * run, 1.1 * run, 11};
  kept.times.allocating = {allocating, allocating, allocating, 11};
  report::OutputComparison output;
  output.name = "blur_y";
  output.elements = 64 * 48;
  kept.times.comparison = report::VerifyReport{{output}, {}};
  return kept;
}

bench::CounterReport cannedCounters(const report::CompileReport &bundle) {
  bench::CounterReport report;
  report.chip = "CN100";
  for (std::size_t i = 0; i < bundle.kernels.size(); ++i) {
    bench::KernelCounters kernel;
    kernel.name = bundle.kernels[i].name;
    kernel.launches = 1;
    kernel.occupancy = 0.1 * double(i + 1);
    kernel.dramReadBytes = kernel.dramWriteBytes = 0.5e6 * double(i + 1);
    kernel.l2Bytes = kernel.l1Bytes = 2e6 * double(i + 1);
    kernel.sharedBytes = 0;
    kernel.fp32 = kernel.fp64 = kernel.fp16 = 0;
    kernel.integers = 1e6;
    report.kernels.push_back(kernel);
  }
  return report;
}

void writeImage(const QString &path, int width, int height) {
  QFile file(path);
  if (!file.open(QIODevice::WriteOnly)) qFatal("cannot write %s", qPrintable(path));
  file.write(QStringLiteral("P5\n%1 %2\n65535\n").arg(width).arg(height).toLatin1());
  file.write(QByteArray(2 * qsizetype(width) * height, 'A'));
}

MeasureService cannedMeasureService(std::shared_ptr<CannedGpu> gpu) {
  const auto hold = [gpu](const MeasureWish &wish, const std::stop_token &stop) {
    ++gpu->asked;
    gpu->seed = wish.seed;
    std::size_t bytes = 0;
    for (const bench::GivenInput &input : wish.inputs)
      bytes += input.array.data.size();
    gpu->givenBytes = bytes;
    gpu->givenShare = wish.tolerance.share.value_or(0);
    while (gpu->isHeld && !stop.stop_requested())
      std::this_thread::yield();
    return stop.stop_requested();
  };
  MeasureService service;
  service.gpu = [gpu](const std::string &host, const std::stop_token &stop,
                      const job::ProgressCallback &) -> Result<std::string> {
    while (host.starts_with("slow") && !stop.stop_requested())
      std::this_thread::yield();
    if (stop.stop_requested()) return Error{ErrorCode::Cancelled, "Cancelled.", {}};
    if (host.starts_with("nowhere"))
      return Error{ErrorCode::WorkerFailed, "Cannot reach nowhere: ssh: no such host",
                   "`ssh nowhere` must log in without a prompt."};
    if (!host.empty()) return "GPU of " + host;
    if (gpu->isThere) return std::string("Canned GPU");
    return Error{ErrorCode::WorkerFailed, "NVIDIA's driver was not found.", {}};
  };
  service.measure = [gpu, hold](const MeasureWish &wish, const std::stop_token &stop,
                                const job::ProgressCallback &progress) -> measure::MeasureAnswer {
    progress({"compiling", 0.5});
    if (hold(wish, stop)) return {Outcome::Cancelled, {}, {ErrorCode::Cancelled, "", ""}};
    if (gpu->outcome != Outcome::Ok)
      return {gpu->outcome, {}, {ErrorCode::WorkerFailed, "as the test wished", ""}};
    measure::KeptMeasurement measured = cannedMeasurement(wish.schedule, wish.contentSha256);
    if (!wish.host.empty()) measured.times.machine = "GPU of " + wish.host;
    const Outcome counted = wish.counts ? gpu->counted.load() : Outcome::Ok;
    if (wish.counts && counted == Outcome::Ok) measured.counters = cannedCounters(measured.bundle);
    return {Outcome::Ok, std::move(measured), {}, counted};
  };
  service.verify = [gpu, hold](const MeasureWish &wish, const std::stop_token &stop,
                               const job::ProgressCallback &) -> measure::VerifiedHere {
    measure::VerifiedHere verified;
    verified.answer.outcome = hold(wish, stop) ? Outcome::Cancelled : gpu->outcome.load();
    report::OutputComparison output;
    output.name = "blur_y";
    output.elements = 64 * 48;
    output.worstAt = {3, 4};
    output.beyond = verified.answer.outcome == Outcome::WrongOutput ? 5 : 0;
    verified.answer.report.outputs = {output};
    verified.answer.error.message = "as the test wished";
    return verified;
  };
  service.program = "0.1.0 (test)";
  return service;
}

} // namespace tessera::views::test
