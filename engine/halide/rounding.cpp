// SPDX-License-Identifier: MIT
#include "engine/halide/rounding.h"

#include "engine/base/rounding_mode.h"
#include "engine/halide/reference.h"

#include <array>
#include <cfenv>

namespace tessera::halide {

Result<std::vector<schedule::RoundedElements>>
roundedElements(Halide::Pipeline &pipeline, const PreparedPipeline &prepared,
                const RunInputs &inputs, const RunOutputs &outputs,
                const std::vector<schedule::ElementRule> &rules) {
  struct Way {
    int mode;
    bool fused;
  };
  // One kind of code after the other, so that each is compiled once.
  constexpr std::array<Way, 4> kWays{
      {{FE_UPWARD, false}, {FE_DOWNWARD, false}, {FE_TOWARDZERO, false}, {FE_TONEAREST, true}}};
  std::vector<schedule::RoundedElements> rounded(outputs.buffers.size());
  for (const Way way : kWays) {
    const Halide::Target target = referenceTarget(way.fused);
    pipeline.compile_jit(target); // not in that mode: what the compiler folds is folded as ever
    const auto other = [&] {
      const RoundingMode mode(way.mode); // of the thread that runs it: it has no parallel loops
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
