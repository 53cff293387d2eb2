// SPDX-License-Identifier: MIT
// Local Laplacian filter [Paris et al. 2011], sampled at a few intensities [Aubry et al. 2014]: the
// luminance is remapped around each intensity, every remapped image gets a Laplacian pyramid, and
// the output's pyramid interpolates between them by the input's own Gaussian pyramid.
#include <Halide.h>

#include <string>
#include <utility>
#include <vector>

namespace {

using namespace Halide;

class LocalLaplacian : public Generator<LocalLaplacian> {
public:
  GeneratorParam<int> pyramidLevels{"pyramid_levels", 8, 2, 12};
  GeneratorParam<int> threadsX{"threads_x", 32};
  GeneratorParam<int> threadsY{"threads_y", 8};
  GeneratorParam<int> tall{"tall", 4};
  // The number of coarse levels of the output's pyramid that have no kernel. Each tile of the next
  // finer level recomputes them.
  GeneratorParam<int> fusedLevels{"fused_levels", 3};
  GeneratorParam<bool> table{"table", true};

  Input<Buffer<uint16_t, 3>> input{"input"};
  Input<int> levels{"levels"};
  Input<float> alpha{"alpha"};
  Input<float> beta{"beta"};
  Output<Buffer<uint16_t, 3>> output{"output"};

  void generate() {
    const int count = pyramidLevels;
    Expr fx = cast<float>(i) / 256.0f;
    remap(i) = alpha * fx * exp(-fx * fx / 2.0f);

    bounded = BoundaryConditions::repeat_edge(input);
    floating(x, y, c) = bounded(x, y, c) / 65535.0f;
    gray(x, y) =
        0.299f * floating(x, y, 0) + 0.587f * floating(x, y, 1) + 0.114f * floating(x, y, 2);

    remapped = pyramid("remapped", count);
    Expr level = k * (1.0f / (levels - 1));
    Expr index =
        clamp(cast<int>(gray(x, y) * cast<float>(levels - 1) * 256.0f), 0, (levels - 1) * 256);
    remapped[0](x, y, k) = beta * (gray(x, y) - level) + level + remap(index - 256 * k);
    for (int j = 1; j < count; ++j)
      remapped[j](x, y, k) = downsampled(remapped[j - 1], remappedRows)(x, y, k);

    std::vector<Func> laplacian = pyramid("laplacian", count);
    laplacian[count - 1](x, y, k) = remapped[count - 1](x, y, k);
    for (int j = count - 2; j >= 0; --j)
      laplacian[j](x, y, k) = remapped[j](x, y, k) - upsampled(remapped[j + 1])(x, y, k);

    gaussian = pyramid("gaussian", count);
    gaussian[0](x, y) = gray(x, y);
    for (int j = 1; j < count; ++j)
      gaussian[j](x, y) = downsampled(gaussian[j - 1], gaussianRows)(x, y);

    std::vector<Func> outLaplacian = pyramid("out_laplacian", count);
    for (int j = 0; j < count; ++j) {
      Expr position = gaussian[j](x, y) * cast<float>(levels - 1);
      Expr lower = clamp(cast<int>(position), 0, levels - 2);
      Expr part = position - cast<float>(lower);
      outLaplacian[j](x, y) =
          (1.0f - part) * laplacian[j](x, y, lower) + part * laplacian[j](x, y, lower + 1);
    }

    outGaussian = pyramid("out_gaussian", count);
    outGaussian[count - 1](x, y) = outLaplacian[count - 1](x, y);
    for (int j = count - 2; j >= 0; --j)
      outGaussian[j](x, y) = upsampled(outGaussian[j + 1])(x, y) + outLaplacian[j](x, y);

    const float epsilon = 0.01f;
    colour(x, y, c) = outGaussian[0](x, y) * (floating(x, y, c) + epsilon) / (gray(x, y) + epsilon);
    output(x, y, c) = cast<uint16_t>(clamp(colour(x, y, c), 0.0f, 1.0f) * 65535.0f);

    input.set_estimates({{0, kWidth}, {0, kHeight}, {0, 3}});
    levels.set_estimate(8);
    alpha.set_estimate(1.0f / 7.0f);
    beta.set_estimate(1.0f);
    output.set_estimates({{0, kWidth}, {0, kHeight}, {0, 3}});

    if (!using_autoscheduler() && get_target().has_gpu_feature()) scheduleForGpu();
  }

private:
  static constexpr int kWidth = 1536;
  static constexpr int kHeight = 2560;

  static std::vector<Func> pyramid(const std::string &name, int count) {
    std::vector<Func> funcs;
    for (int j = 0; j < count; ++j)
      funcs.emplace_back(name + "_" + std::to_string(j));
    return funcs;
  }

