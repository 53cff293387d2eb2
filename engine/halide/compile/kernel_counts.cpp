// SPDX-License-Identifier: MIT
#include "engine/halide/compile/kernel_counts.h"

#include "engine/halide/compile/lowered_lines.h"
#include "engine/halide/compile/sampled_walk.h"
#include "engine/halide/import/counted_nodes.h"
#include "engine/halide/import/operations.h"

#include <algorithm>
#include <optional>
#include <set>
#include <tuple>

namespace tessera::halide {

namespace {

using Halide::Expr;
using pipeline::OpKind;
using report::KernelReport;
using report::KernelStage;
using report::MemoryTraffic;
namespace ir = Halide::Internal;

bool isOnGpu(ir::ForType type) {
  return type == ir::ForType::GPUBlock || type == ir::ForType::GPUThread ||
         type == ir::ForType::GPULane;
}

class Counter : public SampledWalk {
public:
  explicit Counter(const LoweredContext &context)
      : SampledWalk(context.given), m_context(context) {}

  LoweredCounts counts;

private:
  using SampledWalk::visit;
  enum class Space { Global, Shared, Local };

  void enter(const ir::For *loop) override;
  void leave(const ir::For *loop) override;
  void visit(const ir::ProducerConsumer *op) override;
  void visit(const ir::Allocate *op) override;
  void visit(const ir::Atomic *op) override;
  void visit(const ir::Load *op) override;
  void visit(const ir::Store *op) override;
  void visit(const ir::Call *op) override;

  void addStage(const KernelStage &stage);
  void addStagesOf(const std::string &func);
  MemoryTraffic &trafficOf(const std::string &buffer);
  // How many instructions a vector access takes.
  static double accesses(const Expr &index);

  void count(OpKind kind, const Halide::Type &type) {
    if (!m_kernel) return;
    const pipeline::ScalarType scalar = toScalarType(type);
    m_operations[{kind, static_cast<int>(scalar.kind), scalar.bits}] +=
        timesReached() * type.lanes();
  }

#define TESSERA_COUNT(Node, Kind, Type)                                                            \
  void visit(const ir::Node *op) override {                                                        \
    count(OpKind::Kind, Type);                                                                     \
    SampledWalk::visit(op);                                                                        \
  }
  TESSERA_COUNTED_NODES(TESSERA_COUNT)
  TESSERA_COUNT(Div, Divide, op->type)
  TESSERA_COUNT(Mod, Modulo, op->type)
#undef TESSERA_COUNT

