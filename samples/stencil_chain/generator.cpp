// SPDX-License-Identifier: MIT
// A chain of 5x5 stencils of 16-bit numbers [Anderson et al. 2021, section 8]. Each stage is the
// rounded binomial blur of the previous one, written with all of its 25 taps.
#include <Halide.h>

#include <string>
#include <vector>

namespace {

using namespace Halide;

class StencilChain : public Generator<StencilChain> {
public:
  GeneratorParam<int> stencils{"stencils", 32, 1, 64};
  GeneratorParam<int> threadsX{"threads_x", 32};
  GeneratorParam<int> threadsY{"threads_y", 4};
  GeneratorParam<int> wide{"wide", 2};
  GeneratorParam<int> tall{"tall", 8};
  // The number of stencils in a kernel. All but the last of them go through shared memory.
  GeneratorParam<int> fused{"fused", 1, 1, 8};

  Input<Buffer<uint16_t, 2>> input{"input"};
  Output<Buffer<uint16_t, 2>> output{"output"};

  void generate() {
    const int count = stencils;
    const int weights[] = {1, 4, 6, 4, 1};
    chain.push_back(BoundaryConditions::repeat_edge(input));
    for (int i = 0; i < count; ++i) {
      Expr sum = cast<uint32_t>(128);
      for (int v = 0; v < 5; ++v)
        for (int u = 0; u < 5; ++u)
          sum += cast<uint32_t>(weights[u] * weights[v]) *
                 cast<uint32_t>(chain.back()(x + u - 2, y + v - 2));
      Func stage("stencil_" + std::to_string(i));
      stage(x, y) = cast<uint16_t>(sum / 256);
      chain.push_back(stage);
    }
    output(x, y) = chain.back()(x, y);

    input.set_estimates({{0, kWidth}, {0, kHeight}});
    output.set_estimates({{0, kWidth}, {0, kHeight}});

    if (!using_autoscheduler() && get_target().has_gpu_feature()) scheduleForGpu();
  }

private:
  static constexpr int kWidth = 1536;
  static constexpr int kHeight = 2560;

  // A thread makes `wide` by `tall` pixels and first copies what they need into registers: at 2x8
  // that is 72 loads for 400 products. The last stencil is inlined into the output.
  void scheduleForGpu() {
    const int count = stencils;
    Func kernel = output;
    scheduleTile(kernel, chain[count - 1]);
    for (int i = count - 1, inKernel = 1; i >= 1; --i, ++inKernel) {
      Func stage = chain[i];
      if (inKernel % fused == 0) {
        stage.compute_root();
        scheduleTile(stage, chain[i - 1]);
        kernel = stage;
      } else {
        Var xt("xt"), yt("yt"), xi("xi"), yi("yi");
        stage.compute_at(kernel, xo)
            .tile(x, y, xt, yt, xi, yi, wide, tall)
            .unroll(xi)
            .unroll(yi)
            .gpu_threads(xt, yt);
        copyToRegisters(chain[i - 1], stage, xt);
      }
    }
  }

  void scheduleTile(Func stage, Func producer) {
    Var xt("xt"), yt("yt"), xi("xi"), yi("yi");
    stage.tile(x, y, xo, yo, xt, yt, threadsX * wide.value(), threadsY * tall.value())
        .tile(xt, yt, xt, yt, xi, yi, wide, tall)
        .unroll(xi)
        .unroll(yi)
        .gpu_threads(xt, yt)
        .gpu_blocks(xo, yo);
    copyToRegisters(producer, stage, xt);
  }

  // The output inlines the last stencil. If `stage` is the output, the func that reads `producer`
  // is therefore the last stencil.
  void copyToRegisters(Func producer, Func stage, Var at) {
    Func reader = stage.name() == Func(output).name() ? chain.back() : stage;
    Func copy = producer.in(reader);
    copy.compute_at(stage, at).store_in(MemoryType::Register);
    copy.unroll(copy.args()[0]).unroll(copy.args()[1]);
  }

  Var x{"x"}, y{"y"}, xo{"xo"}, yo{"yo"};
  std::vector<Func> chain;
};

} // namespace

HALIDE_REGISTER_GENERATOR(StencilChain, stencil_chain)
