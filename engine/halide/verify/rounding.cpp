// SPDX-License-Identifier: MIT
#include "engine/halide/verify/rounding.h"

#include "engine/halide/verify/reference.h"
#include "engine/base/rounding_mode.h"

#include <array>
#include <atomic>
#include <cfenv>

namespace tessera::halide {

namespace {

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

} // namespace

Result<std::vector<report::RoundedElements>>
roundedElements(Halide::Pipeline &pipeline, const PreparedPipeline &prepared,
                const RunInputs &inputs, const RunOutputs &outputs,
                const std::vector<report::ElementRule> &rules) {
  struct Way {
    int mode;
    bool fused;
  };
  // Ways with the same generated code are adjacent, so that each code is compiled once.
  constexpr std::array<Way, 4> kWays{
      {{FE_UPWARD, false}, {FE_DOWNWARD, false}, {FE_TOWARDZERO, false}, {FE_TONEAREST, true}}};
  std::vector<report::RoundedElements> rounded(outputs.buffers.size());
  for (const Way way : kWays) {
    const Halide::Target target = referenceTarget(way.fused);
    pipeline.compile_jit(target); // in the default mode: compiling folds constants
    const auto other = [&] {
      const RoundingMode here(way.mode); // for code outside parallel loops
      const RoundedTasks tasks(pipeline, way.mode);
      return runPipeline(pipeline, prepared, inputs, target);
    }();
    if (!other) return other.error();
    for (std::size_t i = 0; i < rounded.size(); ++i)
      rounded[i].add(firstElement(outputs.buffers[i].buffer),
                     firstElement(other->buffers[i].buffer), layoutOf(outputs.buffers[i].buffer),
                     rules[i]);
  }
  return rounded;
}

} // namespace tessera::halide