  using Operation = std::tuple<OpKind, int, int>; // operation, type kind, type bits
  const LoweredContext &m_context;
  const ir::For *m_kernel = nullptr;
  KernelReport m_report;
  std::map<Operation, double> m_operations;
  std::map<std::string, Space> m_spaces; // memory spaces of buffers allocated inside the kernel
  std::map<std::string, std::int64_t> m_bytes; // sizes of buffers allocated on the host
  bool m_inAtomic = false;
};

void Counter::enter(const ir::For *loop) {
  const auto stage = stageOfLoop(loop->name);
  if (m_kernel) {
    if (stage) addStage(*stage);
    return;
  }
  if (!isOnGpu(loop->for_type)) return;
  m_kernel = loop;
  m_report = {};
  m_operations.clear();
  m_spaces.clear();
  const Sampled extent = evaluate(loop->extent);
  const double blocks =
      extent.known ? static_cast<double>(std::max<std::int64_t>(extent.at[0], 1)) : 1;
  m_report.launches = timesReached() / blocks;
  if (stage) addStage(*stage);
}

void Counter::leave(const ir::For *loop) {
  if (loop != m_kernel) return;
  m_kernel = nullptr;
  for (const auto &[operation, total] : m_operations)
    m_report.operations.push_back({std::get<0>(operation),
                                   {static_cast<pipeline::TypeKind>(std::get<1>(operation)),
                                    static_cast<std::uint8_t>(std::get<2>(operation))},
                                   total});
  for (KernelStage &stage : m_report.stages)
    stage.func = m_context.nameOf(stage.func);
  counts.kernels.push_back(std::move(m_report));
}

void Counter::addStage(const KernelStage &stage) {
  // The names of fused loops and of loops over threads contain no known func.
  if (!m_context.stages.count(stage.func)) return;
  auto &stages = m_report.stages;
  if (std::find(stages.begin(), stages.end(), stage) == stages.end()) stages.push_back(stage);
}

void Counter::addStagesOf(const std::string &func) {
  const auto known = m_context.stages.find(func);
  if (known == m_context.stages.end()) return;
  for (std::uint32_t stage = 0; stage < known->second; ++stage)
    addStage({func, stage});
}

void Counter::visit(const ir::ProducerConsumer *op) {
  if (m_kernel && op->is_producer) addStagesOf(op->name);
  SampledWalk::visit(op);
}

void Counter::visit(const ir::Allocate *op) {
  std::int64_t bytes = op->type.bytes();
  for (const Expr &extent : op->extents) {
    const Sampled value = evaluate(extent);
    const std::int64_t elements = value.known ? std::max<std::int64_t>(value.at[0], 0) : 1;
    constexpr std::int64_t kMost = report::DeviceAllocation::kMost;
    bytes = elements > 0 && bytes > kMost / elements ? kMost : bytes * elements;
  }
  if (m_kernel)
    m_spaces[op->name] =
        op->memory_type == Halide::MemoryType::GPUShared ? Space::Shared : Space::Local;
  else
    m_bytes[op->name] = bytes;
  SampledWalk::visit(op);
}

void Counter::visit(const ir::Atomic *op) {
  const bool before = m_inAtomic;
  m_inAtomic = true;
  SampledWalk::visit(op);
  m_inAtomic = before;
}

MemoryTraffic &Counter::trafficOf(const std::string &buffer) {
  const auto at = m_spaces.find(buffer);
  if (at == m_spaces.end()) return m_report.global;
  return at->second == Space::Shared ? m_report.shared : m_report.local;
}

double Counter::accesses(const Expr &index) {
  const auto *ramp = index.as<ir::Ramp>();
  if (index.type().is_scalar() || index.as<ir::Broadcast>()) return 1;
  return ramp && ir::is_const_one(ramp->stride) ? 1 : index.type().lanes();
}

void Counter::visit(const ir::Load *op) {
  if (m_kernel) {
    MemoryTraffic &traffic = trafficOf(op->name);
    const double times = timesReached();
    traffic.loads += times * accesses(op->index);
    traffic.loadBytes += times * op->type.bytes() * op->type.lanes();
  }
  SampledWalk::visit(op);
}

void Counter::visit(const ir::Store *op) {
  if (m_kernel) {
    MemoryTraffic &traffic = trafficOf(op->name);
    const double times = timesReached(), each = accesses(op->index);
    traffic.stores += times * each;
    traffic.storeBytes += times * op->value.type().bytes() * op->value.type().lanes();
    if (m_inAtomic) traffic.atomics += times * each;
  }
  SampledWalk::visit(op);
}

void Counter::visit(const ir::Call *op) {
  if (m_kernel) {
    const auto kind = kindOfCall(*op);
    const bool barrier = op->is_intrinsic(ir::Call::gpu_thread_barrier);
    if (kind && !barrier) count(*kind, op->type);
  } else if (op->name == "halide_device_malloc") {
    const auto *buffer = op->args[0].as<ir::Variable>();
    const std::string name = buffer && buffer->name.ends_with(".buffer")
                                 ? buffer->name.substr(0, buffer->name.size() - 7)
                                 : "";
    const auto bytes = m_bytes.find(name);
    const bool again = std::any_of(counts.allocations.begin(), counts.allocations.end(),
                                   [&](const report::DeviceAllocation &other) {
                                     return other.func == m_context.nameOf(name);
                                   });
    // Halide calls halide_device_malloc again before each use; only the first call allocates.
    if (bytes != m_bytes.end() && !again)
      counts.allocations.push_back({m_context.nameOf(name), bytes->second, timesReached()});
  }
  SampledWalk::visit(op);
}

class LaunchReader : public SampledWalk {
public:
  using SampledWalk::SampledWalk;
  std::vector<Launch> launches;

private:
  using SampledWalk::visit;
  // Arguments: halide_X_run(state, kernel, blocks x, y, z, threads x, y, z, shared bytes, …).
  void visit(const ir::Call *op) override {
    const bool run = op->name.starts_with("halide_") && op->name.ends_with("_run");
    const auto *name = run && op->args.size() > 8 ? op->args[1].as<ir::StringImm>() : nullptr;
    if (name) {
      Launch launch;
      launch.kernel = name->value;
      const auto number = [&](std::size_t i) {
        const Sampled value = evaluate(op->args[i]);
        launch.known = launch.known && value.known;
        return value.known ? *std::max_element(value.at.begin(), value.at.end()) : 0;
      };
      launch.blocks = {number(2), number(3), number(4)};
      launch.threads = {number(5), number(6), number(7)};
      launch.sharedBytes = number(8);
      launches.push_back(std::move(launch));
    }
    SampledWalk::visit(op);
  }
};

} // namespace

const std::string &LoweredContext::nameOf(const std::string &func) const {
  const auto at = made.find(func);
  return at == made.end() ? func : at->second;
}

LoweredCounts countKernels(const ir::Stmt &lowered, const LoweredContext &context) {
  Counter counter(context);
  lowered.accept(&counter);
  return std::move(counter.counts);
}

std::vector<Launch> launchesOf(const ir::Stmt &host, const LoweredContext &context) {
  LaunchReader reader(context.given);
  host.accept(&reader);
  return std::move(reader.launches);
}

} // namespace tessera::halide
