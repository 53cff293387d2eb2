// SPDX-License-Identifier: MIT
// Bilateral guided upsampling [Chen et al. 2016] does to a large picture what some effect did to a
// small one. In each cell of a coarse grid over space and brightness, it finds the affine map of
// colours that explains the small pair of pictures best. Each pixel of the large picture
// interpolates between the maps around it.
#include <Halide.h>

#include <vector>

namespace {

using namespace Halide;

class Bgu : public Generator<Bgu> {
public:
  // Sizes of the grid: low-resolution pixels along a side of a cell, the number of cells from black
  // to white, and full-resolution pixels along a side of a low-resolution pixel.
  GeneratorParam<int> sigma{"s_sigma", 16};
  GeneratorParam<int> lumaBins{"luma_bins", 8};
  GeneratorParam<int> upsample{"upsample", 8};
  // Slicing reads the grid for the pixels of the large picture. A block slices a tile as wide as a
  // cell. The rows of each column of the tile are divided among `threads_y` threads.
  GeneratorParam<int> tileY{"tile_y", 16};
  GeneratorParam<int> threadsY{"threads_y", 2};
  // The number of strips of a cell's rows that a block sums in parallel.
  GeneratorParam<int> strips{"strips", 16};
  // The number of brightness bins that a block solves.
  GeneratorParam<int> solved{"solved", 2};
  // The number of rows whose colours a thread loads before it maps the first of them.
  GeneratorParam<int> ahead{"ahead", 2};
  // The number of coefficients that slicing loads at a time: 1 or 4.
  GeneratorParam<int> vector{"vector", 4};

  Input<Buffer<float, 3>> splat{"splat"};   // the small picture before the effect
  Input<Buffer<float, 3>> values{"values"}; // the small picture after the effect
  Input<Buffer<float, 3>> slice{"slice"};   // the large picture before the effect
  Output<Buffer<float, 3>> output{"output"};

  void generate() {
    fillGrid();
    blurGrid();
    solve();
    sliceGrid();
    for (Input<Buffer<float, 3>> *small : {&splat, &values})
      small->set_estimates({{0, kWidth / 8}, {0, kHeight / 8}, {0, 3}});
    slice.set_estimates({{0, kWidth}, {0, kHeight}, {0, 3}});
    output.set_estimates({{0, kWidth}, {0, kHeight}, {0, 3}});
    output.dim(0).set_min(0);
    output.dim(1).set_min(0);
    output.dim(2).set_bounds(0, 3);
    if (!using_autoscheduler() && get_target().has_gpu_feature()) scheduleForGpu();
  }

private:
  static constexpr int kWidth = 1536;
  static constexpr int kHeight = 2560;
  static constexpr int kUnknowns = 4;                               // three colours and a constant
  static constexpr int kProducts = kUnknowns * (kUnknowns + 1) / 2; // products of two unknowns
  static constexpr int kMoments = kProducts + 3 * kUnknowns;        // plus unknowns times results
  static constexpr int kCoefficients = 3 * kUnknowns;

  static Expr lumaOf(Expr r, Expr g, Expr b) { return 0.25f * r + 0.5f * g + 0.25f * b; }

  // The index of the product of unknowns i and j among the moments.
  static int productOf(int i, int j) {
    const int low = std::min(i, j), high = std::max(i, j);
    return low * kUnknowns - low * (low - 1) / 2 + high - low;
  }

  // Sums what a least-squares fit needs over the pixels of a cell: products of the colours before
  // the effect with each other and with those after the effect.
  void fillGrid() {
    boundedSplat = BoundaryConditions::repeat_edge(splat);
    boundedValues = BoundaryConditions::repeat_edge(values);
    splatLuma(x, y) = lumaOf(boundedSplat(x, y, 0), boundedSplat(x, y, 1), boundedSplat(x, y, 2));
    bin(x, y) = cast<int>(clamp(splatLuma(x, y), 0.0f, 1.0f) * static_cast<int>(lumaBins) + 0.5f);
    // k is 0 to 2 for the colours before the effect, 3 for the constant, 4 to 6 for the colours
    // after it.
    feature(x, y, k) =
        mux(k, {boundedSplat(x, y, 0), boundedSplat(x, y, 1), boundedSplat(x, y, 2), 1.0f,
                boundedValues(x, y, 0), boundedValues(x, y, 1), boundedValues(x, y, 2)});
    std::vector<Expr> first, second;
    for (int i = 0; i < kUnknowns; ++i)
      for (int j = i; j < kUnknowns; ++j) {
        first.push_back(i);
        second.push_back(j);
      }
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < kUnknowns; ++j) {
        first.push_back(kUnknowns + i);
        second.push_back(j);
      }

