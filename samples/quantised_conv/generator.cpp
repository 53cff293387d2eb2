// SPDX-License-Identifier: MIT
// A convolution of a quantised network, as the specification of TensorFlow Lite defines it for
// int8 (B. Jacob et al., "Quantization and Training of Neural Networks for Efficient
// Integer-Arithmetic-Only Inference", CVPR 2018). A code of 8 bits stands for a real number by a
// scale and a zero point. Weights have a scale for each channel of the output, and 0 is their zero
// point. Sums are of 32 bits. A product with a fraction of 2^31 and a shift bring them to the scale
// of the output. 3x3, 64 channels to 64, "same" padding, bias, and an activation that is a range.
#include <Halide.h>

#include <vector>

namespace {

using namespace Halide;

class QuantisedConv : public Generator<QuantisedConv> {
public:
  GeneratorParam<int> wide{"wide", 7};          // pixels of a thread, side by side
  GeneratorParam<int> threadsX{"threads_x", 4}; // of a block, beside those of the channels
  GeneratorParam<int> threadsY{"threads_y", 4};

  Input<Buffer<std::int8_t, 4>> input{"input"};   // channel, x, y, image
  Input<Buffer<std::int8_t, 4>> filter{"filter"}; // channel out, channel in, x, y
  Input<Buffer<std::int32_t, 1>> bias{"bias"};
  // The scales of input and weights over that of the output: multiplier * 2^shift / 2^31.
  Input<Buffer<std::int32_t, 1>> multiplier{"multiplier"};
  Input<Buffer<std::int8_t, 1>> shift{"shift"};
  Input<std::int8_t> inputZero{"input_zero"};
  Input<std::int8_t> outputZero{"output_zero"};
  Input<std::int8_t> least{"least"}; // the range of the activation
  Input<std::int8_t> most{"most"};
  Output<Buffer<std::int8_t, 4>> output{"output"};

  void generate() {
    // Around the picture lies the code of zero, which adds nothing to a sum.
    bounded = BoundaryConditions::constant_exterior(input, inputZero,
                                                    {{Expr(), Expr()},
                                                     {0, input.dim(1).extent()},
                                                     {0, input.dim(2).extent()},
                                                     {Expr(), Expr()}});
    r = RDom(0, kChannels, 0, 3, 0, 3, "r");
    const Expr value = cast<std::int32_t>(bounded(r.x, x + r.y - 1, y + r.z - 1, n)) - inputZero;
    sum(c, x, y, n) = bias(c);
    sum(c, x, y, n) += value * cast<std::int32_t>(filter(c, r.x, r.y, r.z));

    // The specification has no others. A shift by 32 or more has no defined result.
    const Expr exponent = clamp(cast<std::int32_t>(shift(c)), -31, 30);
    const Expr shifted = sum(c, x, y, n) << cast<std::uint32_t>(max(exponent, 0));
    scaled(c, x, y, n) = halvesAwayFromZero(
        // Rounds halves up and saturates: the doubled high half of a product of 64 bits.
        rounding_mul_shift_right(shifted, multiplier(c), 31), max(-exponent, 0));
    output(c, x, y, n) = cast<std::int8_t>(clamp(
        scaled(c, x, y, n) + outputZero, cast<std::int32_t>(least), cast<std::int32_t>(most)));
    promiseChannels();
    if (!using_autoscheduler() && get_target().has_gpu_feature()) scheduleForGpu();
  }

private:
  static constexpr int kChannels = 64, kSize = 56, kImages = 4, kLanes = 4;

  // value / 2^by. Adding half of the divisor first could overflow, so what the shift drops decides.
  static Expr halvesAwayFromZero(const Expr &value, const Expr &by) {
    const Expr mask = (Expr(1) << cast<std::uint32_t>(by)) - 1;
    const Expr upFrom = (mask >> 1) + select(value < 0, 1, 0);
    return (value >> cast<std::uint32_t>(by)) + select((value & mask) > upFrom, 1, 0);
  }

  // All channels are there and next to each other. How many pixels and images is free.
  void promiseChannels() {
    for (auto *channels : {&bias, &multiplier})
      channels->dim(0).set_bounds(0, kChannels);
    shift.dim(0).set_bounds(0, kChannels);
    input.dim(0).set_bounds(0, kChannels).set_stride(1);
    input.dim(1).set_stride(kChannels);
    output.dim(0).set_bounds(0, kChannels).set_stride(1);
    output.dim(1).set_stride(kChannels);
    filter.dim(0).set_bounds(0, kChannels);
    filter.dim(1).set_bounds(0, kChannels).set_stride(kChannels);
    filter.dim(2).set_bounds(0, 3).set_stride(kChannels * kChannels);
    filter.dim(3).set_bounds(0, 3).set_stride(3 * kChannels * kChannels);
    input.set_estimates({{0, kChannels}, {0, kSize}, {0, kSize}, {0, kImages}});
    filter.set_estimates({{0, kChannels}, {0, kChannels}, {0, 3}, {0, 3}});
    bias.set_estimates({{0, kChannels}});
    multiplier.set_estimates({{0, kChannels}});
    shift.set_estimates({{0, kChannels}});
    inputZero.set_estimate(-3);
    outputZero.set_estimate(-11);
    least.set_estimate(-11);
    most.set_estimate(127);
    output.set_estimates({{0, kChannels}, {0, kSize}, {0, kSize}, {0, kImages}});
  }

  // One kernel. A block makes all channels of a tile. It copies the pixels under the filter to
  // shared memory, where its threads read the same byte at once. A thread keeps the sums of four
  // channels of `wide` neighbours in registers, so that four bytes of weights serve all of them.
  void scheduleForGpu() {
    filter.set_host_alignment(kLanes);
    output.set_host_alignment(kLanes);

    Var xo("xo"), xt("xt"), xi("xi"), yo("yo"), yt("yt"), ct("ct"), ci("ci");
    Func(output)
        .split(x, xo, xi, wide * threadsX.value(), TailStrategy::GuardWithIf)
        .split(xi, xt, xi, wide)
        .split(y, yo, yt, threadsY, TailStrategy::GuardWithIf)
        .split(c, ct, ci, kLanes)
        .reorder(ci, xi, ct, xt, yt, xo, yo, n)
        .vectorize(ci)
        .unroll(xi)
        .gpu_threads(ct, xt, yt)
        .gpu_blocks(xo, yo, n);
    sum.compute_at(output, ct).store_in(MemoryType::Register).vectorize(c, kLanes).unroll(x);
    sum.update().reorder(c, x, r.x, r.y, r.z, y, n).vectorize(c, kLanes).unroll(x);

    const std::vector<Var> v = bounded.args();
    bounded.compute_at(output, xo)
        .split(v[0], ct, ci, kLanes)
        .split(v[1], xo, xt, threadsX)
        .split(v[2], yo, yt, threadsY)
        .reorder(ci, xo, yo, ct, xt, yt)
        .unroll(ci)
        .gpu_threads(ct, xt, yt);
  }

  Var c{"c"}, x{"x"}, y{"y"}, n{"n"};
  RDom r;
  Func bounded, sum{"sum"}, scaled{"scaled"};
};

} // namespace

HALIDE_REGISTER_GENERATOR(QuantisedConv, quantised_conv)
