// SPDX-License-Identifier: MIT
// Turns the raw values of a sensor under a Bayer mosaic into a picture: suppresses hot pixels,
// finds the two missing colours of each pixel, corrects colours for the light, applies a tone curve
// and sharpens [Adams et al. 2010, "The Frankencamera"].
#include <Halide.h>

#include <string>
#include <vector>

namespace {

using namespace Halide;

class CameraPipe : public Generator<CameraPipe> {
public:
  // A block makes a tile of tile_x by tile_y pixels. It first computes the tile's cells of 2 x 2
  // pixels and one more cell on each side. The threads are used best if the number of these cells
  // is a multiple of the number of threads, or just below a multiple.
  GeneratorParam<int> tileX{"tile_x", 120};
  GeneratorParam<int> tileY{"tile_y", 28};
  GeneratorParam<int> threadsX{"threads_x", 32};
  GeneratorParam<int> threadsY{"threads_y", 8};
  // The pixels of the result that a thread sharpens. Both numbers are even and divide the tile.
  GeneratorParam<int> wide{"wide", 4};
  GeneratorParam<int> tall{"tall", 4};
  // Whether the greens at red and blue sites are kept in shared memory. Otherwise each thread
  // recomputes those that it needs.
  GeneratorParam<bool> sharedGreen{"shared_green", true};
  // Whether each block copies the tone curve to shared memory. Otherwise it is read through the
  // cache.
  GeneratorParam<bool> sharedCurve{"shared_curve", true};

  Input<Buffer<uint16_t, 2>> input{"input"};
  // Row c gives colour c of the result: the factors of red, green and blue, and an offset.
  Input<Buffer<float, 2>> matrix3200{"matrix_3200"};
  Input<Buffer<float, 2>> matrix7000{"matrix_7000"};
  Input<float> colorTemperature{"color_temperature"};
  Input<float> gamma{"gamma"};
  Input<float> contrast{"contrast"};
  Input<float> sharpenStrength{"sharpen_strength"};
  Input<int> blackLevel{"black_level"};
  Input<int> whiteLevel{"white_level"};
  Output<Buffer<uint8_t, 3>> output{"output"};

  void generate() {
    // The shift keeps the reads of all stencils inside the input.
    shifted(x, y) = input(x + kLeft, y + kTop);
    // No pixel may be brighter than all of its neighbours of the same colour.
    denoised(x, y) = min(shifted(x, y), max(max(shifted(x - 2, y), shifted(x + 2, y)),
                                            max(shifted(x, y - 2), shifted(x, y + 2))));
    demosaic();
    correctColors();
    applyCurve();
    sharpen();
    setEstimates();
    if (!using_autoscheduler() && get_target().has_gpu_feature()) scheduleForGpu();
  }

private:
  static constexpr int kLeft = 16;
  static constexpr int kTop = 12;
  static constexpr int kBrightest = 1023; // the largest value of ten bits

  // The mean of two values, rounded up, and the distance between two values. Both are computed in
  // 32 bits.
  static Expr mean(Expr a, Expr b) { return (cast<int>(a) + cast<int>(b) + 1) / 2; }
  static Expr distance(Expr a, Expr b) { return abs(cast<int>(a) - cast<int>(b)); }
  static Expr i16(Expr value) { return cast<int16_t>(value); }
  static Expr u16(Expr value) { return cast<uint16_t>(value); }

  // Chooses the estimate whose neighbours differ less.
  static Expr smoother(Expr firstDistance, Expr first, Expr secondDistance, Expr second) {
    return select(firstDistance < secondDistance, first, second);
  }

  // Estimates a colour between two of its sites: the mean of both, corrected by how much green here
  // deviates from the mean of green at those sites. Green is known at all three pixels.
  static Expr guided(Expr green, Expr green0, Expr green1, Expr color0, Expr color1) {
    return cast<int>(green) - mean(green0, green1) + mean(color0, color1);
  }

