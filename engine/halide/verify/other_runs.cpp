// SPDX-License-Identifier: MIT
#include "engine/halide/verify/other_runs.h"

#include "engine/base/rounding_mode.h"

#include <array>
#include <atomic>
#include <cfenv>
#include <cstring>

namespace tessera::halide {

namespace {

constexpr std::uint64_t kMovedSeed = 1; // decides which inputs are moved by their last bit

// Sets the rounding mode of every thread that runs a task of a pipeline. Only one pipeline may run
// at a time.
class RoundedTasks {
public:
  RoundedTasks(Halide::Pipeline &pipeline, int mode)
      : m_handlers(pipeline.jit_handlers()), m_before(m_handlers) {
    s_mode = mode;
    m_handlers.custom_do_task = [](Halide::JITUserContext *context, Task *task, int index,
                                   std::uint8_t *closure) {
      const RoundingMode rounding(s_mode);
      return task(context, index, closure);
    };
  }
  ~RoundedTasks() { m_handlers = m_before; }
  RoundedTasks(const RoundedTasks &) = delete;
  RoundedTasks &operator=(const RoundedTasks &) = delete;

private:
  using Task = int(Halide::JITUserContext *, int, std::uint8_t *);
  static inline std::atomic<int> s_mode{FE_TONEAREST};

  Halide::JITHandlers &m_handlers;
  const Halide::JITHandlers m_before;
};

// Moves the floats of all inputs by their last bit, until the object is destroyed.
class MovedInputs {
public:
  explicit MovedInputs(const RunInputs &inputs) : m_inputs(inputs) {
    for (const auto &[name, input] : inputs.buffers)
      if (input.buffer.type().is_float()) {
        const std::uint8_t *first = input.memory.get();
        m_before.emplace(name, std::vector<std::uint8_t>(first, first + input.bytes));
        moveLastBits(input.buffer, name, kMovedSeed);
      }
  }
  ~MovedInputs() {
    for (const auto &[name, bytes] : m_before)
      std::memcpy(m_inputs.buffers.at(name).memory.get(), bytes.data(), bytes.size());
  }
  MovedInputs(const MovedInputs &) = delete;
  MovedInputs &operator=(const MovedInputs &) = delete;

  bool areMoved() const { return !m_before.empty(); }

private:
  const RunInputs &m_inputs;
  std::map<std::string, std::vector<std::uint8_t>> m_before;
};

// What every run is compared with, and what it is run with.
struct Comparand {
  const PreparedPipeline &prepared;
  const RunInputs &inputs;
  const RunOutputs &outputs;
  const std::vector<report::ElementRule> &rules;
};

Status addRun(RunnableReference &reference, int mode, const Comparand &with,
              std::vector<report::Uncertainty> &uncertainties) {
  const Halide::Target target = referenceTarget(Halide::get_host_target(), reference.form);
  reference.pipeline.compile_jit(target); // in the default mode: compiling folds constants
  const auto other = [&] {
    const RoundingMode here(mode); // for code outside parallel loops
    const RoundedTasks tasks(reference.pipeline, mode);
    return runPipeline(reference.pipeline, with.prepared, with.inputs, target);
  }();
  if (!other) return other.error();
  for (std::size_t i = 0; i < uncertainties.size(); ++i) {
    const Halide::Buffer<> &expected = with.outputs.buffers[i].buffer;
    uncertainties[i].add(firstElement(expected), firstElement(other->buffers[i].buffer),
                         layoutOf(expected), with.rules[i]);
  }
  return Done{};
}

} // namespace

Result<std::vector<report::Uncertainty>>
uncertaintyOf(RunnableReference &strict, RunnableReference &loose, const PreparedPipeline &prepared,
              const RunInputs &inputs, const RunOutputs &outputs,
              const std::vector<report::ElementRule> &rules) {
  const Comparand with{prepared, inputs, outputs, rules};
  std::vector<report::Uncertainty> uncertainties(outputs.buffers.size());
  for (const int mode : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO})
    if (Status run = addRun(strict, mode, with, uncertainties); !run) return run.error();
  if (const MovedInputs moved(inputs); moved.areMoved())
    if (Status run = addRun(strict, FE_TONEAREST, with, uncertainties); !run) return run.error();
  if (Status run = addRun(loose, FE_TONEAREST, with, uncertainties); !run) return run.error();
  return uncertainties;
}

} // namespace tessera::halide
