// SPDX-License-Identifier: MIT
#include "engine/halide/lowered/interpreter.h"

#include "engine/halide/lowered/access.h"
#include "engine/halide/lowered/arithmetic.h"
#include "engine/halide/lowered/host_calls.h"
#include "engine/halide/lowered/kernel_scan.h"

#include <algorithm>
#include <set>
#include <string_view>

namespace tessera::halide::lowered {

namespace {

namespace ir = Halide::Internal;
using Halide::Expr;

// Blocks run together as long as there are no more threads than this: their values then stay in
// the processor's cache, and an operation still costs little beside its numbers.
constexpr std::uint32_t kThreadsTogether = 2048;
constexpr std::uint32_t kWarpThreads = 32;
constexpr std::int64_t kMostBytes = std::int64_t{1} << 31;

std::int64_t largest(const Value &value, const Grid &grid) {
  std::int64_t most = 0;
  const std::size_t per = grid.threads / value.threads;
  for (std::size_t thread = 0; thread < grid.threads; ++thread)
    if (grid.isActive(thread)) most = std::max(most, value.words[thread / per].i);
  return most;
}

bool isUniform(const Value &value) { return value.threads == 1; }

// The minimum, extent, stride and flags of each dimension of the buffer that an allocation takes
// its memory from; an undefined expression: it makes none.
Expr shapeIn(const Expr &e) {
  if (const auto *let = e.as<ir::Let>())
    return shapeIn(ir::substitute(let->name, let->value, let->body));
  constexpr std::size_t kShape = 8; // the argument's place
  const auto *init = e.as<ir::Call>();
  return init && init->name == ir::Call::buffer_init ? init->args.at(kShape) : Expr();
}

} // namespace

void Interpreter::run(const ir::Stmt &s) {
  if (!s.defined()) return;
  m_state.spend(1);
  switch (s.get()->node_type) {
  case ir::IRNodeType::LetStmt:
    return runLet(*s.as<ir::LetStmt>());
  case ir::IRNodeType::AssertStmt:
    return runAssert(*s.as<ir::AssertStmt>());
  case ir::IRNodeType::ProducerConsumer:
    return run(s.as<ir::ProducerConsumer>()->body);
  case ir::IRNodeType::For:
    return runFor(*s.as<ir::For>());
  case ir::IRNodeType::Store:
    return runStore(*s.as<ir::Store>());
  case ir::IRNodeType::Allocate:
    return runAllocate(*s.as<ir::Allocate>());
  case ir::IRNodeType::IfThenElse:
    return runIf(*s.as<ir::IfThenElse>());
  case ir::IRNodeType::Free:
  case ir::IRNodeType::Prefetch:
    return;
  case ir::IRNodeType::Block:
    run(s.as<ir::Block>()->first);
    return run(s.as<ir::Block>()->rest);
  case ir::IRNodeType::Atomic: {
    const bool before = m_state.isAtomic;
    m_state.isAtomic = true;
    run(s.as<ir::Atomic>()->body);
    m_state.isAtomic = before;
    return;
  }
  case ir::IRNodeType::Evaluate: {
    const Expr &value = s.as<ir::Evaluate>()->value;
    const auto *call = value.as<ir::Call>();
    if (call && call->is_intrinsic(ir::Call::gpu_thread_barrier)) return runBarrier();
    m_evaluator.evaluate(value);
    return;
  }
  default:
    throw Stopped{Stopped::Why::NotUnderstood, "it does not know one of the statements"};
  }
}

ValuePtr Interpreter::valueOf(const ir::LetStmt &let) {
  if (!m_state.kernel) return m_evaluator.evaluate(let.value);
  const Expr &users = m_usedWhere.of(let, m_state.kernel->granules);
  if (!users.defined()) return m_evaluator.evaluate(let.value);
  const Grid before = m_state.grid;
  m_state.grid = before.where(*m_evaluator.evaluate(users), true);
  ValuePtr value = m_evaluator.evaluate(let.value);
  m_state.grid = before;
  return value;
}

// A let of a long list of lets would otherwise take a frame each.
void Interpreter::runLet(const ir::LetStmt &first) {
  std::vector<const ir::LetStmt *> lets;
  ir::Stmt body;
  for (const ir::LetStmt *let = &first; let; let = body.as<ir::LetStmt>()) {
    m_state.variables.push(let->name, valueOf(*let));
    lets.push_back(let);
    body = let->body;
  }
  run(body);
  for (const ir::LetStmt *let : lets)
    m_state.variables.pop(let->name);
}

void Interpreter::allocate(const std::string &name, std::int64_t bytes, const ir::Stmt &body) {
  const std::int64_t all = bytes * m_state.grid.threads;
  if (bytes < 0 || bytes > kMostBytes || all > kMostBytes)
    throw Stopped{Stopped::Why::TooLong, "the memory of " + name + " is too large"};
  m_state.spend(static_cast<std::uint64_t>(all) / 64);
  m_state.memories.push(
      name, std::make_shared<Memory>(static_cast<std::size_t>(bytes), m_state.grid.threads));
  run(body);
  m_state.memories.pop(name);
}

void Interpreter::runAllocate(const ir::Allocate &op) {
  if (op.name.ends_with(".buffer") && op.new_expr.defined()) return runDeviceBuffer(op);
  std::int64_t bytes = op.type.bytes();
  for (const Expr &extent : op.extents)
    if (__builtin_mul_overflow(bytes, largest(*m_evaluator.evaluate(extent), m_state.grid), &bytes))
      bytes = -1;
  // A constant condition that never holds says that the host needs none of it: a GPU has it alone.
  const bool isOnDevice = ir::is_const_zero(op.condition);
  if (!isOnDevice && largest(*m_evaluator.evaluate(op.condition), m_state.grid) == 0) bytes = 0;
  allocate(op.name, bytes + std::int64_t{op.padding} * op.type.bytes(), op.body);
}

// Memory on the GPU that a kernel's blocks or threads have parts of: the host makes a buffer, and
// the code uses the buffer's name without ".buffer". Other buffers belong to an allocation.
void Interpreter::runDeviceBuffer(const ir::Allocate &op) {
  const std::string name = op.name.substr(0, op.name.size() - std::string_view(".buffer").size());
  const Expr made = shapeIn(op.new_expr);
  const auto *shape = made.defined() ? made.as<ir::Call>() : nullptr;
  if (!shape || m_state.memories.find(name) ||
      shape->name != ir::Call::get_intrinsic_name(ir::Call::make_struct))
    return run(op.body);
  std::int64_t bytes = op.type.bytes();
  constexpr std::size_t kFields = 4; // of a dimension: minimum, extent, stride, flags
  for (std::size_t d = 0; d + kFields <= shape->args.size(); d += kFields)
    if (__builtin_mul_overflow(bytes, m_evaluator.number(shape->args[d + 1]), &bytes)) bytes = -1;
  allocate(name, bytes, op.body);
}

void Interpreter::runAssert(const ir::AssertStmt &op) {
  const ValuePtr condition = m_evaluator.evaluate(op.condition);
  for (std::size_t thread = 0; thread < condition->threads; ++thread) {
    const std::size_t first = thread * (m_state.grid.threads / condition->threads);
    if (condition->words[thread].i != 0 || !m_state.grid.isActive(first)) continue;
    const std::string complaint = complaintOf(op.message, m_evaluator);
    if (!m_state.kernel) throw Stopped{Stopped::Why::CheckFailed, complaint};
    m_state.findings.add(FindingKind::FailedCheck, m_state.kernelName(), "",
                         [&] { return m_state.grid.nameOf(first) + ": " + complaint; });
  }
}

void Interpreter::runWithin(const Grid &grid, const ir::Stmt &body) {
  if (!grid.anyActive()) return;
  const Grid before = m_state.grid;
  m_state.grid = grid;
  run(body);
  m_state.grid = before;
}

void Interpreter::runIf(const ir::IfThenElse &op) {
  const ValuePtr condition = m_evaluator.evaluate(op.condition);
  if (isUniform(*condition) && condition->unknown.empty())
    return run(condition->words[0].i != 0 ? op.then_case : op.else_case);
  const Grid before = m_state.grid;
  runWithin(before.where(*condition, true), op.then_case);
  if (op.else_case.defined()) runWithin(before.where(*condition, false), op.else_case);
}

void Interpreter::runFor(const ir::For &op) {
  if (!isOfGrid(op.for_type)) return runSerial(op);
  if (!m_state.kernel) return runKernel(op);
  runParallel(op);
}

void Interpreter::runSerial(const ir::For &op) {
  const ValuePtr min = m_evaluator.evaluate(op.min), extent = m_evaluator.evaluate(op.extent);
  const std::int64_t most = largest(*extent, m_state.grid);
  for (std::int64_t i = 0; i < most; ++i) {
    const Value step = Value::ofInteger(op.min.type(), i);
    m_state.variables.push(op.name, std::make_shared<const Value>(binary(Binary::Add, *min, step)));
    if (isUniform(*extent) && extent->unknown.empty())
      run(op.body);
    else
      runWithin(m_state.grid.where(binary(Binary::LT, step, *extent), true), op.body);
    m_state.variables.pop(op.name);
  }
}

void Interpreter::runKernel(const ir::For &op) {
  Kernel kernel;
  kernel.name = op.name;
  kernel.number = ++m_kernels;
  kernel.granules = storedGranules(op.body);
  m_state.kernel = &kernel;
  runParallel(op);
  m_state.kernel = nullptr;
}

// A loop over blocks is taken in slices, so that not too many threads run together.
void Interpreter::runParallel(const ir::For &op) {
  const ValuePtr min = m_evaluator.evaluate(op.min), extent = m_evaluator.evaluate(op.extent);
  const std::int64_t most = largest(*extent, m_state.grid);
  std::int64_t slice = most;
  if (op.for_type == ir::ForType::GPUBlock) {
    const std::uint64_t each = std::uint64_t{m_state.grid.threads} * threadsWithin(op.body);
    slice = std::clamp<std::int64_t>(kThreadsTogether / static_cast<std::int64_t>(each), 1,
                                     std::max<std::int64_t>(most, 1));
  }
  for (std::int64_t from = 0; from < most; from += slice)
    runSlice(op, min, extent, from, static_cast<std::uint32_t>(std::min(slice, most - from)));
}

void Interpreter::runSlice(const ir::For &op, const ValuePtr &min, const ValuePtr &extent,
                           std::int64_t from, std::uint32_t count) {
  const Value start = Value::ofInteger(op.min.type(), from);
  Value left = binary(Binary::Sub, *extent, start);
  for (Word &word : left.words)
    word.i = std::min<std::int64_t>(word.i, count);
  Grid inner = m_state.grid.within(left, count);
  const bool isBlock = op.for_type == ir::ForType::GPUBlock;
  if (isBlock) {
    inner.blocks = inner.threads;
    inner.firstBlock = m_state.kernel->blocks;
    m_state.kernel->eras.assign(inner.blocks, 0);
  }
  auto index = std::make_shared<Value>(op.min.type(), inner.threads);
  const std::size_t perMin = inner.threads / min->threads;
  for (std::size_t thread = 0; thread < inner.threads; ++thread)
    index->words[thread].i =
        min->words[thread / perMin].i + from + static_cast<std::int64_t>(thread % count);
  m_state.variables.push(op.name, std::move(index));
  const bool isWarp =
      op.for_type == ir::ForType::GPULane && inner.perBlock() == count && count <= kWarpThreads;
  if (isWarp) m_state.kernel->isInStep = true;
  runWithin(inner, op.body);
  if (isWarp) m_state.kernel->isInStep = false;
  m_state.variables.pop(op.name);
  // Only the innermost loop over blocks has nobody inside of it who counts them.
  if (isBlock && m_state.kernel->blocks == inner.firstBlock) m_state.kernel->blocks += inner.blocks;
}

void Interpreter::storeAt(const ir::Store &op, const ValuePtr &index) {
  const ValuePtr value = m_evaluator.evaluate(op.value);
  const bool isWhole = ir::is_const_one(op.predicate);
  const ValuePtr predicate = isWhole ? nullptr : m_evaluator.evaluate(op.predicate);
  passStep();
  store(m_state, op, index, value, predicate);
  passStep();
}

// Halide promises that the lanes of a warp run in lockstep, and leaves no barrier between them. So
// what they load comes before what they store then, and both before the next statement.
void Interpreter::passStep() {
  if (!m_state.kernel || !m_state.kernel->isInStep) return;
  for (std::uint32_t &era : m_state.kernel->eras)
    ++era;
}

void Interpreter::runStore(const ir::Store &op) {
  const ValuePtr index = m_evaluator.evaluate(op.index);
  if (!m_state.isAtomic) return storeAt(op, index);
  m_state.updated = &op.name;
  runAtomicStore(op, index);
  m_state.updated = nullptr;
}

// Threads that update the same element do so one after the other: in each round, one thread an
// element.
void Interpreter::runAtomicStore(const ir::Store &op, const ValuePtr &index) {
  const Grid before = m_state.grid;
  const ValuePtr at = spread(index, before.threads);
  const std::uint32_t perCopy = before.threads / m_state.memory(op.name).copies();
  std::vector<std::size_t> left;
  for (std::size_t thread = 0; thread < before.threads; ++thread)
    if (before.isActive(thread)) left.push_back(thread);
  while (!left.empty()) {
    Grid round = before;
    round.active.assign(before.threads, 0);
    std::set<std::pair<std::size_t, std::int64_t>> taken;
    std::vector<std::size_t> later;
    for (const std::size_t thread : left) {
      const std::size_t copy = thread / perCopy, lanes = at->lanes();
      const auto element = [&](std::size_t lane) {
        return std::pair(copy, at->words[thread * lanes + lane].i);
      };
      bool isFree = true;
      for (std::size_t lane = 0; lane < lanes; ++lane)
        isFree = isFree && !taken.contains(element(lane));
      if (!isFree) {
        later.push_back(thread);
        continue;
      }
      for (std::size_t lane = 0; lane < lanes; ++lane)
        taken.insert(element(lane));
      round.active[thread] = 1;
    }
    m_state.grid = round;
    storeAt(op, at);
    left = std::move(later);
  }
  m_state.grid = before;
}

void Interpreter::runBarrier() {
  const Grid &grid = m_state.grid;
  if (!m_state.kernel) return;
  for (std::uint32_t block = 0; block < grid.blocks; ++block) {
    std::uint32_t arrived = 0;
    for (std::uint32_t thread = 0; thread < grid.perBlock(); ++thread)
      arrived += grid.isActive(std::size_t{block} * grid.perBlock() + thread);
    if (arrived == 0) continue;
    ++m_state.kernel->eras[block];
    if (arrived == grid.perBlock()) continue;
    m_state.findings.add(FindingKind::DivergentBarrier, m_state.kernelName(), "", [&] {
      return std::to_string(arrived) + " of " + std::to_string(grid.perBlock()) +
             " threads of block " + std::to_string(grid.firstBlock + block) + " reach one";
    });
  }
}

} // namespace tessera::halide::lowered