  // Each colour of the mosaic is a plane of half the size:
  //   0 1   green in a red row, red,
  //   2 3   blue, green in a blue row.
  // "redAtBlue(x, y)" is the red that is estimated at blue's pixel (x, y).
  void demosaic() {
    deinterleaved(x, y, c) = mux(c, {denoised(2 * x, 2 * y), denoised(2 * x + 1, 2 * y),
                                     denoised(2 * x, 2 * y + 1), denoised(2 * x + 1, 2 * y + 1)});
    Func greenR{"green_in_red_row"}, redR{"red"}, blueB{"blue"}, greenB{"green_in_blue_row"};
    greenR(x, y) = deinterleaved(x, y, 0);
    redR(x, y) = deinterleaved(x, y, 1);
    blueB(x, y) = deinterleaved(x, y, 2);
    greenB(x, y) = deinterleaved(x, y, 3);

    // Green at red and blue sites is estimated along the rows or the columns.
    greenAtRed(x, y) = u16(
        smoother(distance(greenR(x + 1, y), greenR(x, y)), mean(greenR(x + 1, y), greenR(x, y)),
                 distance(greenB(x, y - 1), greenB(x, y)), mean(greenB(x, y - 1), greenB(x, y))));
    greenAtBlue(x, y) = u16(
        smoother(distance(greenB(x - 1, y), greenB(x, y)), mean(greenB(x - 1, y), greenB(x, y)),
                 distance(greenR(x, y + 1), greenR(x, y)), mean(greenR(x, y + 1), greenR(x, y))));

    // Red and blue at green sites are estimated from two neighbours.
    Func redAtGreenR{"red_at_green_r"}, blueAtGreenR{"blue_at_green_r"},
        redAtGreenB{"red_at_green_b"}, blueAtGreenB{"blue_at_green_b"};
    redAtGreenR(x, y) = i16(
        guided(greenR(x, y), greenAtRed(x - 1, y), greenAtRed(x, y), redR(x - 1, y), redR(x, y)));
    blueAtGreenR(x, y) = i16(guided(greenR(x, y), greenAtBlue(x, y - 1), greenAtBlue(x, y),
                                    blueB(x, y - 1), blueB(x, y)));
    redAtGreenB(x, y) = i16(
        guided(greenB(x, y), greenAtRed(x, y), greenAtRed(x, y + 1), redR(x, y), redR(x, y + 1)));
    blueAtGreenB(x, y) = i16(guided(greenB(x, y), greenAtBlue(x, y), greenAtBlue(x + 1, y),
                                    blueB(x, y), blueB(x + 1, y)));

    // Red at blue sites and blue at red sites are estimated along one of the two diagonals.
    Func redAtBlue{"red_at_blue"}, blueAtRed{"blue_at_red"};
    redAtBlue(x, y) = i16(smoother(distance(redR(x, y), redR(x - 1, y + 1)),
                                   guided(greenAtBlue(x, y), greenAtRed(x, y),
                                          greenAtRed(x - 1, y + 1), redR(x, y), redR(x - 1, y + 1)),
                                   distance(redR(x - 1, y), redR(x, y + 1)),
                                   guided(greenAtBlue(x, y), greenAtRed(x - 1, y),
                                          greenAtRed(x, y + 1), redR(x - 1, y), redR(x, y + 1))));
    blueAtRed(x, y) =
        i16(smoother(distance(blueB(x, y), blueB(x + 1, y - 1)),
                     guided(greenAtRed(x, y), greenAtBlue(x, y), greenAtBlue(x + 1, y - 1),
                            blueB(x, y), blueB(x + 1, y - 1)),
                     distance(blueB(x + 1, y), blueB(x, y - 1)),
                     guided(greenAtRed(x, y), greenAtBlue(x + 1, y), greenAtBlue(x, y - 1),
                            blueB(x + 1, y), blueB(x, y - 1))));

    const Func red = interleaved("red", redAtGreenR, redR, redAtBlue, redAtGreenB);
    const Func green = interleaved("green", greenR, greenAtRed, greenAtBlue, greenB);
    const Func blue = interleaved("blue", blueAtGreenR, blueAtRed, blueB, blueAtGreenB);
    demosaiced(x, y, c) = mux(c, {red(x, y), green(x, y), blue(x, y)});
  }

