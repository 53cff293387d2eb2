// SPDX-License-Identifier: MIT
#include "engine/learn/schedule_features.h"

#include "engine/learn/stage_reads.h"
#include "engine/cost/load/kernel_load.h"
#include "engine/cost/load/load_inputs.h"
#include "engine/cost/load/stage_load.h"
#include "engine/cost/load/warp_access.h"
#include "engine/pipeline/measures.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tessera::learn {

using cost::AccessLoad;
using cost::KernelRuns;
using cost::MemorySpace;
using cost::Run;
using cost::StageLoad;
using pipeline::FuncId;
using pipeline::Producer;
using pipeline::StageId;
using schedule::Depth;
using enum ScheduleFeature;

namespace {

constexpr double kWarp = 32, kMostThreads = 1024;
constexpr double kBankPass = 128; // bytes that all banks of shared memory give in a pass

// What a stage has whose loops nobody has decided about, as an inlined one.
ScheduleFeatures withoutLoops() {
  ScheduleFeatures f;
  f[Blocks] = 1;
  f[BlockOccupancy] = 1 / kMostThreads;
  f[WarpLaneUtilization] = 1 / kWarp;
  for (const ScheduleFeature one :
       {WarpLaneUtilizationY, WarpLaneUtilizationZ, SharedStoreEfficiency, SharedLoadEfficiency,
        GlobalStoreEfficiency, GlobalLoadEfficiency, SharedBlockLimit})
    f[one] = 1;
  return f;
}

double productOf(std::span<const std::int64_t> extents) {
  double product = 1;
  for (const std::int64_t extent : extents)
    product *= static_cast<double>(extent);
  return product;
}

// Transactions of one kind, and the bytes that they move and that are needed.
struct Transactions {
  double count = 0, moved = 0, needed = 0;

  void add(const AccessLoad &access, double each, double unit, double times) {
    count += access.requests * each * times;
    moved += access.requests * each * unit * times;
    const double bytes = std::max(1.0, access.access.bytes);
    needed += access.requests * cost::unitsTouched(access.access, bytes) * bytes * times;
  }
  double efficiency() const { return moved > 0 ? std::min(1.0, needed / moved) : 1; }
};

} // namespace

// Goes through the kernels of a schedule, consumers first.
class ScheduleFeaturizer::Builder {
public:
  Builder(ScheduleFeaturizer &room, const schedule::Schedule &schedule)
      : m_room(room), m_schedule(schedule), m_pipeline(*schedule.pipeline()),
        m_funcs(m_pipeline.allFuncs()), m_bounds(room.m_room.measure(schedule, m_funcs)),
        m_runs(room.m_runs), m_features(room.m_features) {
    m_runs.renew(schedule, m_bounds, m_funcs);
    m_features.assign(m_pipeline.stages().size(), withoutLoops());
  }

  void build() {
    const std::size_t stages = m_features.size();
    m_realized.assign(m_funcs.size(), 0);
    m_nested.assign(stages, 0);
    m_nestedInThread.assign(stages, 0);
    for (const KernelRuns::Kernel &kernel : m_runs.kernels())
      for (const StageId stage : kernel.stages)
        m_realized[index(funcOf(stage))] = instancesOf(m_runs.of(stage));
    for (const KernelRuns::Kernel &kernel : m_runs.kernels())
      addKernel(kernel);
    addWorkingSets();
    addMinimums();
    addInlined();
    addBranching();
  }

private:
  FuncId funcOf(StageId stage) const { return m_pipeline.stage(stage).func; }
  ScheduleFeatures &of(StageId stage) { return m_features[index(stage)]; }
  const cost::Launch &launchOf(const Run &run) const { return m_runs.kernelOf(run).launch; }

  // How often the place of a stage is entered in a run of the pipeline.
  double instancesOf(const Run &run) const {
    if (run.depth == Depth::Host) return run.launches;
    const double threads = run.depth == Depth::Thread ? cost::product(run.threads) : 1;
    return run.launches * launchOf(run).blocks * threads * run.times;
  }

  void addKernel(const KernelRuns::Kernel &kernel) {
    std::vector<StageReads::BlockBox> boxes;
    m_room.m_loaded.clear();
    for (const StageId stage : kernel.stages) {
      const Run &run = m_runs.of(stage);
      const StageLoad load = loadOf(run);
      addPlace(run);
      addLoops(run, load);
      addThreads(run, load);
      addAccesses(load);
      StageReads reads = stageReads(m_schedule, m_bounds, m_runs, run, m_realized);
      addReads(of(stage), reads);
      std::ranges::move(reads.block, std::back_inserter(boxes));
    }
    addTask(kernel, boxes);
  }