  // Weights 1 3 3 1 along x, then along y. The func of the first pass is appended to `rows`.
  Func downsampled(Func f, std::vector<Func> &rows) const {
    Func down(f.name() + "_down_x"), result(f.name() + "_down_y");
    using Halide::_;
    down(x, y, _) =
        (f(2 * x - 1, y, _) + 3.0f * (f(2 * x, y, _) + f(2 * x + 1, y, _)) + f(2 * x + 2, y, _)) /
        8.0f;
    result(x, y, _) = (down(x, 2 * y - 1, _) + 3.0f * (down(x, 2 * y, _) + down(x, 2 * y + 1, _)) +
                       down(x, 2 * y + 2, _)) /
                      8.0f;
    rows.push_back(down);
    return result;
  }

  // Bilinear upsampling: a fine pixel lies at a quarter of the way between two coarse ones.
  Func upsampled(Func f) const {
    Func up(f.name() + "_up_x"), result(f.name() + "_up_y");
    using Halide::_;
    up(x, y, _) = 0.25f * f(x / 2 - 1 + 2 * (x % 2), y, _) + 0.75f * f(x / 2, y, _);
    result(x, y, _) = 0.25f * up(x, y / 2 - 1 + 2 * (y % 2), _) + 0.75f * up(x, y / 2, _);
    return result;
  }

  // The luminance, each stored level of the three pyramids, the output and, with `table`, the
  // remapping have one kernel each. The coarsest levels of the output's pyramid are not stored:
  // each tile of the coarsest stored level recomputes them. Interpolation is inlined.
  void scheduleForGpu() {
    Var xo("xo"), yo("yo"), xi("xi"), yi("yi");
    const int count = pyramidLevels;
    const int lastStored = count - 1 - fusedLevels;
    if (table) remap.compute_root().gpu_tile(i, xo, xi, 256);
    gray.compute_root().gpu_tile(x, y, xo, yo, xi, yi, threadsX, threadsY);

    for (int j = 1; j < count; ++j) {
      const int rows = j < 3 ? tall.value() : 1;
      scheduleDownsampling(remapped[j], remappedRows[j - 1], rows);
      scheduleDownsampling(gaussian[j], gaussianRows[j - 1], rows);
      if (j <= lastStored)
        outGaussian[j].compute_root().gpu_tile(x, y, xo, yo, xi, yi, threadsX, threadsY);
      else
        outGaussian[j].compute_at(outGaussian[lastStored], xo).gpu_threads(x, y);
    }
    // The finest remapped image would take four bytes for each pixel and intensity. Instead, it is
    // made in shared memory for one tile and intensity at a time, and made again where the output
    // needs it.
    remapped[0]
        .in(remappedRows[0])
        .compute_at(remapped[1], xo)
        .split(x, xo, xi, threadsX, TailStrategy::GuardWithIf)
        .split(y, yo, yi, threadsY, TailStrategy::GuardWithIf)
        .reorder(xo, yo, xi, yi)
        .unroll(xo)
        .unroll(yo)
        .gpu_threads(xi, yi);

    Func(output).bound(c, 0, 3).reorder(c, x, y).unroll(c).gpu_tile(x, y, xo, yo, xi, yi, threadsX,
                                                                    threadsY);
    outGaussian[0].compute_at(output, xi);
  }

  // The first pass stays in the registers of the thread that makes `rows` pixels of the second
  // pass.
  void scheduleDownsampling(Func f, Func first, int rows) {
    Var xo("xo"), yo("yo"), xi("xi"), yi("yi"), yt("yt");
    f.compute_root()
        .tile(x, y, xo, yo, xi, yi, threadsX, threadsY * rows)
        .split(yi, yt, yi, rows)
        .reorder(yi, xi, yt, xo, yo)
        .unroll(yi)
        .gpu_threads(xi, yt);
    if (f.dimensions() == 3)
      f.gpu_blocks(xo, yo, k);
    else
      f.gpu_blocks(xo, yo);
    first.compute_at(f, xi).store_in(MemoryType::Register).unroll(x).unroll(y);
  }

  Var x{"x"}, y{"y"}, c{"c"}, k{"k"}, i{"i"};
  Func remap{"remap"}, bounded{"bounded"}, floating{"floating"}, gray{"gray"}, colour{"colour"};
  std::vector<Func> remapped, gaussian, outGaussian, remappedRows, gaussianRows;
};

} // namespace

HALIDE_REGISTER_GENERATOR(LocalLaplacian, local_laplacian)