  // Combines four planes into one of full size. The result is signed because corrections can fall
  // below zero.
  Func interleaved(const std::string &name, Func topLeft, Func topRight, Func bottomLeft,
                   Func bottomRight) {
    Func top{name + "_top"}, bottom{name + "_bottom"}, all{name + "_all"};
    top(x, y) = select(x % 2 == 0, i16(topLeft(x / 2, y)), i16(topRight(x / 2, y)));
    bottom(x, y) = select(x % 2 == 0, i16(bottomLeft(x / 2, y)), i16(bottomRight(x / 2, y)));
    all(x, y) = select(y % 2 == 0, top(x, y / 2), bottom(x, y / 2));
    return all;
  }

  // Interpolates the calibrated matrices for warm and cool light linearly in the inverse of the
  // temperature. The result is in fixed point with eight bits after the point.
  void correctColors() {
    const Expr cool = (1.0f / colorTemperature - 1.0f / 3200) / Expr(1.0f / 7000 - 1.0f / 3200);
    matrix(x, c) = i16((matrix3200(x, c) + (matrix7000(x, c) - matrix3200(x, c)) * cool) * 256.0f);
    Expr sum = cast<int>(matrix(3, c));
    for (int i = 0; i < 3; ++i)
      sum += cast<int>(matrix(i, c)) * demosaiced(x, y, i);
    corrected(x, y, c) = i16(sum / 256);
  }

  // The tone curve is tabulated: gamma, then two parabolas that meet at the middle.
  void applyCurve() {
    const Expr range = cast<float>(whiteLevel - blackLevel);
    const Expr linear = clamp(cast<float>(x - blackLevel) * (1.0f / range), 0.0f, 1.0f);
    const Expr slope = 2.0f - pow(2.0f, contrast / 100.0f);
    const Expr bend = 2.0f - 2.0f * slope;
    const Expr g = pow(linear, 1.0f / gamma);
    const Expr value =
        select(g > 0.5f, 1.0f - (bend * (1.0f - g) * (1.0f - g) + slope * (1.0f - g)),
               bend * g * g + slope * g);
    const Expr eightBits = cast<uint8_t>(clamp(value * 255.0f + 0.5f, 0.0f, 255.0f));
    curve(x) =
        select(x <= blackLevel, cast<uint8_t>(0), x > whiteLevel, cast<uint8_t>(255), eightBits);
    curved(x, y, c) = curve(clamp(cast<int>(corrected(x, y, c)), 0, kBrightest));
  }

  // Adds the difference from a 3 x 3 blur. The strength has steps of 1/32.
  void sharpen() {
    // This is mean(mean(a, d), b) with one division. Compilers make six instructions of each
    // division.
    const auto tent = [](Expr a, Expr b, Expr d) {
      return cast<uint8_t>((cast<int>(a) + 2 * cast<int>(b) + cast<int>(d) + 3) / 4);
    };
    blurredRows(x, y, c) = tent(curved(x, y - 1, c), curved(x, y, c), curved(x, y + 1, c));
    blurred(x, y, c) =
        tent(blurredRows(x - 1, y, c), blurredRows(x, y, c), blurredRows(x + 1, y, c));
    mask(x, y, c) = i16(curved(x, y, c)) - i16(blurred(x, y, c));
    const Expr strength = cast<int>(saturating_cast<uint8_t>(sharpenStrength * 32.0f));
    output(x, y, c) = saturating_cast<uint8_t>(cast<int>(curved(x, y, c)) +
                                               cast<int>(mask(x, y, c)) * strength / 32);
  }

  void setEstimates() {
    input.set_estimates({{0, 2592}, {0, 1968}});
    for (Input<Buffer<float, 2>> *m : {&matrix3200, &matrix7000}) {
      m->dim(0).set_bounds(0, 4);
      m->dim(1).set_bounds(0, 3);
      m->set_estimates({{0, 4}, {0, 3}});
    }
    colorTemperature.set_estimate(3700.0f);
    gamma.set_estimate(2.0f);
    contrast.set_estimate(50.0f);
    sharpenStrength.set_estimate(1.0f);
    blackLevel.set_estimate(25);
    whiteLevel.set_estimate(1023);
    output.set_estimates({{0, 2560}, {0, 1920}, {0, 3}});
    // The output consists of whole cells of 2 x 2 pixels.
    output.dim(0).set_bounds(0, output.dim(0).extent() / 2 * 2);
    output.dim(1).set_bounds(0, output.dim(1).extent() / 2 * 2);
    output.dim(2).set_bounds(0, 3);
  }

