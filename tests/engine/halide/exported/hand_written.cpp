// SPDX-License-Identifier: MIT
#include "tests/engine/halide/exported/hand_written.h"

#include <array>

namespace tessera::halide::testing {

namespace {

constexpr auto kSchedules = std::to_array<HandWritten>({
    {"blur_shared", "blur", R"(
      output    split x xo xi 32 auto | split y yo yi 8 auto | reorder xi yi xo yo
      output    gpu_blocks xo yo | gpu_threads xi yi
      blur_x    compute_at output:xo | store_in shared | gpu_threads x y)"},
    {"blur_promised", "blur", R"(
      output    split x xo xi 64 round_up | split y yo yi 8 auto | split xi xi xv 4 auto
      output    reorder xv xi yi xo yo | vectorize xv | gpu_blocks xo yo | gpu_threads xi yi
      blur_x    compute_at output:xi | vectorize x)",
     R"(input.dim(0).min == 0 && input.host_alignment == 128
input.dim(1).min == 0 && input.dim(1).stride == 2816
output.dim(0).min == 0 && output.dim(0).extent == 2560 && output.host_alignment == 16
output.dim(1).min == 0 && output.dim(1).stride == 2560)"},
    {"blur_variants", "blur", R"(
      output    specialize input.extent.0>1024
      output@0  specialize input.stride.0==1
      output@0.0 split x xo xi 128 auto | gpu_blocks xo y | gpu_threads xi
      output@0  split x xo xi 64 auto | split y yo yi 4 auto | reorder xi yi xo yo
      output@0  gpu_blocks xo yo | gpu_threads xi yi
      output    split x xo xi 32 auto | split y yo yi 8 auto | reorder xi yi xo yo
      output    gpu_blocks xo yo | gpu_threads xi yi | never_partition xo
      output    specialize output.extent.1>512 | specialize_fail small
      blur_x    compute_at output:xo | store_in shared | gpu_threads x y)"},
    {"hist_interleaved", "hist", R"(
      below     compute_root
      histogram compute_root
      row_histogram compute_root | gpu_blocks y | gpu_threads b
      row_histogram.1 split y yo yi 1 auto | gpu_blocks yo | gpu_threads yi
      output    reorder c x y | bound c 0 3 | unroll c | split x xo xi 64 auto
      output    gpu_blocks xo y | gpu_threads xi)",
     R"(input.dim(0).stride == 3
input.dim(2).min == 0 && input.dim(2).extent == 3 && input.dim(2).stride == 1
output.dim(0).stride == 3
output.dim(2).stride == 1)"},
    {"blur_staged", "blur", R"(
      input_im  in -> input$staged
      output    split x xo xi 32 auto | split y yo yi 8 auto | reorder xi yi xo yo
      output    gpu_blocks xo yo | gpu_threads xi yi
      input$staged compute_at output:xo | gpu_threads _0 _1
      blur_x    compute_at output:xo | gpu_threads x y)"},
    {"blur_sliding", "blur", R"(
      output    split x xo xi 32 auto | split y yo yi 8 auto | reorder yi xi xo yo
      output    gpu_blocks xo yo | gpu_threads xi
      blur_x    compute_at output:yi | store_at output:xi | store_in registers)"},
    {"harris_registers", "harris", R"(
      output    split x xo xt 64 auto | split y yo yt 16 auto
      output    split xt xt xi 2 auto | split yt yt yi 4 auto | reorder xi yi xt yt xo yo
      output    unroll xi | unroll yi | gpu_blocks xo yo | gpu_threads xt yt
      dx        compute_at output:xt | store_in registers | unroll x | unroll y
      dy        compute_at output:xt | store_in registers | unroll x | unroll y
      gray      compute_at output:xo | split x xo xi 32 guard_with_if
      gray      split y yo yi 4 guard_with_if | reorder xo yo xi yi | unroll xo | unroll yo
      gray      gpu_threads xi yi)"},
    {"harris_together", "harris", R"(
      output    split x xo xi 32 auto | split y yo yi 8 auto | reorder xi yi xo yo
      output    gpu_blocks xo yo | gpu_threads xi yi
      sum_xx    compute_root | split x xo xi 32 auto | split y yo yi 8 auto | reorder xi yi xo yo
      sum_xx    gpu_blocks xo yo | gpu_threads xi yi
      sum_yy    compute_root | split x xo xi 32 auto | split y yo yi 8 auto | reorder xi yi xo yo
      sum_yy    gpu_blocks xo yo | gpu_threads xi yi | compute_with sum_xx:xo)"},
    {"harris_fused", "harris", R"(
      output    fuse x y int | split int block thread 256 auto | gpu_blocks block
      output    gpu_threads thread
      gray      compute_root | fuse x y x$y | split x$y block thread 128 auto
      gray      gpu_blocks block | gpu_threads thread)"},
    {"hist_rfactor", "hist", R"(
      histogram.1 split ~rows$x ~ro ~ri 32 auto | rfactor ~ro strip -> partial
      partial   compute_root | gpu_blocks strip | gpu_threads b
      partial.1 reorder ~ri b strip | gpu_blocks strip | gpu_threads b
      histogram compute_root | split b bo bi 64 auto | gpu_blocks bo | gpu_threads bi
      histogram.1 split b bo bi 64 auto | reorder ~ro bi bo | gpu_blocks bo | gpu_threads bi
      row_histogram compute_at partial.1:strip | store_in shared | gpu_threads b
      row_histogram.1 gpu_threads y | atomic 1
      below     compute_root
      output    split x xo xi 32 auto | split y yo yi 8 auto | reorder c xi yi xo yo | unroll c
      output    bound c 0 3 | gpu_blocks xo yo | gpu_threads xi yi)"},
    {"many_builds_again", "many_builds", R"(
      sum.2     rfactor ~others$x more -> sum_more
      sum_more  compute_root
      sum       compute_root
      sum_intm  compute_root
      sum_intm$1 compute_root
      blur$1    compute_root | gpu_blocks y | gpu_threads x
      output    split x xo xi 32 auto | gpu_blocks xo y | gpu_threads xi)"},
    {"hist_clone", "hist", R"(
      luma      clone_in red blue -> luma$0
      luma$0    compute_at output:xi
      luma      compute_root | split x xo xi 32 round_up | split y yo yi 8 guard_with_if
      luma      reorder xi yi xo yo | gpu_blocks xo yo | gpu_threads xi yi
      row_histogram compute_root | gpu_blocks y | gpu_threads b
      row_histogram.1 split y yo yi 1 auto | gpu_blocks yo | gpu_threads yi
      histogram compute_root
      below     compute_root
      output    split x xo xi 32 auto | split y yo yi 8 auto | reorder c xi yi xo yo
      output    gpu_blocks xo yo | gpu_threads xi yi)"},
    {"mat_mul_tiled", "mat_mul", R"(
      output    split x xo xt 64 auto | split y yo yt 32 auto | split xt xt xi 4 auto
      output    split yt yt yi 4 auto | reorder xi yi xt yt xo yo | vectorize xi | unroll yi
      output    gpu_threads xt yt | gpu_blocks xo yo | bound x 0 1024 | bound y 0 1024
      product   compute_at output:xt | store_in registers | vectorize x | unroll y
      product.1 split ~k$x ~ko ~ki 8 auto | reorder x y ~ki ~ko | vectorize x | unroll y
      product.1 unroll ~ki)"},
    {"mat_mul_staged", "mat_mul", R"(
      a_im      in product -> a_tile
      output    split x xo xi 32 auto | split y yo yi 8 auto | reorder xi yi xo yo
      output    gpu_blocks xo yo | gpu_threads xi yi
      product   compute_at output:xo | gpu_threads x y
      product.1 split ~k$x ~ko ~ki 32 auto | reorder ~ki x y ~ko | gpu_threads x y
      a_tile    compute_at product.1:~ko | gpu_threads _0 _1 | align_storage _0 32)"},
    {"unsharp_wrapped", "unsharp", R"(
      gray      in ratio sharpened -> gray_again
      kernel    compute_root
      gray      compute_root | split x xo xi 32 auto | split y yo yi 8 auto | reorder xi yi xo yo
      gray      gpu_blocks xo yo | gpu_threads xi yi
      gray_again compute_at ratio:xo | store_in shared | gpu_threads x y
      blur_y    compute_at ratio:xo | gpu_threads x y
      ratio     compute_root | split x xo xi 32 auto | split y yo yi 8 auto
      ratio     reorder xi yi xo yo | gpu_blocks xo yo | gpu_threads xi yi
      output    reorder c x y | bound_extent c 3 | unroll c | align_bounds x 32 0
      output    split x xo xi 32 auto | gpu_blocks xo y | gpu_threads xi)"},
    {"unsharp_lanes", "unsharp", R"(
      kernel    compute_root
      output    split x xo xi 32 round_up | split y yo yi 8 auto | reorder c xi yi xo yo
      output    gpu_blocks xo yo | gpu_threads yi | gpu_lanes xi
      gray      compute_root | reorder_storage y x | split x xo xi 32 auto | gpu_blocks xo y
      gray      gpu_threads xi)"},
});

} // namespace

std::span<const HandWritten> handWritten() { return kSchedules; }

} // namespace tessera::halide::testing
