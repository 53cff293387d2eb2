// SPDX-License-Identifier: MIT
#include "samples/common/test_image.h"
#include "samples/wave_step/reference.h"
#include "tests/samples/sample_test.h"

#include <cmath>
#include <numbers>

namespace tessera::samples {

namespace {

using wave_step::kReach;

Image<double> volume(int width, int height, int depth, double scale) {
  return testImage<double>(width, height, depth, static_cast<float>(scale));
}

void compare(const Halide::Callable &run, int width, int height, int depth) {
  auto now = volume(width + 2 * kReach, height + 2 * kReach, depth + 2 * kReach, 1.0);
  auto before = volume(width, height, depth, 0.9), speed = volume(width, height, depth, 0.3);
  Image<double> output(width, height, depth);
  auto out = view(output, 3);
  EXPECT_EQ(run(view(now, 3).copy(), view(before, 3).copy(), view(speed, 3).copy(), out), 0);
  out.copy_to_host();
  EXPECT_FALSE(isFlat(output));
  // Numbers are of the size of one, and sums are taken in another order.
  EXPECT_TRUE(isClose(wave_step::reference(now, before, speed), output, 1e-13));
}

TEST(WaveStepTest, AlgorithmEqualsReference) {
  const auto run = unscheduledOnHost("wave_step");
  compare(run, 45, 21, 9);
  compare(run, 7, 33, 2);
}

// The schedule by hand is not run here: Halide's code for OpenCL has the weights as float32, which
// only `tessera-cli verify` mends (engine/halide/verify/opencl_doubles.h).

// A plane wave that moves by one grid step in time h. Errors are of order eight in space; those in
// time are made small by a small time step.
TEST(WaveStepReference, FollowsAPlaneWave) {
  constexpr int kSize = 16;
  constexpr double kStep = 1e-3; // of a grid step, which the wave goes in a time step
  const double wave = 2 * std::numbers::pi / kSize;
  Image<double> now(kSize + 2 * kReach, 1 + 2 * kReach, 1 + 2 * kReach), before(kSize, 1, 1),
      speed(kSize, 1, 1);
  for (int z = 0; z < now.channels(); ++z)
    for (int y = 0; y < now.height(); ++y)
      for (int x = 0; x < now.width(); ++x)
        now.at(x, y, z) = std::sin(wave * (x - kReach));
  for (int x = 0; x < kSize; ++x) {
    before.at(x, 0) = std::sin(wave * (x + kStep));
    speed.at(x, 0) = kStep * kStep;
  }
  const auto after = wave_step::reference(now, before, speed);
  for (int x = 0; x < kSize; ++x)
    EXPECT_NEAR(after.at(x, 0), std::sin(wave * (x - kStep)), 1e-12);
}

TEST(WaveStepCounts, AsTheCatalogueSays) {
  const Counts counts = countsOf("wave_step");
  EXPECT_EQ(counts.funcs, 2);
  EXPECT_EQ(counts.stages, 2);
}

} // namespace

} // namespace tessera::samples