  // There is one kernel besides the one for the curve. Three stages of a tile are kept in shared
  // memory: the tile without hot pixels, its greens (if `shared_green`), and the picture before it
  // is sharpened. The rest stays in registers.
  void scheduleForGpu() {
    const Var block = blockX;
    curve.compute_root().bound(x, 0, kBrightest + 1).gpu_tile(x, blockX, threadX, 128);
    if (sharedCurve)
      curve.in(curved)
          .compute_at(output, block)
          .split(x, cellX, threadX, threadsX)
          .split(cellX, cellY, threadY, threadsY)
          .gpu_threads(threadX, threadY);
    matrix.compute_at(output, block).bound(x, 0, 4).bound(c, 0, 3).gpu_threads(x, c);
    overThreads(denoised.compute_at(output, block));
    for (Func green : {greenAtRed, greenAtBlue}) {
      if (sharedGreen)
        overThreads(green.compute_at(output, block));
      else
        green.compute_at(curved.in(), cellX).unroll(x).unroll(y);
    }

    // A thread holds all of a cell in registers before it stores any of it. After a store to shared
    // memory, compilers must assume that loads for the next pixel may read the stored value.
    Func toned = curved.in();
    toned.compute_at(output, block)
        .align_bounds(x, 2)
        .align_bounds(y, 2)
        .tile(x, y, cellX, cellY, xi, yi, 2, 2, TailStrategy::RoundUp)
        .split(cellX, cellX, threadX, threadsX, TailStrategy::GuardWithIf)
        .split(cellY, cellY, threadY, threadsY, TailStrategy::GuardWithIf)
        .reorder(xi, yi, c, cellX, cellY, threadX, threadY)
        .unroll(xi)
        .unroll(yi)
        .unroll(c)
        .gpu_threads(threadX, threadY);
    for (Func cell : {curved, demosaiced})
      cell.compute_at(toned, cellX).unroll(x).unroll(y).unroll(c);

    // Splits into cells first, so that tiles which ShiftInwards moves still begin with a whole
    // cell.
    Func(output)
        .split(x, cellX, xi, 2, TailStrategy::RoundUp)
        .split(y, cellY, yi, 2, TailStrategy::RoundUp)
        .tile(cellX, cellY, blockX, blockY, cellX, cellY, tileX / 2, tileY / 2,
              TailStrategy::ShiftInwards)
        .split(cellX, threadX, cellX, wide / 2)
        .split(cellY, threadY, cellY, tall / 2)
        .reorder(xi, cellX, yi, cellY, c, threadX, threadY, blockX, blockY)
        .unroll(xi)
        .unroll(yi)
        .unroll(cellX)
        .unroll(cellY)
        .unroll(c)
        .gpu_blocks(blockX, blockY)
        .gpu_threads(threadX, threadY);
  }

  void overThreads(Func stage) {
    stage.split(x, cellX, threadX, threadsX, TailStrategy::GuardWithIf)
        .split(y, cellY, threadY, threadsY, TailStrategy::GuardWithIf)
        .reorder(cellX, cellY, threadX, threadY)
        .gpu_threads(threadX, threadY);
  }

  Var x{"x"}, y{"y"}, c{"c"};
  Var xi{"xi"}, yi{"yi"}, cellX{"cell_x"}, cellY{"cell_y"};
  Var threadX{"thread_x"}, threadY{"thread_y"}, blockX{"block_x"}, blockY{"block_y"};
  Func shifted{"shifted"}, denoised{"denoised"}, deinterleaved{"deinterleaved"};
  Func greenAtRed{"green_at_red"}, greenAtBlue{"green_at_blue"}, demosaiced{"demosaiced"};
  Func matrix{"matrix"}, corrected{"corrected"}, curve{"curve"}, curved{"curved"};
  Func blurredRows{"blurred_rows"}, blurred{"blurred"}, mask{"mask"};
};

} // namespace

HALIDE_REGISTER_GENERATOR(CameraPipe, camera_pipe)