    const int cell = sigma;
    r = RDom(0, cell, 0, cell, "r");
    Expr sx = x * cell + r.x - cell / 2, sy = y * cell + r.y - cell / 2;
    histogram(x, y, z, c) = 0.0f;
    histogram(x, y, clamp(bin(sx, sy), 0, static_cast<int>(lumaBins)), c) +=
        feature(sx, sy, mux(c, first)) * feature(sx, sy, mux(c, second));
  }

  // The weight falls with the cube of the distance, so that cells without pixels continue their
  // surroundings.
  void blurGrid() {
    const auto seven = [](auto at) {
      return at(0) + (at(-1) + at(1)) / 8.0f + (at(-2) + at(2)) / 27.0f + (at(-3) + at(3)) / 64.0f;
    };
    blurZ(x, y, z, c) = seven([&](int d) { return histogram(x, y, z + d, c); });
    blurY(x, y, z, c) = seven([&](int d) { return blurZ(x, y + d, z, c); });
    blurX(x, y, z, c) = seven([&](int d) { return blurY(x + d, y, z, c); });
  }

  // Solves the normal equations by factors L D L^T. A regularisation with the weight of a tenth of
  // a pixel pulls the solution towards the identity.
  void solve() {
    const Expr tenth = 0.1f;
    Expr a[kUnknowns][kUnknowns]; // L below the diagonal; on and above it, the rest to eliminate
    for (int i = 0; i < kUnknowns; ++i)
      for (int j = i; j < kUnknowns; ++j)
        a[i][j] = blurX(x, y, z, productOf(i, j)) + (i == j ? tenth : Expr(0.0f));
    for (int p = 0; p < kUnknowns; ++p)
      for (int i = p + 1; i < kUnknowns; ++i) {
        a[i][p] = a[p][i] / a[p][p];
        for (int j = i; j < kUnknowns; ++j)
          a[i][j] -= a[i][p] * a[p][j];
      }
    std::vector<Expr> packed;
    for (int i = 0; i < kUnknowns; ++i)
      for (int j = 0; j <= i; ++j)
        packed.push_back(i == j ? 1.0f / a[i][i] : a[i][j]);
    factors(x, y, z) = Tuple(packed);
    const auto factor = [&](int i, int j) { return factors(x, y, z)[i * (i + 1) / 2 + j]; };

    // First the right-hand side of the equations for colour k after the effect, then their
    // solution.
    Expr b[kUnknowns];
    for (int i = 0; i < kUnknowns; ++i) {
      b[i] = blurX(x, y, z, kProducts + kUnknowns * k + i) + select(k == i, tenth, 0.0f);
      for (int j = 0; j < i; ++j)
        b[i] -= factor(i, j) * b[j];
    }
    for (int i = kUnknowns - 1; i >= 0; --i) {
      b[i] *= factor(i, i);
      for (int j = i + 1; j < kUnknowns; ++j)
        b[i] -= factor(j, i) * b[j];
    }
    solution(x, y, z, k) = Tuple(b[0], b[1], b[2], b[3]);
    const Tuple row = solution(x, y, z, c / kUnknowns);
    affine(x, y, z, c) = mux(c % kUnknowns, {row[0], row[1], row[2], row[3]});
  }

  // Interpolates the maps at a pixel's place and brightness, and applies them.
  void sliceGrid() {
    const int cell = static_cast<int>(sigma) * upsample;
    const auto share = [&](Var v) { return cast<float>(v % cell) / static_cast<float>(cell); };
    affineY(x, y, z, c) = lerp(affine(x, y / cell, z, c), affine(x, y / cell + 1, z, c), share(y));
    affineX(x, y, z, c) =
        lerp(affineY(x / cell, y, z, c), affineY(x / cell + 1, y, z, c), share(x));
    sliceLuma(x, y) = lumaOf(slice(x, y, 0), slice(x, y, 1), slice(x, y, 2));
    depth(x, y) = clamp(sliceLuma(x, y), 0.0f, 1.0f) * static_cast<int>(lumaBins);
    const Expr below = clamp(cast<int>(depth(x, y)), 0, static_cast<int>(lumaBins));
    affineZ(x, y, c) = lerp(affineX(x, y, below, c), affineX(x, y, below + 1, c),
                            depth(x, y) - cast<float>(below));
    mapped(x, y, c) = affineZ(x, y, 4 * c) * slice(x, y, 0) +
                      affineZ(x, y, 4 * c + 1) * slice(x, y, 1) +
                      affineZ(x, y, 4 * c + 2) * slice(x, y, 2) + affineZ(x, y, 4 * c + 3);
    output(x, y, c) = clamp(mapped(x, y, c), 0.0f, 1.0f);
  }

