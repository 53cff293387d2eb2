// SPDX-License-Identifier: MIT
#include "tests/engine/schedule/rules/legality_examples.h"

#include "tests/engine/schedule/rules/legality_sketches.h"

#include <ostream>

namespace tessera::schedule::testing {

namespace {

using namespace sketches;

const std::vector<Example> kExamples{
    {Rule::FactorDivides, kPoint, "f split x a b 32 guard_with_if | split b c d 5 guard_with_if",
     "f.0 factors 0", "f: it has a factor of 5 inside one of 32", "a divisor of 32",
     "f split x a b 32 guard_with_if | split b c d 4 guard_with_if"},

    // --- rules about places
    {Rule::OutputAtRoot, "func f(x) 8 = \nfunc g(x) 8 = f(x)\noutput f\noutput g\n",
     "f compute_at g:x", "f.0 compute 0",
     "f is an output and cannot be computed inside another func", "a kernel of its own", ""},
    {Rule::InlineIsPure,
     "func s(x) 8 = \nupdate s(x) r:0:3 = s(x)\nfunc g(x) 8 = s(x)\nfunc h(x) 8 = s(x) g(x)\n"
     "output h\n",
     "g compute_root", "s.0 compute 0", "s has updates and cannot be inlined",
     "a kernel of its own, or a loop of a stage that reads it", "s compute_root\ng compute_root"},
    // What reads t reads only the first of its two values.
    {Rule::InlineIsPure,
     "func s(x) 8 = \nfunc t(x) 8 float32 float32 = s(x)\nfunc h(x) 8 = t(x)\noutput h\n",
     "s compute_root", "t.0 compute 0",
     "t has a value that no stage reads; where it is inlined, Halide 21 fails at what only that "
     "value needs",
     "a kernel of its own, or a loop of a stage that reads it", "s compute_root\nt compute_root"},
    {Rule::PlaceExists, "func e(x) 8 = \nfunc f(x) 8 = \nfunc g(x) 8 = e(x) f(x)\noutput g\n",
     "e compute_root\nf compute_at e:x", "f.0 compute 0",
     "f is placed in a stage that does not come after it",
     "a stage that reads it, directly or through other stages", "e compute_root\nf compute_at g:x"},
    {Rule::PlaceExists, "func e(x) 8 = \nfunc f(x) 8 = e(x)\nfunc g(x) 8 = f(x)\noutput g\n",
     "e compute_at f:x", "e.0 compute 0", "e is placed in f, which is inlined and has no loops",
     "a loop of the stage that f is inlined into", "e compute_at g:x"},
    {Rule::PlaceEncloses, "func e(x) 8 = \nfunc f(x) 8 = e(x)\nfunc g(x) 8 = e(x) f(x)\noutput g\n",
     "f compute_root\ne compute_at g:x", "e.0 compute 0",
     "e is computed in g, but is also read outside of it",
     "a loop around all stages that read it, or a kernel of its own", "e compute_at g:x"},
    {Rule::PlaceBetweenBlocks, kBlur, "g gpu_blocks x y\nf compute_at g:y", "f.0 compute 0",
     "f is placed between the block loops of g",
     "the innermost block loop, a loop inside it, or one outside all of them",
     "g gpu_blocks x y\nf compute_at g:x"},
    {Rule::PlaceBetweenBlocks, kBlur,
     "g split x a b 8 guard_with_if | gpu_threads b a | gpu_blocks y\nf compute_at g:a",
     "f.0 compute 0", "f is placed between the thread loops of g",
     "the innermost thread loop, a loop inside it, or one outside all of them",
     "g split x a b 8 guard_with_if | gpu_threads b a | gpu_blocks y\nf compute_at g:b"},
    {Rule::VectorInnermost, kBlur, "g split x a b 4 shift_inwards | vectorize b\nf compute_at g:b",
     "f.0 compute 0", "f is computed inside the vectorised loop of g",
     "a loop outside the vectorised one",
     "g split x a b 4 shift_inwards | vectorize b\nf compute_at g:a"},
    {Rule::VectorInnermost, kPoint,
     "f split x a b 4 shift_inwards | reorder a b | gpu_threads a | vectorize b | gpu_blocks y",
     "f.0 order 0", "f: it has thread loops inside its vectorised loop",
     "the vectorised loop inside all thread loops",
     "f split x a b 4 shift_inwards | gpu_threads a | vectorize b | gpu_blocks y"},
    {Rule::StoreApart, kBlur, "f compute_at g:x | store_at g:y", "f.0 store 0",
     "f is not stored where it is computed", "the place where it is computed",
     "f compute_at g:x | store_at g:x"},
    {Rule::StoreApart, kBlur, "f compute_at g:x | hoist_storage_root", "f.0 hoist 0",
     "f is not stored where it is computed", "the place where it is computed", "f compute_at g:x"},
    {Rule::StorageDepth, kBlur, "f compute_root | store_in shared", "f.0 storage 0",
     "f is stored on the host, where there is no storage 'shared'", "global",
     "f compute_root | store_in global"},
    {Rule::StorageDepth, kBlur, "g gpu_blocks y\nf compute_at g:y | store_in stack",
     "f.0 storage 0", "f is stored in a block, where there is no storage 'stack'", "shared, global",
     "g gpu_blocks y\nf compute_at g:y | store_in shared"},
    {Rule::StorageDepth, kBlur,
     "g gpu_blocks y | gpu_threads x\nf compute_at g:x | store_in shared", "f.0 storage 0",
     "f is stored in a thread, where there is no storage 'shared'",
     "auto (registers of the thread), global",
     "g gpu_blocks y | gpu_threads x\nf compute_at g:x | store_in registers"},
    {Rule::StorageDepth, kBlur,
     "g gpu_blocks y | gpu_threads x\nf compute_at g:y | store_in registers | gpu_threads x",
     "f.0 storage 0", "f is stored in a block, where there is no storage 'registers'",
     "shared, global",
     "g gpu_blocks y | gpu_threads x\nf compute_at g:y | store_in shared | gpu_threads x"},

    // --- rules about loops
    {Rule::HostLoopInKernel, kPoint, "f gpu_blocks y | parallel x", "f.0 order 0",
     "f: it has a parallel loop inside a kernel", "block and thread loops",
     "f gpu_blocks y | gpu_threads x"},
    {Rule::HostLoopInKernel, kBlur, "g gpu_blocks y\nf compute_at g:y | parallel x", "f.0 order 0",
     "f: it has a parallel loop inside a kernel", "block and thread loops",
     "g gpu_blocks y\nf compute_at g:y | gpu_threads x"},
    {Rule::BlocksInKernel, kBlur, "g gpu_blocks y\nf compute_at g:y | gpu_blocks x", "f.0 order 0",
     "f: it is computed inside a kernel but has block loops", "thread loops",
     "g gpu_blocks y\nf compute_at g:y | gpu_threads x"},
    {Rule::BlocksInKernel, kBlur, "g gpu_blocks y\nf compute_at g:y | gpu_single_thread",
     "f.0 order 0", "f: it is computed inside a kernel but has block loops", "thread loops",
     "g gpu_blocks y\nf compute_at g:y"},
    {Rule::ThreadsInThread, kBlur,
     "g gpu_blocks y | gpu_threads x\nf compute_at g:x | gpu_threads x", "f.0 order 0",
     "f: it is computed by each thread but has thread loops", "serial and unrolled loops",
     "g gpu_blocks y | gpu_threads x\nf compute_at g:x | unroll x"},
    {Rule::ThreadsWithoutBlocks, kPoint, "f gpu_threads x", "f.0 order 0",
     "f: it has thread loops but no block loop", "a block loop around them",
     "f gpu_threads x | gpu_blocks y"},
    {Rule::BlocksOutermost, "func f(x y z) 8 8 8 = \noutput f\n", "f gpu_blocks x z", "f.0 order 0",
     "f: there is another loop between its block loops", "block loops directly inside each other",
     "f gpu_blocks y z"},
    {Rule::BlocksOutermost, kPoint, "f split y a b 8 guard_with_if | gpu_blocks x | vectorize b",
     "f.0 order 0", "f: a vectorized loop surrounds its block loops",
     "serial or unrolled host loops, or none",
     "f split y a b 8 guard_with_if | gpu_blocks x | unroll b"},
    {Rule::BlocksOutermost, kPoint, "f gpu_single_thread | gpu_blocks y", "f.0 order 0",
     "f: it runs as a single thread but has block or thread loops", "", "f gpu_single_thread"},
    {Rule::BlocksOutermost, kPoint,
     "f split x a b 32 guard_with_if | gpu_lanes b | gpu_single_thread", "f.0 order 0",
     "f: it runs as a single thread but has block or thread loops", "",
     "f split x a b 32 guard_with_if | gpu_lanes b | gpu_blocks y"},
    {Rule::BlockDimensions, kFourDims, "f gpu_blocks x y z | gpu_blocks w", "f.0 order 0",
     "f: it has 4 block loops", "at most 3; fuse some of them", "f gpu_blocks y z w"},
    {Rule::ThreadDimensions, "func f(x y z w v) 2 2 2 2 8 = \noutput f\n",
     "f gpu_threads x y z | gpu_threads w | gpu_blocks v", "f.0 order 0",
     "f: it has 4 thread loops", "at most 3; fuse some of them",
     "f gpu_threads x y z | gpu_blocks v"},

    // --- rules about sizes
    {Rule::ThreadsPerBlock, kPoint,
     "f split y a b 32 guard_with_if | gpu_threads x b | gpu_blocks a", "f.0 factors 0",
     "the kernel of f has blocks of 64×32×1 threads",
     "at most 1024 in all; the stages of a kernel share their dimensions",
     "f split y a b 16 guard_with_if | gpu_threads x b | gpu_blocks a"},
    {Rule::ThreadsPerBlock, "func f(x y z w) 2 2 128 8 = \noutput f\n",
     "f gpu_threads x y z | gpu_blocks w", "f.0 factors 0", "the kernel of f has 128 threads in z",
     "at most 64", "f reorder z y x | gpu_threads x y z | gpu_blocks w"},
    {Rule::ThreadsPerBlock, kBlur,
     "g split x a b 32 guard_with_if | split y c d 32 guard_with_if | reorder b d a c | "
     "gpu_threads b d | gpu_blocks a c\n"
     "f compute_at g:a | gpu_threads x",
     "g.0 factors 0", "the kernel of g has blocks of 34×32×1 threads",
     "at most 1024 in all; the stages of a kernel share their dimensions",
     "g split x a b 32 guard_with_if | split y c d 16 guard_with_if | reorder b d a c | "
     "gpu_threads b d | gpu_blocks a c\n"
     "f compute_at g:a | gpu_threads x"},
    // If two guards cut the region of a func, Halide launches as many threads as the whole func
    // needs.
    {Rule::ThreadsPerBlock,
     "func f(x) 4096 = \nfunc g(x) 4096 = f(x)\nfunc h(x) 4096 = g(x)\noutput h\n",
     "h split x a b 32 guard_with_if | gpu_threads b | gpu_blocks a\n"
     "g compute_at h:a | split x p q 16 guard_with_if | gpu_threads q\n"
     "f compute_at h:a | gpu_threads x",
     "h.0 factors 0", "the kernel of h has 4096 threads in x", "at most 1024",
     "h split x a b 32 guard_with_if | gpu_threads b | gpu_blocks a\n"
     "g compute_at h:a | split x p q 16 guard_with_if | gpu_threads q\n"
     "f compute_at h:a | split x p q 16 guard_with_if | gpu_threads q"},
    // Halide also launches threads for the whole func if a boundary cuts the remainder of a fused
    // loop.
    {Rule::ThreadsPerBlock,
     "func f(x y n) 16 512 8 = \n"
     "func g(x y n) 16 512 8 = f(x; clamp(y+[-1,1],0,511); n)\noutput g\n",
     "g fuse y n t | gpu_threads x | gpu_blocks t\nf compute_at g:t | gpu_threads x y",
     "g.0 factors 0", "the kernel of g has blocks of 16×512×1 threads",
     "at most 1024 in all; the stages of a kernel share their dimensions",
     "g gpu_threads x | gpu_blocks y n\nf compute_at g:y | gpu_threads x y"},
    // Halide also launches threads for all of f if it takes the bounds of f over all tiles, because
    // the tile number does not cancel. That happens if guarded tiles of 3 read f at x/2, or if a
    // boundary cuts the region of f.
    {Rule::ThreadsPerBlock, "func f(x) 2048 = \nfunc g(x) 4096 = f(x/2)\noutput g\n",
     "g split x a b 3 guard_with_if | gpu_threads b | gpu_blocks a\nf compute_at g:a | gpu_threads "
     "x",
     "g.0 factors 0", "the kernel of g has 2048 threads in x", "at most 1024",
     "g split x a b 4 guard_with_if | gpu_threads b | gpu_blocks a\n"
     "f compute_at g:a | gpu_threads x"},
    {Rule::ThreadsPerBlock,
     "func f(x) 4096 = \nfunc g(x) 4096 = f(clamp(x+[-1,1],0,4095))\noutput g\n",
     "g split x a b 32 guard_with_if | gpu_threads b | gpu_blocks a\nf compute_at g:a | "
     "gpu_threads x",
     "g.0 factors 0", "the kernel of g has 4096 threads in x", "at most 1024",
     "g split x a b 32 guard_with_if | gpu_threads b | gpu_blocks a\n"
     "f compute_at g:b"},
    // Halide does not know where a tile begins that is shifted inwards. So f may need four rows for
    // four of g, although all tiles begin at even rows, where three suffice.
    {Rule::ThreadsPerBlock,
     "func f(x y) 640 65 = \nfunc g(x y) 640 128 = f(x; y/2+[0,1])\noutput g\n",
     "g split x a b 320 shift_inwards | split y c d 4 shift_inwards | reorder d b a c | "
     "gpu_threads b | gpu_blocks a c\n"
     "f compute_at g:a | gpu_threads x y",
     "g.0 factors 0", "the kernel of g has blocks of 320×4×1 threads",
     "at most 1024 in all; the stages of a kernel share their dimensions",
     "g split x a b 320 shift_inwards | split y c d 2 shift_inwards | reorder d b a c | "
     "gpu_threads b | gpu_blocks a c\n"
     "f compute_at g:a | gpu_threads x y"},
    // g reads f at y plus an offset in [-8, 8] that depends on data. Halide cuts the region of f at
    // the place of its readers.
    {Rule::ThreadsPerBlock,
     "func f(y) 4112 = \nfunc g(y z) 4096 32 = f(y+[-8,8]?)\nfunc h(y) 4096 = g(y; [0,31])\n"
     "output h\n",
     "h split y a b 8 guard_with_if | gpu_threads b | gpu_blocks a\n"
     "g compute_at h:a | split y p q 8 guard_with_if | gpu_threads q\n"
     "f compute_at g:z | split y p q 8 guard_with_if | gpu_threads q p",
     "h.0 factors 0", "the kernel of h has blocks of 8×514×1 threads",
     "at most 1024 in all; the stages of a kernel share their dimensions",
     "h split y a b 8 guard_with_if | gpu_threads b | gpu_blocks a\n"
     "g compute_at h:a | split y p q 8 guard_with_if | gpu_threads q\n"
     "f compute_at g:z | split y p q 8 guard_with_if | gpu_threads q"},
    // A block keeps f. In the refused schedule, x is a remainder of a fused loop, and Halide does
    // not know its extent.
    {Rule::SharedMemory,
     "func f(x y) 64 4 = \nfunc g(x y) 64 4 = f(x; y)\nfunc h(x y) 64 4 = g(x; y)\noutput h\n",
     "h split x a b 32 guard_with_if | reorder b y a | gpu_threads b | gpu_blocks a\n"
     "g compute_at h:a | split x p q 16 guard_with_if | gpu_threads q\n"
     "f compute_at h:a | fuse x y t | split t p q 32 guard_with_if | gpu_threads q",
     "f.0 fusion 0",
     "f: it is kept by a block, but the extent of x, which is part of a fused loop, depends on "
     "data, or on expressions that Halide cannot bound",
     "this loop as the last of the fused loops",
     "h split x a b 32 guard_with_if | reorder b y a | gpu_threads b | gpu_blocks a\n"
     "g compute_at h:a | split x p q 16 guard_with_if | gpu_threads q\n"
     "f compute_at h:a | fuse y x t | split t p q 32 guard_with_if | gpu_threads q"},
    {Rule::GridLimit, kLong,
     "f split x a b 256 guard_with_if | reorder b a y | gpu_threads b | gpu_blocks a y",
     "f.0 factors 1", "f: it has 70000 blocks in y",
     "at most 65535; larger tiles, or another order of the block loops",
     "f split x a b 256 guard_with_if | reorder b y a | gpu_threads b | gpu_blocks y a"},
    // Halide would give the number of f's threads a name, in each copy the same.
    {Rule::ConstantExtent, kBlur,
     "g split x a b 32 guard_with_if | split y p q 2 guard_with_if | reorder b q a p | unroll q | "
     "gpu_blocks a p\nf compute_at g:q | store_in shared | gpu_threads x",
     "f.0 compute 0",
     "f: an unrolled loop copies its thread loops, and their number depends on the last tile of a "
     "guarded loop",
     "a serial loop instead of the unrolled one",
     "g split x a b 32 guard_with_if | split y p q 2 guard_with_if | reorder b q a p | "
     "gpu_blocks a p\nf compute_at g:q | store_in shared | gpu_threads x"},
    {Rule::ConstantExtent, kPoint, "f unroll x", "f.0 order 0",
     "f: an unrolled loop has an extent that depends on the size",
     "a split that gives it a constant extent", "f split x a b 4 guard_with_if | unroll b"},
    {Rule::ConstantExtent, kPoint, "f gpu_lanes x | gpu_blocks y", "f.0 order 0",
     "f: a lane loop has an extent that depends on the size",
     "a split that gives it a constant extent",
     "f split x a b 32 guard_with_if | gpu_lanes b | gpu_blocks y"},
    {Rule::ConstantExtent,
     "input in 64 64\nfunc f(x y) 64 64 = in(x; y)\nfunc g(x) 64 = \n"
     "update g(x) r:0:64 = g(x) f(x; r)\noutput g\n",
     "g.1 split x a b 32 guard_with_if | gpu_threads b | gpu_blocks a\nf compute_at g.1:b",
     "f.0 storage 0",
     "f is stored per thread, but its size depends on the size of the whole "
     "func",
     "a compute place further out",
     "g.1 split x a b 32 guard_with_if | gpu_threads b | gpu_blocks a\nf compute_at g.1:a"},
    // Two iterations of t may wrap around from the last y to the first, and a guard inside tests
    // every y. So the region of f covers all of y.
    {Rule::ConstantExtent,
     "func f(x y n) 64 32 2 = \nfunc g(x y n) 64 32 2 = f(x; y; n)\noutput g\n",
     "g split y p q 2 guard_with_if | fuse p n t | split t u v 2 guard_with_if | "
     "reorder v x q u | gpu_threads x q | gpu_blocks u\nf compute_at g:x",
     "f.0 storage 0",
     "f is stored per thread, but its size depends on the size of the whole "
     "func",
     "a compute place further out",
     "g split y p q 2 guard_with_if | fuse p n t | reorder x q t | gpu_threads x q | "
     "gpu_blocks t\nf compute_at g:x"},
    // Loops of 12 and 2 are fused (24 iterations). A part of 64 iterations wraps around z and k
    // several times, so it has no constant region of f.
    {Rule::ConstantExtent,
     "func f(x z k) 64 12 2 = \nfunc g(x z k) 64 12 2 = f(x+[0,2]; z; k)\noutput g\n",
     "g fuse z k a | split a b c 64 guard_with_if | reorder c x b | gpu_threads x | gpu_blocks b\n"
     "f compute_at g:x",
     "f.0 compute 0",
     "f is stored per thread, but its size is not constant: the fused loop around it has 24 "
     "iterations and is split by 64",
     "a factor of at most 24, or a compute place further in",
     "g fuse z k a | split a b c 24 guard_with_if | reorder c x b | gpu_threads x | gpu_blocks b\n"
     "f compute_at g:c"},
    // The index of k's tile is that of the fused loop divided by the extent of z, so to Halide the
    // extent of k is not constant (found by the search "auto" on lens_blur).
    {Rule::ConstantExtent,
     "func f(x z k) 66 12 2 = \nfunc g(x z k) 64 12 2 = f(x+[0,2]; z; k)\n"
     "func h(x z) 64 12 = g(x; z; 0) g(x; z; 1)\noutput h\n",
     "g compute_root | split x a b 32 shift_inwards | split k p u 2 guard_with_if | fuse z p t | "
     "reorder u b a t | unroll u | gpu_threads b | gpu_blocks a t\n"
     "f compute_at g:a | unroll k",
     "f.0 order 2", "f: an unrolled loop has an extent that depends on the size",
     "a split that gives it a constant extent",
     "g compute_root | split x a b 32 shift_inwards | split k p u 2 guard_with_if | "
     "reorder u b a z p | unroll u | gpu_threads b | gpu_blocks a z p\n"
     "f compute_at g:a | unroll k"},
    // g is no output, so its last tile along c ends where its readers need it. Halide knows that
    // all 4 values of c fit into one tile of 8. It bounds the extent of f by 4 and by 4 - 4 t. It
    // uses the latter, which is not constant because t is a loop.
    {Rule::ConstantExtent,
     "func f(x c) 64 4 = \nfunc g(x c) 64 4 = f(x; c)\nfunc h(x) 64 = g(x; [0,3])\noutput h\n",
     "g compute_root | split c p q 8 guard_with_if | split q t u 4 guard_with_if | "
     "split x a b 32 round_up | reorder u b t a p | unroll u | gpu_threads b t | gpu_blocks a p\n"
     "f compute_at g:b | vectorize c",
     "f.0 order 1", "f: a vectorized loop has an extent that depends on the size",
     "a split that gives it a constant extent",
     "g compute_root | split c p q 8 guard_with_if | split q t u 2 guard_with_if | "
     "split x a b 32 round_up | reorder u b t a p | unroll u | gpu_threads b t | gpu_blocks a p\n"
     "f compute_at g:b | vectorize c"},
    {Rule::ConstantExtent, kTrimmed,
     "f compute_root | split x a b 32 guard_with_if | gpu_threads b | gpu_blocks a\n"
     "e compute_at f:a | split x c d 8 guard_with_if | unroll c | gpu_threads d",
     "e.0 order 0", "e: an unrolled loop has an extent that depends on the size",
     "a split that gives it a constant extent",
     "f compute_root | split x a b 32 round_up | gpu_threads b | gpu_blocks a\n"
     "e compute_at f:a | split x c d 8 guard_with_if | unroll c | gpu_threads d"},
    // The last tile of q needs 8 elements of r, and the other tiles need 12. In parts of 8, these
    // are 2 - e parts, which is not constant because e is the loop over the tiles of q.
    {Rule::ConstantExtent,
     "func r(x) 76 = \nfunc q(x) 72 = r(x+[0,4])\nfunc p(x) 68 = q(x+[0,4])\n"
     "func g(x) 64 = p(x+[0,4])\noutput g\n",
     "g split x a b 32 guard_with_if | gpu_threads b | gpu_blocks a\n"
     "p compute_at g:a | split x c d 8 round_up | gpu_threads d\n"
     "q compute_at p:c | split x e f 8 guard_with_if | gpu_threads f\n"
     "r compute_at q:e | split x u t 8 guard_with_if | unroll u | gpu_threads t",
     "r.0 order 0", "r: an unrolled loop has an extent that depends on the size",
     "a split that gives it a constant extent",
     "g split x a b 32 guard_with_if | gpu_threads b | gpu_blocks a\n"
     "p compute_at g:a | split x c d 8 round_up | gpu_threads d\n"
     "q compute_at p:c | split x e f 8 guard_with_if | gpu_threads f\n"
     "r compute_at q:e | split x u t 8 guard_with_if | gpu_threads t"},
    // r is computed in a single part of 12, which is shifted inwards, but Halide cannot tell that
    // there is only one.
    {Rule::ConstantExtent,
     "func r(x) 76 = \nfunc q(x) 72 = r(x+[0,4])\nfunc p(x) 68 = q(x+[0,4])\n"
     "func g(x) 64 = p(x+[0,4])\noutput g\n",
     "g split x a b 32 guard_with_if | gpu_threads b | gpu_blocks a\n"
     "p compute_at g:a | split x c d 8 round_up | gpu_threads d\n"
     "q compute_at p:c | split x e f 8 guard_with_if | gpu_threads f\n"
     "r compute_at q:e | split x u t 12 shift_inwards | unroll u | gpu_threads t",
     "r.0 order 0", "r: an unrolled loop has an extent that depends on the size",
     "a split that gives it a constant extent",
     "g split x a b 32 guard_with_if | gpu_threads b | gpu_blocks a\n"
     "p compute_at g:a | split x c d 8 round_up | gpu_threads d\n"
     "q compute_at p:c | split x e f 8 guard_with_if | gpu_threads f\n"
     "r compute_at q:e | split x u t 12 guard_with_if | unroll u | gpu_threads t"},
    // A boundary cuts a range that another boundary has already cut. A guard between them does not
    // change that (found by random schedule 33 of synthetic100, seed 13001).
    {Rule::ConstantExtent, kClampedTwice,
     "h split x a b 32 guard_with_if | gpu_threads b | gpu_blocks a | reorder b a y\n"
     "g compute_at h:b | split x c d 4 guard_with_if\nf compute_at g:y | unroll x",
     "f.0 order 0", "f: an unrolled loop has an extent that depends on the size",
     "a split that gives it a constant extent",
     "h split x a b 32 guard_with_if | gpu_threads b | gpu_blocks a | reorder b a y\n"
     "g compute_at h:b | split x c d 4 guard_with_if\nf compute_at g:y"},
    // The end of g is an expression such as (height/2)*2 instead of a name, so Halide finds no
    // constant extent of f (found by random schedule 22 of camera_pipe, seed 13001).
    {Rule::ConstantExtent,
     "input in 64\nfunc f(x) 64 = in(x)\nfunc g(x) 64 bounded = f(x)\noutput g\n",
     "g split x a b 32 guard_with_if | split b c d 4 guard_with_if | reorder d c a | "
     "gpu_threads c | gpu_blocks a\nf compute_at g:c | unroll x",
     "f.0 order 0", "f: an unrolled loop has an extent that depends on the size",
     "a split that gives it a constant extent",
     "g split x a b 32 guard_with_if | split b c d 4 guard_with_if | reorder d c a | "
     "gpu_threads c | gpu_blocks a\nf compute_at g:c"},
    // The region of f that a thread needs, from f(0) to f(x), grows with x.
    {Rule::LocalMemory, "func f(x) 200000 = \nfunc g(x) 200000 = f(x) f(0)\noutput g\n",
     "g split x a b 32 guard_with_if | gpu_threads b | gpu_blocks a\nf compute_at g:b",
     "f.0 storage 0", "f takes 800000 bytes per thread", "at most 16384",
     "g split x a b 32 guard_with_if | gpu_threads b | gpu_blocks a\nf compute_root"},
    // A thread keeps three elements of f in global memory. There are 64 threads in each of
    // 40,000,000 blocks.
    {Rule::LocalMemory, "func f(x) 2560000002 = \nfunc g(x) 2560000000 = f(x+[0,2])\noutput g\n",
     "g split x a b 64 guard_with_if | gpu_threads b | gpu_blocks a\n"
     "f compute_at g:b | store_in global",
     "f.0 storage 0", "f takes 7680000000 elements of global memory for all blocks of its kernel",
     "registers, stack, or at most 2147483647",
     "g split x a b 64 guard_with_if | gpu_threads b | gpu_blocks a\nf compute_at g:b"},
    {Rule::BoundedInKernel, "func f(x) 64 bounded = \nfunc g(x) 64 = f(x)\noutput g\n",
     "g split x a b 32 guard_with_if | gpu_blocks a\nf compute_at g:a", "f.0 compute 0",
     "the algorithm bounds f in x, but only a part of that is computed in a kernel, which cannot "
     "check the bound",
     "a kernel of its own, or a compute place outside all loops over that dimension",
     "g split x a b 32 guard_with_if | gpu_blocks a\nf compute_root"},
    {Rule::UnrollSize, "func f(x y) 8192 64 = \noutput f\n",
     "f split x a b 8192 guard_with_if | unroll b", "f.0 order 0",
     "f: unrolling makes 8192 copies of a statement", "at most 4096",
     "f split x a b 4096 guard_with_if | unroll b"},
    {Rule::VectorWidth, kPoint, "f split x a b 3 shift_inwards | vectorize b", "f.0 factors 0",
     "f: its vectors have 3 elements", "2, 4, 8, … or 16",
     "f split x a b 2 shift_inwards | vectorize b"},
    {Rule::VectorWidth, kPoint,
     "f split x a b 4 shift_inwards | split y c d 4 shift_inwards | vectorize b | vectorize d",
     "f.0 order 0", "f: it has two vectorised loops", "one vectorised loop",
     "f split x a b 4 shift_inwards | split y c d 4 shift_inwards | vectorize b | unroll d"},
    {Rule::VectorTail, kPoint, "f split x a b 4 guard_with_if | vectorize b", "f.0 tails 0",
     "f: a guard cuts off part of a vector",
     "shift_inwards, round_up, or a constant extent that the factor divides",
     "f split x a b 4 shift_inwards | vectorize b"},
    {Rule::SharedMemory, "func f(x y) 16384 64 = \nfunc g(x y) 12289 64 = f(x; y)\noutput g\n",
     "g gpu_blocks y\nf compute_at g:y", "g.0 factors 0",
     "the kernel of g has blocks that keep 49156 bytes in shared memory",
     "at most 49152; smaller tiles, or fewer stages in the kernel",
     "g gpu_blocks y\nf compute_at g:y | store_in global"},
    // Only 16 of 32 threads are in use, so the memory that two funcs keep for each thread would
    // overlap.
    {Rule::StorageDepth, kThree,
     "h split x a b 64 guard_with_if | split b t u 4 guard_with_if | gpu_threads t | gpu_blocks a "
     "y\n"
     "g compute_at h:t | store_in global\n"
     "f compute_at h:a | split x p q 32 guard_with_if | gpu_threads q",
     "g.0 storage 0",
     "g is stored per thread in global memory, but other stages of its kernel have more threads",
     "registers, stack",
     "h split x a b 64 shift_inwards | split b t u 4 shift_inwards | gpu_threads t | gpu_blocks a "
     "y\n"
     "g compute_at h:t | store_in registers\n"
     "f compute_at h:a | split x p q 32 guard_with_if | gpu_threads q"},
    {Rule::SharedReuse, kFive,
     "h split x xo xi 32 shift_inwards | gpu_threads xi | gpu_blocks xo\n"
     "a compute_at h:xo | gpu_threads x\n"
     "c compute_at h:xo | split x xo xt 8 shift_inwards | gpu_threads xt\n"
     "b compute_at c:xo | gpu_threads x\nd compute_at c:xo | gpu_threads x",
     "d.0 compute 0",
     "in each iteration of a loop of c, d is computed after the last use of a, so Halide would "
     "overwrite a with d although the next iteration reads a again",
     "the compute place of a, or another storage for one of the two",
     "h split x xo xi 32 shift_inwards | gpu_threads xi | gpu_blocks xo\n"
     "a compute_at h:xo | gpu_threads x\n"
     "c compute_at h:xo | split x xo xt 8 shift_inwards | gpu_threads xt\n"
     "b compute_at h:xo | gpu_threads x\nd compute_at c:xo | gpu_threads x"},
    // c has 8 points if a tile of h begins at a multiple of 4, and 9 otherwise.
    {Rule::SharedReuse,
     "func a(x) 1024 = \nfunc b(x) 1024 = a(x+[-1,1])\nfunc d(x) 1024 = b(x+[-1,1])\n"
     "func c(x) 1024 = d(x)\nfunc h(x) 4096 = c(x/4)\noutput h\n",
     "h split x xo xi 32 shift_inwards | gpu_threads xi | gpu_blocks xo\n"
     "a compute_at h:xo | gpu_threads x\n"
     "c compute_at h:xo | split x xo xt 8 guard_with_if | gpu_threads xt\n"
     "b compute_at c:xo | gpu_threads x\nd compute_at c:xo | gpu_threads x",
     "d.0 compute 0",
     "in each iteration of a loop of c, d is computed after the last use of a, so Halide would "
     "overwrite a with d although the next iteration reads a again",
     "the compute place of a, or another storage for one of the two",
     "h split x xo xi 32 shift_inwards | gpu_threads xi | gpu_blocks xo\n"
     "a compute_at h:xo | gpu_threads x\n"
     "c compute_at h:xo | split x xo xt 16 guard_with_if | gpu_threads xt\n"
     "b compute_at c:xo | gpu_threads x\nd compute_at c:xo | gpu_threads x"},
    // Each func takes 36,864 bytes. The place of f cannot be reused for g, because f is read again
    // after g.
    {Rule::SharedMemory,
     "func f(x y) 9216 64 = \nfunc g(x y) 9216 64 = f(x; y)\n"
     "func h(x y) 9216 64 = g(x; y) f(x; y)\noutput h\n",
     "h split x a b 256 guard_with_if | gpu_threads b | gpu_blocks y\n"
     "g compute_at h:y | split x a b 256 guard_with_if | gpu_threads b\n"
     "f compute_at h:y | split x a b 256 guard_with_if | gpu_threads b",
     "h.0 factors 0", "the kernel of h has blocks that keep 73728 bytes in shared memory",
     "at most 49152; smaller tiles, or fewer stages in the kernel", ""},
    // g is computed for the whole tile of 16,384 points (round_up), although only 1,536 of them are
    // read. A block keeps f for all of them.
    {Rule::SharedMemory,
     "func f(x y) 1536 64 = \nfunc g(x y) 1536 64 = f(x; y)\nfunc h(x y) 1536 64 = g(x; y)\n"
     "output h\n",
     "g compute_root | split x a b 16384 round_up | split b t u 64 guard_with_if | gpu_threads t | "
     "gpu_blocks a y\n"
     "f compute_at g:a | split x u t 256 guard_with_if | gpu_threads t",
     "g.0 factors 0", "the kernel of g has blocks that keep 65536 bytes in shared memory",
     "at most 49152; smaller tiles, or fewer stages in the kernel",
     "g compute_root | split x a b 16384 guard_with_if | split b t u 64 guard_with_if | "
     "gpu_threads t | gpu_blocks a y\n"
     "f compute_at g:a | split x u t 256 guard_with_if | gpu_threads t"},
    // If one column is left for the last tile, f begins 63 columns before it (shift_inwards), and g
    // reads up to 63 columns beyond it (round_up). This case comes from lens_blur.
    {Rule::SharedMemory,
     "func f(x y) 1536 160 = \nfunc g(x y) 1536 160 = f(x; y)\nfunc h(x y) 1536 160 = g(x; y)\n"
     "output h\n",
     "h compute_root | split x a b 64 guard_with_if | split y c s 80 guard_with_if | "
     "reorder s b a c | gpu_threads b | gpu_blocks a c\n"
     "g compute_at h:a | split x u t 64 round_up | gpu_threads t\n"
     "f compute_at h:a | split x u t 64 shift_inwards | gpu_threads t",
     "h.0 factors 0", "the kernel of h has blocks that keep 61120 bytes in shared memory",
     "at most 49152; smaller tiles, or fewer stages in the kernel",
     "h compute_root | split x a b 64 guard_with_if | split y c s 80 guard_with_if | "
     "reorder s b a c | gpu_threads b | gpu_blocks a c\n"
     "g compute_at h:a | split x u t 64 round_up | gpu_threads t\n"
     "f compute_at h:a | split x u t 64 guard_with_if | gpu_threads t"},
    // A block keeps f for all 32 threads of h along y, though 31 are idle: the rounded-up loop of p
    // begins in each of them.
    {Rule::SharedMemory,
     "func f(x y n) 64 96 4 = \nfunc p(x y) 64 96 = f(x; y; [0,3])\nfunc h(x y) 64 96 = p(x; y)\n"
     "func o(x y) 64 96 = h(x; y)\noutput o\n",
     "o split x a b 16 shift_inwards | split y c s 3 shift_inwards | reorder s b a c | "
     "gpu_threads b | gpu_blocks a c\n"
     "h compute_at o:a | split y a b 256 guard_with_if | split b t u 8 guard_with_if | "
     "reorder u x t a | gpu_threads x t\n"
     "p compute_at h:x | split y q r 8 round_up\nf compute_at h:a | gpu_threads x",
     "o.0 factors 0", "the kernel of o has blocks that keep 67520 bytes in shared memory",
     "at most 49152; smaller tiles, or fewer stages in the kernel",
     "o split x a b 16 shift_inwards | split y c s 3 shift_inwards | reorder s b a c | "
     "gpu_threads b | gpu_blocks a c\n"
     "h compute_at o:a | split y a b 256 guard_with_if | split b t u 8 guard_with_if | "
     "reorder u x t a | gpu_threads x t\n"
     "p compute_at h:x | split y q r 8 guard_with_if\nf compute_at h:a | gpu_threads x"},
    // Each func takes 14,000 bytes. In the accepted schedule they share three places. With p in
    // global memory, Halide does not reuse the place of b, so four places are needed.
    {Rule::SharedMemory,
     "func b(x y) 3500 64 = \nfunc p(x y) 3500 64 = b(x; y)\nfunc c(x y) 3500 64 = p(x; y)\n"
     "func d(x y) 3500 64 = b(x; y) c(x; y)\nfunc e(x y) 3500 64 = d(x; y)\n"
     "func f(x y) 3500 64 = d(x; y) e(x; y)\nfunc g(x y) 3500 64 = f(x; y)\noutput g\n",
     "g split x a b 256 guard_with_if | gpu_threads b | gpu_blocks y\n"
     "f compute_at g:y | split x a b 256 guard_with_if | gpu_threads b\n"
     "e compute_at g:y | split x a b 256 guard_with_if | gpu_threads b\n"
     "d compute_at g:y | split x a b 256 guard_with_if | gpu_threads b\n"
     "c compute_at g:y | split x a b 256 guard_with_if | gpu_threads b\n"
     "p compute_at c:b | store_in global\n"
     "b compute_at g:y | split x a b 256 guard_with_if | gpu_threads b",
     "g.0 factors 0", "the kernel of g has blocks that keep 56000 bytes in shared memory",
     "at most 49152; smaller tiles, or fewer stages in the kernel",
     "g split x a b 256 guard_with_if | gpu_threads b | gpu_blocks y\n"
     "f compute_at g:y | split x a b 256 guard_with_if | gpu_threads b\n"
     "e compute_at g:y | split x a b 256 guard_with_if | gpu_threads b\n"
     "d compute_at g:y | split x a b 256 guard_with_if | gpu_threads b\n"
     "c compute_at g:y | split x a b 256 guard_with_if | gpu_threads b\n"
     "p compute_at c:b\n"
     "b compute_at g:y | split x a b 256 guard_with_if | gpu_threads b"},
    {Rule::LocalMemory,
     "input in 200000\nfunc f(x) 200000 = in(x)\nfunc s(y) 64 = \n"
     "update s(y) r:0:4097:fixed = s(y) f(r)\noutput s\n",
     "s gpu_threads y | gpu_single_thread\n"
     "s.1 split y a b 32 guard_with_if | reorder ~r b a | gpu_threads b | gpu_blocks a\n"
     "f compute_at s.1:b",
     "f.0 storage 0", "f takes 16388 bytes per thread", "at most 16384",
     "s.1 split y a b 32 guard_with_if | reorder ~r b a | gpu_threads b | gpu_blocks a\n"
     "f compute_root"},
    // Each of 32 unrolled copies keeps 16 KiB per thread.
    {Rule::LocalMemory,
     "input in 4096\nfunc f(x) 4096 = in(x)\nfunc s(y) 2048 = \n"
     "update s(y) r:0:4096:fixed = s(y) f(r)\noutput s\n",
     "s gpu_threads y | gpu_single_thread\n"
     "s.1 split y a b 1024 guard_with_if | split b c d 32 guard_with_if | reorder ~r d c a | "
     "unroll d | gpu_threads c | gpu_blocks a\nf compute_at s.1:d",
     "s.1 factors 0",
     "the kernel of s.update(0) has threads that keep 524288 bytes of local memory, separately for "
     "each copy of an unrolled loop",
     "at most 174762; fewer unrolled copies, or compute places further in",
     "s.1 split y a b 1024 guard_with_if | split b c d 32 guard_with_if | reorder ~r d c a | "
     "gpu_threads c | gpu_blocks a\nf compute_at s.1:d"},

    // --- rules about reductions
    {Rule::ParallelReduction, kSum, "s.1 gpu_blocks q", "s.1 order 0",
     "s.update(0): a block loop runs steps of the reduction concurrently, which would race",
     "a serial loop", "s.1 reorder ~r ~q x | gpu_blocks x"},
    {Rule::ParallelReduction, kAnyOrder, "s.1 reorder ~r x ~q | gpu_blocks q", "s.1 order 0",
     "s.update(0): a block loop runs steps of the reduction concurrently, which would race",
     "atomic, a serial loop, or rfactor", "s.1 reorder ~r x ~q | gpu_blocks q | atomic 0"},
    {Rule::AtomicType, "func s(x) 64 uint8 = \nupdate s(x) r:0:64 commutative = s(x)\noutput s\n",
     "s.1 atomic 0", "s.1 reduction 0", "s.update(0): GPUs have no atomic update of uint8",
     "a type of 32 or 64 bits", ""},
    {Rule::AtomicType,
     "func s(x) 64 int32 int32 = \nupdate s(x) r:0:64 commutative = s(x)\noutput s\n",
     "s.1 atomic 0", "s.1 reduction 0",
     "s.update(0): a GPU updates the elements of a tuple one by one, so the update is not atomic",
     "an update that is not atomic", ""},
    {Rule::AtomicType, kAnyOrder, "s.1 atomic 0 | split ~r ~a ~b 4 guard_with_if | vectorize ~b",
     "s.1 order 0", "s.update(0): it has a vectorised loop over steps of the atomic reduction",
     "thread loops", "s.1 atomic 0 | split ~r ~a ~b 4 guard_with_if | unroll ~b"},
    {Rule::AtomicType, kAnyOrder, "s.1 atomic 0 | split x a b 4 guard_with_if | vectorize b",
     "s.1 order 0",
     "s.update(0): Halide would store its atomic vector of four as one value of 128 bits",
     "two or eight lanes", "s.1 atomic 0 | split x a b 8 guard_with_if | vectorize b"},
    {Rule::AtomicProof, kSum, "s.1 atomic 0", "s.1 reduction 0",
     "s.update(0): Halide cannot prove that the steps of the reduction may run in any order",
     "an update that is not atomic", "s.1 atomic 1"},
    {Rule::AtomicProof, kSum, "s atomic 1", "s.0 reduction 0",
     "s: a pure definition cannot be atomic", "atomic on an update", "s.1 atomic 1"},
    {Rule::ReductionOrder, kSum, "s.1 reorder ~q ~r", "s.1 order 0",
     "s.update(0): the steps of its reduction are taken in another order, which may change the "
     "result",
     "the order of the definition", "s.1 reorder x ~r ~q"},
    // Halide does not see that a loop of 64 in parts of 64 has only one outer iteration.
    {Rule::ReductionOrder, kSum, "s.1 split ~r ~a ~b 64 guard_with_if | reorder ~a ~b x ~q",
     "s.1 order 0",
     "s.update(0): the steps of its reduction are taken in another order, which may change the "
     "result",
     "the order of the definition", "s.1 split ~r ~a ~b 64 guard_with_if | reorder ~b ~a x ~q"},
};

} // namespace

void PrintTo(const Example &example, std::ostream *out) {
  *out << name(example.rule) << ": " << example.refused;
}

const std::vector<Example> &legalityExamples() {
  static const std::vector<Example> kAll = [] {
    std::vector<Example> all = kExamples;
    for (const std::vector<Example> *more :
         {&externExamples(), &frameExamples(), &laneExamples(), &sizeExamples(), &tailExamples()})
      all.insert(all.end(), more->begin(), more->end());
    return all;
  }();
  return kAll;
}

} // namespace tessera::schedule::testing
