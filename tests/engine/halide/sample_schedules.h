// SPDX-License-Identifier: MIT
#pragma once

namespace tessera::halide::testing {

// Hand-written schedules for samples, as sketches (tests/engine/schedule/sketch.h).

inline constexpr const char *kBlur = R"(
  output         split x xo xt 64 auto | split y yo yt 16 auto | split xt xt xi 2 auto
  output         split yt yt yi 4 auto | reorder xi yi xt yt xo yo | unroll xi | unroll yi
  output         gpu_threads xt yt | gpu_blocks xo yo
  blur_x         compute_at output:xt | store_in registers | unroll x | unroll y
)";

// The luminance is in shared memory, and each thread keeps its gradients in registers.
inline constexpr const char *kHarris = R"(
  output         split x xo xt 32 guard_with_if | split y yo yt 8 guard_with_if
  output         reorder xt yt xo yo | gpu_threads xt yt | gpu_blocks xo yo
  gray           compute_at output:xo | store_in shared | gpu_threads x y
  dx             compute_at output:xt | unroll x | unroll y
  dy             compute_at output:xt | unroll x | unroll y
)";

// Histograms of strips of rows with atomics, from rfactor and a copy of its result. The scan is in
// one block.
inline constexpr const char *kHist = R"(
  histogram.1    split ~rows$x ~ro ~ri 32 auto | rfactor ~ro strip -> partial
  partial        in -> partial_copy
  partial_copy   compute_root | bound_extent b 256 | split b bo bi 32 auto
  partial_copy   gpu_threads bi bo | gpu_blocks strip
  partial        compute_at partial_copy:strip | split b bo bi 32 auto | gpu_threads bi bo
  partial.1      split b bo bi 32 auto | reorder ~ri bi bo | gpu_threads bi bo
  row_histogram  compute_at partial_copy:strip | split b bo bi 32 auto | reorder bo bi y
  row_histogram  gpu_threads bi y
  row_histogram.1 atomic 0 | split ~columns$x ~co ~ci 32 auto | reorder ~co ~ci y
  row_histogram.1 gpu_threads ~ci y
  histogram      compute_root | split b bo bi 64 auto | gpu_blocks bo | gpu_threads bi
  histogram.1    split b bo bi 64 auto | reorder ~ro bi bo | gpu_blocks bo | gpu_threads bi
  below          in -> below_copy
  below_copy     compute_root | bound_extent b 256 | split b bo bi 256 auto | gpu_threads bi
  below_copy     gpu_blocks bo
  below          compute_at below_copy:bo | gpu_threads b
  output         bound c 0 3 | reorder c x y | unroll c | split x xo xi 32 auto
  output         split y yo yi 8 auto | reorder c xi yi xo yo | gpu_threads xi yi
  output         gpu_blocks xo yo
  equal          compute_at output:xi
)";

} // namespace tessera::halide::testing