  StageLoad loadOf(const Run &run) {
    m_room.m_accesses.clear();
    m_room.m_scratch.accesses = &m_room.m_accesses;
    const cost::LoadInputs inputs = cost::inputsOf(m_schedule, m_room.m_machine, m_runs, run,
                                                   m_room.m_loaded, m_room.m_scratch);
    StageLoad load =
        cost::loadOf(m_schedule, m_bounds, m_room.m_machine, m_runs, run, inputs, m_room.m_scratch);
    m_room.m_scratch.accesses = nullptr;
    return load;
  }

  // ---- where the func is computed, and how much of it

  void addPlace(const Run &run) {
    ScheduleFeatures &f = of(run.stage);
    const FuncId func = funcOf(run.stage);
    const schedule::FuncPlan &plan = m_schedule.plan(func);
    const auto bytes = static_cast<double>(pipeline::elementBytes(m_pipeline.func(func)));
    const std::size_t innermost = innermostDim(plan);
    const auto along = [&](std::span<const pipeline::Interval> box) {
      return innermost < box.size() ? bytes * static_cast<double>(box[innermost].extent()) : bytes;
    };
    const auto computed = m_bounds.of(func).computed;
    const pipeline::Box &region = m_pipeline.func(func).region;
    f[Realizations] = f[Productions] = instancesOf(run);
    f[PointsPerRealization] = productOf(m_bounds.of(run.stage).dims);
    f[PointsPerProduction] = productOf(m_bounds.of(run.stage).loops);
    f[PointsTotal] = f[PointsPerRealization] * f[Realizations];
    f[Scalars] = f[PointsTotal]; // "the total product of the loop extents"
    f[BytesAtRealization] = f[BytesAtProduction] = amountOf(computed, bytes, innermost).bytes;
    f[BytesAtRoot] = amountOf(region, bytes, innermost).bytes;
    f[InnermostBytesAtRealization] = f[InnermostBytesAtProduction] = along(computed);
    f[InnermostBytesAtRoot] = along(region);
    const double blocks = launchOf(run).blocks;
    const bool isRoot = run.depth == Depth::Host;
    f[InnerParallelism] = isRoot ? blocks : 1;
    f[OuterParallelism] = isRoot ? 1 : blocks;
    if (isRoot) {
      addBytesOfBlock(run, bytes, innermost);
      return;
    }
    const MemorySpace space = m_runs.space(func);
    if (space == MemorySpace::Shared) {
      f[SharedBytesAtTask] = f[BytesAtRealization];
      f[SharedInnermostBytesAtTask] = f[InnermostBytesAtRealization];
    } else if (space == MemorySpace::Registers) {
      f[RegisterBytesAtTask] = f[BytesAtRealization];
      f[RegisterInnermostBytesAtTask] = f[InnermostBytesAtRealization];
    }
  }

  // What a block of a kernel writes of its func.
  void addBytesOfBlock(const Run &run, double elementBytes, std::size_t innermost) {
    const pipeline::Stage &stage = m_pipeline.stage(run.stage);
    const pipeline::Box &region = m_pipeline.func(stage.func).region;
    double bytes = elementBytes, along = elementBytes;
    for (std::size_t a = 0; a < region.size(); ++a) {
      double blocks = 1;
      for (const cost::FlatLoop &loop : run.loops)
        if (loop.kind == schedule::LoopKind::Block && stage.loops[loop.dim].argument == a)
          blocks *= static_cast<double>(loop.iterations);
      const double extent =
          std::max(1.0, std::floor(static_cast<double>(region[a].extent()) / blocks));
      bytes *= extent;
      if (a == innermost) along *= extent;
    }
    of(run.stage)[GlobalBytesAtTask] = bytes;
    of(run.stage)[GlobalInnermostBytesAtTask] = along;
  }

  // ---- the stage's own loops