  // There are three kernels. A block of the first sums a cell of the small picture at all
  // brightnesses and blurs along them. A block of the second blurs some cells in space and solves
  // them, a thread for each cell. A block of the third slices a tile.
  void scheduleForGpu() {
    blurZ.compute_root()
        .bound(c, 0, kMoments)
        .reorder_storage(c, x, z, y)
        .reorder(c, z, x, y)
        .gpu_threads(c, z)
        .gpu_blocks(x, y);
    RVar strip("strip"), ry("ry");
    Func partial = histogram.update()
                       .split(r.y, strip, ry, static_cast<int>(sigma) / strips)
                       .rfactor(strip, u);
    feature.compute_at(blurZ, x)
        .bound(k, 0, 7)
        .reorder_storage(k, x, y)
        .reorder(k, x, y)
        .unroll(k)
        .gpu_threads(x, y);
    bin.compute_at(blurZ, x).gpu_threads(x, y);
    partial.compute_at(blurZ, x).reorder_storage(c, z, u).reorder(z, x, y, c, u).gpu_threads(c, u);
    partial.update().reorder(r.x, ry, x, y, c, u).gpu_threads(c, u);
    histogram.compute_at(blurZ, x).reorder_storage(c, z).reorder(c, z, x, y).gpu_threads(c, z);
    histogram.update().reorder(strip, x, y, c, z).unroll(strip).gpu_threads(c, z);

    affine.compute_root()
        .bound(c, 0, kCoefficients)
        .reorder_storage(c, z, x, y)
        .split(x, xo, xi, 16, TailStrategy::RoundUp)
        .split(z, zo, zi, solved, TailStrategy::RoundUp)
        .reorder(c, xi, zi, xo, zo, y)
        .unroll(c)
        .gpu_threads(xi, zi)
        .gpu_blocks(xo, zo, y);
    blurY.compute_at(affine, xo)
        .reorder_storage(c, x, z)
        .split(x, t, xi, 8, TailStrategy::GuardWithIf)
        .reorder(z, t, c, xi)
        .gpu_threads(c, xi);
    blurX.compute_at(affine, xi).unroll(c);
    factors.compute_at(affine, xi);
    solution.compute_at(affine, xi).unroll(k);

    // Tiles lie within a column of cells. The last rows of tiles are moved upwards to stay inside.
    const int cell = static_cast<int>(sigma) * upsample;
    const int rows = static_cast<int>(tileY) / threadsY;
    Func(output)
        .split(x, xo, xi, cell, TailStrategy::GuardWithIf)
        .split(y, yo, yi, tileY, TailStrategy::ShiftInwards)
        .split(yi, yi, t, rows)
        .split(t, t, ti, ahead)
        .reorder(c, ti, t, xi, yi, xo, yo)
        .unroll(c)
        .unroll(ti)
        .gpu_threads(xi, yi)
        .gpu_blocks(xo, yo);
    affineY.compute_at(output, xo)
        .reorder_storage(c, z, x, y)
        .bound_extent(c, kCoefficients)
        .bound_extent(x, 2)
        .bound_extent(y, tileY)
        .fuse(c, z, xi)
        .split(y, yi, t, rows)
        .reorder(x, t, xi, yi)
        .unroll(x)
        .unroll(t)
        .gpu_threads(xi, yi);
    slice.in().compute_at(output, t).unroll(Halide::_1).unroll(Halide::_2);
    affineZ.compute_at(output, ti).unroll(c);
    if (vector > 1) affineZ.vectorize(c, vector);
  }

  Var x{"x"}, y{"y"}, z{"z"}, c{"c"}, k{"k"}, u{"u"}, t{"t"};
  Var xo{"xo"}, yo{"yo"}, ti{"ti"}, zo{"zo"}, xi{"xi"}, yi{"yi"}, zi{"zi"};
  RDom r;
  Func boundedSplat, boundedValues, splatLuma{"splat_luma"}, bin{"bin"}, feature{"feature"};
  Func histogram{"histogram"}, blurZ{"blur_z"}, blurY{"blur_y"}, blurX{"blur_x"};
  Func factors{"factors"}, solution{"solution"}, affine{"affine"};
  Func affineY{"affine_y"}, affineX{"affine_x"}, affineZ{"affine_z"};
  Func sliceLuma{"slice_luma"}, depth{"depth"}, mapped{"mapped"};
};

} // namespace

HALIDE_REGISTER_GENERATOR(Bgu, bgu)
