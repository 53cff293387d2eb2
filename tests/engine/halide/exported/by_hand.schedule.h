// SPDX-License-Identifier: MIT
// A schedule of harris as people write them. Read by the project's parser and compiled by Halide,
// it must give the same code: calls that stand for several others must mean the same to both.
#pragma once

#include <Halide.h>

inline Halide::Func funcOf(const Halide::Pipeline &pipeline, const std::string &name) {
  return Halide::Func(
      Halide::Internal::find_transitive_calls(pipeline.outputs()[0].function()).at(name));
}

inline void apply_schedule_by_hand(Halide::Pipeline p, Halide::Target) {
  using namespace Halide;
  Func output = funcOf(p, "output"), gray = funcOf(p, "gray"), sumXx(funcOf(p, "sum_xx"));
  auto dy = funcOf(p, "dy");
  Func sumXy{funcOf(p, "sum_xy")};
  Var x("x"), y("y"), xo{"xo"}, yo("yo"), xi("xi"), yi = Var("yi"), xt("xt"), yt("yt");

  output.tile(x, y, xo, yo, xt, yt, 64, 16)
      .tile({xt, yt}, {xi, yi}, {2, 4})
      .unroll(xi)
      .unroll(yi)
      .gpu(xo, yo, xt, yt);
  gray.compute_root().vectorize(x, 2, TailStrategy::RoundUp).gpu_tile(x, y, xi, yi, 16, 8);
  sumXx.compute_at(output, xt).store_in(MemoryType::Register);
  sumXx.unroll(x, 2).unroll(y);
  dy.compute_root().gpu_tile(x, y, xo, yo, xi, yi, 32, 4, TailStrategy::GuardWithIf);
  sumXy.compute_root();
  sumXy.split(y, yo, yi, 4).parallel(x, 8);
  gray.in(dy).compute_at(dy, xo).gpu_threads(x, y);
  gray.in(dy).store_in(MemoryType::GPUShared);
}