  void addLoops(const Run &run, const StageLoad &load) {
    ScheduleFeatures &f = of(run.stage);
    const pipeline::Stage &stage = m_pipeline.stage(run.stage);
    f[PointsPerThread] = load.bodies * load.points;
    f[InnermostExtent] = f[InnermostPureExtent] = f[UnrolledExtent] = 1;
    bool isUnrolled = true;
    for (const cost::FlatLoop &loop : run.loops) {
      if (!run.isInThread(loop)) continue;
      const auto extent = static_cast<double>(loop.iterations);
      f[InnermostExtent] *= extent;
      if (stage.loops[loop.dim].kind == pipeline::LoopDim::Kind::Reduction) continue;
      f[InnermostPureExtent] *= extent;
      isUnrolled = isUnrolled && loop.kind != schedule::LoopKind::Serial;
    }
    if (isUnrolled) f[UnrolledExtent] = f[InnermostPureExtent];
  }

  // ---- threads, blocks and what they leave idle

  void addThreads(const Run &run, const StageLoad &load) {
    ScheduleFeatures &f = of(run.stage);
    const cost::Launch &launch = launchOf(run);
    const machine::Machine &machine = m_room.m_machine;
    const double threads = cost::product(run.threads), lanes = load.warps * kWarp;
    const double warps = std::ceil(static_cast<double>(launch.threads()) / kWarp);
    f[Blocks] = launch.blocks;
    f[WarpsPerBlock] = warps;
    f[ThreadsPerBlock] = threads;
    f[BlockOccupancy] = threads / kMostThreads;
    f[ActiveWarpsPerBlock] = load.warps;
    f[WarpLaneUtilization] = std::min(1.0, threads / lanes);
    f[IdleLaneWastage] = std::max(0.0, lanes - threads) / kMostThreads;
    if (funcOf(launch.stage) != funcOf(run.stage)) return; // the rest is the kernel's owner's
    const auto mostBlocks = static_cast<double>(machine.sm.blocks);
    const auto mostWarps = static_cast<double>(machine.sm.threads / machine.limits.warpSize);
    const double perSm = std::ceil(launch.blocks / static_cast<double>(machine.multiprocessors));
    const double active = std::min(mostWarps, std::min(mostBlocks, perSm) * warps);
    f[WarpOccupancy] = active / mostWarps;
    f[BlockLimitOccupancy] = std::floor(active / warps) / mostBlocks;
    if (launch.sharedBytes == 0) return;
    const auto shared = static_cast<double>(launch.sharedBytes);
    f[SharedOccupancy] = shared / static_cast<double>(machine.limits.sharedBytesPerBlock);
    f[SharedBlockLimit] =
        std::min(mostBlocks, std::floor(static_cast<double>(machine.sm.sharedBytes) / shared)) /
        mostBlocks;
  }

  // ---- transactions

  void addAccesses(const StageLoad &load) {
    ScheduleFeatures &f = of(load.stage);
    const double times = load.warps * load.bodies;
    Transactions globalLoads, globalStores, sharedLoads, sharedStores;
    for (const AccessLoad &access : m_room.m_accesses) {
      if (access.space == MemorySpace::Global)
        (access.isStore() ? globalStores : globalLoads)
            .add(access, access.sectors, cost::kSectorBytes, times);
      else if (access.space == MemorySpace::Shared)
        (access.isStore() ? sharedStores : sharedLoads)
            .add(access, access.passes, kBankPass, times);
    }
    f[GlobalLoadsPerBlock] = globalLoads.count;
    f[GlobalStoresPerBlock] = globalStores.count;
    f[SharedLoadsPerBlock] = sharedLoads.count;
    f[SharedStoresPerBlock] = sharedStores.count;
    f[GlobalLoadEfficiency] = globalLoads.efficiency();
    f[GlobalStoreEfficiency] = globalStores.efficiency();
    f[SharedLoadEfficiency] = sharedLoads.efficiency();
    f[SharedStoreEfficiency] = sharedStores.efficiency();
  }

  static void addReads(ScheduleFeatures &f, const StageReads &reads) {
    for (std::size_t m = 0; m < reads.realization.size(); ++m) {
      const auto in = [m](ScheduleFeature first) {
        return static_cast<ScheduleFeature>(static_cast<std::size_t>(first) + m);
      };
      f[in(GlobalBytesPerRealization)] = reads.realization[m].bytes;
      f[in(GlobalLinesPerRealization)] = reads.realization[m].lines;
      f[in(GlobalBytesPerThread)] = reads.thread[m].bytes;
      f[in(GlobalLinesPerThread)] = reads.thread[m].lines;
      f[in(GlobalAllocationRead)] = reads.allocations[m];
    }
    f[BytesPerPoint] = reads.point.bytes;
    f[LinesPerPoint] = reads.point.lines;
  }

