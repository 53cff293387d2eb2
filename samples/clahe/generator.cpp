// SPDX-License-Identifier: MIT
// Contrast-limited adaptive histogram equalisation of an 8-bit grey image (K. Zuiderveld, "Contrast
// Limited Adaptive Histogram Equalization", Graphics Gems IV, 1994). The image is divided into
// tiles, 8 by 8 at the size of the estimates. Each tile has a histogram of 256 bins. Its counts are
// limited, which limits the contrast, and what was cut off is spread over all bins. Their running
// sum is the tile's table of new values. A pixel looks its value up in the four tables whose tiles
// have the nearest centres, and mixes what it finds by the distances.
#include <Halide.h>

namespace {

using namespace Halide;

class Clahe : public Generator<Clahe> {
public:
  GeneratorParam<int> tileWidth{"tile_width", 192};
  GeneratorParam<int> tileHeight{"tile_height", 320};
  // The largest count of a bin, in mean counts. More allows more contrast.
  GeneratorParam<int> most{"most", 4};
  GeneratorParam<int> threadsPerTile{"threads_per_tile", 1024};
  GeneratorParam<int> wide{"wide", 4};
  GeneratorParam<int> tall{"tall", 4};

  Input<Buffer<uint8_t, 2>> input{"input"};
  Output<Buffer<uint8_t, 2>> output{"output"};

  void generate() {
    const int tileW = tileWidth, tileH = tileHeight;
    const int pixels = tileW * tileH;
    const int limit = std::max(1, most * pixels / kBins);

    // The tiles at the border reach beyond the image, where its edge is repeated.
    Func edge = BoundaryConditions::repeat_edge(input);
    inTile = RDom(0, tileW, 0, tileH, "in_tile");
    histogram(b, tx, ty) = 0;
    histogram(cast<int>(edge(tx * tileW + inTile.x, ty * tileH + inTile.y)), tx, ty) += 1;

    allBins = RDom(0, kBins, "all_bins");
    excess(tx, ty) = 0;
    excess(tx, ty) += max(histogram(allBins, tx, ty) - limit, 0);
    spread(b, tx, ty) = min(histogram(b, tx, ty), limit) + excess(tx, ty) / kBins +
                        select(b < excess(tx, ty) % kBins, 1, 0);

    bins = RDom(1, kBins - 1, "bins");
    below(b, tx, ty) = spread(0, tx, ty);
    below(bins, tx, ty) = below(bins - 1, tx, ty) + spread(bins, tx, ty);

    // The tile whose centre is at or before a pixel, and how far the pixel is on the way from there
    // to the centre of the next. Both are exact.
    const Expr left = (2 * x + 1 - tileW) / (2 * tileW);
    const Expr up = (2 * y + 1 - tileH) / (2 * tileH);
    const Expr across = cast<float>((2 * x + 1 - tileW) % (2 * tileW)) / (2.0f * tileW);
    const Expr down = cast<float>((2 * y + 1 - tileH) % (2 * tileH)) / (2.0f * tileH);
    const Expr lastAcross = (input.width() - 1) / tileW;
    const Expr lastDown = (input.height() - 1) / tileH;
    const auto valueIn = [&](const Expr &tileX, const Expr &tileY) -> Expr {
      return cast<float>(
          below(cast<int>(input(x, y)), clamp(tileX, 0, lastAcross), clamp(tileY, 0, lastDown)));
    };
    const auto mix = [](const Expr &first, const Expr &second, const Expr &part) {
      return first + (second - first) * part;
    };
    const Expr upper = mix(valueIn(left, up), valueIn(left + 1, up), across);
    const Expr lower = mix(valueIn(left, up + 1), valueIn(left + 1, up + 1), across);
    output(x, y) = cast<uint8_t>(clamp(
        mix(upper, lower, down) * (255.0f / static_cast<float>(pixels)) + 0.5f, 0.0f, 255.0f));

    input.set_estimates({{0, kWidth}, {0, kHeight}});
    output.set_estimates({{0, kWidth}, {0, kHeight}});

    if (!using_autoscheduler() && get_target().has_gpu_feature()) scheduleForGpu();
  }

private:
  static constexpr int kWidth = 1536;
  static constexpr int kHeight = 2560;
  static constexpr int kBins = 256;

  // There are two kernels. In the first, each block makes one table: it counts in shared memory
  // with atomics, and one thread computes the running sum. A func with an update would become two
  // kernels at root, so only a copy of the table is at root. The second kernel computes the pixels.
  void scheduleForGpu() {
    Var xo("xo"), yo("yo"), xi("xi"), yi("yi"), xt("xt"), yt("yt");
    RVar ro("ro"), ri("ri");
    Func tables = below.in();
    tables.compute_root().bound_extent(b, kBins).gpu_threads(b).gpu_blocks(tx, ty);
    below.compute_at(tables, tx).gpu_threads(b);
    below.update().unroll(bins, 15);
    spread.compute_at(tables, tx).gpu_threads(b);
    excess.compute_at(tables, tx);
    excess.update().atomic().gpu_threads(allBins);
    histogram.compute_at(tables, tx).gpu_threads(b);
    // All stages of a block share its threads along x. Along y, only the counting has several.
    histogram.update()
        .atomic()
        .split(inTile.y, ro, ri, std::max(1, static_cast<int>(threadsPerTile) / kBins))
        .reorder(ro, inTile.x, ri, tx, ty)
        .gpu_threads(inTile.x, ri);

    Func(output)
        .tile(x, y, xo, yo, xi, yi, 32 * wide, 8 * tall)
        .split(xi, xi, xt, 32)
        .split(yi, yi, yt, 8)
        .reorder(xi, yi, xt, yt, xo, yo)
        .unroll(xi)
        .unroll(yi)
        .gpu_threads(xt, yt)
        .gpu_blocks(xo, yo);
  }

  Var x{"x"}, y{"y"}, b{"b"}, tx{"tx"}, ty{"ty"};
  RDom inTile, allBins, bins;
  Func histogram{"histogram"}, excess{"excess"}, spread{"spread"}, below{"below"};
};

} // namespace

HALIDE_REGISTER_GENERATOR(Clahe, clahe)