  // What a block reads from global memory: of each producer the hull of all that its stages read.
  void addTask(const KernelRuns::Kernel &kernel, std::vector<StageReads::BlockBox> &boxes) {
    Amount all;
    std::vector<bool> isDone(boxes.size());
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      if (isDone[i]) continue;
      for (std::size_t j = i + 1; j < boxes.size(); ++j) {
        if (!(boxes[j].producer == boxes[i].producer)) continue;
        isDone[j] = true;
        for (std::size_t d = 0; d < boxes[i].box.size(); ++d)
          boxes[i].box[d] = hull(boxes[i].box[d], boxes[j].box[d]);
      }
      const Producer producer = boxes[i].producer;
      if (producer.kind == Producer::Kind::Func) {
        const FuncId func{producer.index};
        all += amountOf(boxes[i].box,
                        static_cast<double>(pipeline::elementBytes(m_pipeline.func(func))),
                        innermostDim(m_schedule.plan(func)));
      } else {
        all += amountOf(boxes[i].box,
                        m_pipeline.input(pipeline::InputId{producer.index}).type.bytes(), 0);
      }
    }
    of(kernel.launch.stage)[BytesPerTask] = all.bytes;
    of(kernel.launch.stage)[LinesPerTask] = all.lines;
  }

  // ---- what lives at the same time

  void addWorkingSets() {
    double root = 0;
    for (const KernelRuns::Kernel &kernel : m_runs.kernels())
      for (const StageId stage : kernel.stages) {
        const pipeline::Stage &described = m_pipeline.stage(stage);
        if (described.index > 0) continue; // a func is allocated once
        const Run &run = m_runs.of(stage);
        const double bytes = of(stage)[BytesAtProduction];
        root += bytes;
        if (run.depth == Depth::Host) continue;
        const StageId around = m_schedule.plan(described.func).compute.stage;
        m_nested[index(kernel.launch.stage)] += bytes;
        if (around != kernel.launch.stage) m_nested[index(around)] += bytes;
        if (run.depth == Depth::Thread) m_nestedInThread[index(around)] += bytes;
      }
    for (const KernelRuns::Kernel &kernel : m_runs.kernels())
      for (const StageId stage : kernel.stages) {
        ScheduleFeatures &f = of(stage);
        const Run &run = m_runs.of(stage);
        const double task = m_nested[index(kernel.launch.stage)];
        double around = root;
        if (run.depth == Depth::Block) around = task;
        if (run.depth == Depth::Thread)
          around = m_nestedInThread[index(m_schedule.plan(funcOf(stage)).compute.stage)];
        f[WorkingSet] = m_nested[index(stage)];
        f[WorkingSetAtTask] = task;
        f[WorkingSetAtThread] = m_nestedInThread[index(stage)];
        f[WorkingSetAtProduction] = f[WorkingSetAtRealization] = around;
        f[WorkingSetAtRoot] = root;
      }
  }

  // The points that the outputs need, with a func's own loops or those of all that call it.
  void addMinimums() {
    for (std::size_t i = m_funcs.size(); i-- > 0;) {
      const FuncId func = m_funcs[i];
      for (const StageId stage : m_pipeline.stageIdsOf(func))
        of(stage)[PointsMinimum] =
            static_cast<double>(pipeline::evaluationCount(m_pipeline.stage(stage)));
      const pipeline::Func &described = m_pipeline.func(func);
      if (described.stageCount != 1 || described.isOutput) continue;
      double inlined = 0;
      for (const pipeline::EdgeId id : m_pipeline.edgesFrom(func)) {
        const pipeline::Edge &edge = m_pipeline.edge(id);
        inlined += of(edge.consumer)[PointsMinimum] * edge.loads;
      }
      ScheduleFeatures &f = of(described.firstStage);
      f[PointsMinimum] = std::min(f[PointsMinimum], inlined);
    }
  }

  // ---- funcs in the expressions of others

  // A stage with loops that evaluates an inlined func, and how often in each of its points.
  struct Caller {
    StageId stage{};
    double calls = 0;
  };

  void addInlined() {
    std::vector<std::vector<Caller>> callers(m_funcs.size());
    for (std::size_t i = m_funcs.size(); i-- > 0;) { // consumers first
      const FuncId func = m_funcs[i];
      if (!m_schedule.plan(func).isInline()) continue;
      for (const pipeline::EdgeId id : m_pipeline.edgesFrom(func)) {
        const pipeline::Edge &edge = m_pipeline.edge(id);
        const FuncId reader = funcOf(edge.consumer);
        if (!m_schedule.plan(reader).isInline()) {
          addCaller(callers[i], {edge.consumer, static_cast<double>(edge.loads)});
          continue;
        }
        for (const Caller &caller : callers[index(reader)])
          addCaller(callers[i], {caller.stage, caller.calls * edge.loads});
      }
      ScheduleFeatures &f = of(m_pipeline.func(func).firstStage);
      f[BytesAtRoot] =
          amountOf(m_pipeline.func(func).region,
                   static_cast<double>(pipeline::elementBytes(m_pipeline.func(func))), 0)
              .bytes;
      for (const Caller &caller : callers[i])
        addCalls(f, of(caller.stage), caller.calls);
    }
  }

  // Of the pure definition, whatever the stage, as the plugin has it. An inlined func that is
  // called more than once counts like two operands of its size.
  void addBranching() {
    std::vector<double> &branching = m_room.m_branching;
    branching.resize(m_funcs.size());
    for (std::size_t i = 0; i < m_funcs.size(); ++i) { // producers first
      const pipeline::Func &func = m_pipeline.func(m_funcs[i]);
      const pipeline::Stage &pure = m_pipeline.stage(func.firstStage);
      double number = pure.expression ? static_cast<double>(pure.expression->branching) : 0;
      for (const pipeline::EdgeId id : m_pipeline.edgesInto(func.firstStage)) {
        const pipeline::Edge &edge = m_pipeline.edge(id);
        if (edge.producer.kind != Producer::Kind::Func) continue;
        const FuncId producer{edge.producer.index};
        if (!m_schedule.plan(producer).isInline()) continue;
        number = std::max(number, branching[index(producer)] + (edge.loads > 1 ? 1 : 0));
      }
      branching[i] = number;
      if (m_schedule.plan(m_funcs[i]).isInline()) continue;
      for (const StageId stage : m_pipeline.stageIdsOf(m_funcs[i]))
        of(stage)[Branching] = number;
    }
  }

  static void addCaller(std::vector<Caller> &callers, const Caller &more) {
    const auto known = std::ranges::find(callers, more.stage, &Caller::stage);
    if (known == callers.end())
      callers.push_back(more);
    else
      known->calls += more.calls;
  }

  static void addCalls(ScheduleFeatures &f, const ScheduleFeatures &caller, double calls) {
    const double blocks = std::max(caller[InnerParallelism], caller[OuterParallelism]);
    f[InlinedCalls] += calls * caller[PointsPerProduction] * caller[Productions];
    f[Scalars] += calls * caller[Scalars];
    f[InnermostPureExtent] = f[InnermostPureExtent] > 0
                                 ? std::min(f[InnermostPureExtent], caller[InnermostPureExtent])
                                 : caller[InnermostPureExtent];
    f[InnerParallelism] = 1;
    f[OuterParallelism] = f[Blocks] = blocks;
    f[WarpsPerBlock] += calls * caller[PointsPerThread] * caller[WarpsPerBlock] * blocks;
    f[ThreadsPerBlock] += caller[ThreadsPerBlock];
    f[PointsPerThread] += calls * caller[PointsPerThread];
    f[WorkingSetAtRoot] = caller[WorkingSetAtRoot];
  }

  ScheduleFeaturizer &m_room;
  const schedule::Schedule &m_schedule;
  const pipeline::Pipeline &m_pipeline;
  const std::vector<FuncId> m_funcs;
  const schedule::Bounds &m_bounds;
  KernelRuns &m_runs;
  std::vector<ScheduleFeatures> &m_features;
  std::vector<double> m_realized; // how often a func is allocated, by func
  // Bytes of what is computed in the loops of a stage: all, and inside its threads.
  std::vector<double> m_nested, m_nestedInThread;
};

const std::vector<ScheduleFeatures> &ScheduleFeaturizer::of(const schedule::Schedule &schedule) {
  Builder(*this, schedule).build();
  return m_features;
}

std::vector<ScheduleFeatures> scheduleFeatures(const schedule::Schedule &schedule,
                                               const machine::Machine &machine) {
  return ScheduleFeaturizer(machine).of(schedule);
}

} // namespace tessera::learn
