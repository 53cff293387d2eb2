// SPDX-License-Identifier: MIT
// The alignment of what each thread keeps, in kernels with vectors.
#include "tests/engine/schedule/rules/legality_examples.h"

#include "tests/engine/schedule/rules/legality_sketches.h"

namespace tessera::schedule::testing {

namespace {

using namespace sketches;

constexpr const char *kKeptByThread =
    "input in 66\nfunc f(x) 66 = in(x)\nfunc g(x) 64 = f(x+[0,2])\noutput g\n";

constexpr const char *kCopiedByThread =
    "input in 64\nfunc f(x) 64 = in(x)\nfunc g(x) 64 = f(x)\noutput g\n";

constexpr const char *kCopiedByBlock = "input in 32 32 4\nfunc f(x y n) 32 32 4 = in(x; y; n)\n"
                                       "func g(x y n) 32 32 4 = f(x; y; n)\noutput g\n";

constexpr const char *kRows =
    "input in 66 64\nfunc f(x y) 66 64 = in(x; y)\nfunc g(x y) 64 64 = f(x+[0,2]; y)\noutput g\n";

// f is read at x/2. A tile of g that begins at x reads f from x/2 on, and x/2 may be odd.
constexpr const char *kHalved =
    "input in 40\nfunc f(x) 40 = in(x)\nfunc g(x) 64 = f(x/2) f(x/2+1)\noutput g\n";

// Halide may give f the memory of h or of another func, in elements of 4 bytes.
constexpr const char *kTwoWidths = "input in 67\nfunc f(x) 66 uint8 = in(x+[0,1])\n"
                                   "func h(x) 65 = f(x+[0,1])\nfunc g(x) 64 = h(x+[0,1])\n"
                                   "output g\n";

const std::vector<Example> kExamples{
    {Rule::FrameAlignment, kTwoWidths,
     "g split x a b 32 guard_with_if | gpu_threads b | gpu_blocks a\nh compute_at g:a\n"
     "f compute_at g:a | align_storage x 17",
     "f.0 storage 0",
     "f takes 34 bytes with its padding, so it would not fit into memory that it shares with wider "
     "elements",
     "padding to a multiple of 4 bytes, or no padding",
     "g split x a b 32 guard_with_if | gpu_threads b | gpu_blocks a\nh compute_at g:a\n"
     "f compute_at g:a | align_storage x 12"},
    {Rule::FrameAlignment,
     "input in 66\nfunc f(x) 66 sine = in(x)\nfunc g(x) 64 = f(x+[0,2])\noutput g\n",
     "g split x a b 32 shift_inwards | split b c d 4 guard_with_if | vectorize d | gpu_threads c | "
     "gpu_blocks a\nf compute_at g:c | store_in registers",
     "f.0 storage 0",
     "f is stored per thread, in a kernel that calls functions with tables in memory, so its "
     "vectors would not be aligned",
     "no vectors along it, another layout, or unrolled loops over it",
     "g split x a b 32 shift_inwards | split b c d 4 guard_with_if | unroll d | gpu_threads c | "
     "gpu_blocks a\nf compute_at g:c | store_in registers"},
    {Rule::FrameAlignment, kKeptByThread,
     "g split x a b 32 shift_inwards | split b c d 4 guard_with_if | vectorize d | gpu_threads c | "
     "gpu_blocks a\nf compute_at g:c",
     "f.0 storage 0",
     "f is stored per thread at a multiple of 8 bytes, so its vectors of 16 bytes would not be "
     "aligned",
     "vectors of at most 8 or at least 32 bytes, another layout, or unrolled loops over it",
     "g split x a b 32 shift_inwards | split b c d 2 guard_with_if | vectorize d | gpu_threads c | "
     "gpu_blocks a\nf compute_at g:c"},
    {Rule::FrameAlignment, kKeptByThread,
     "g split x a b 32 shift_inwards | split b c d 4 guard_with_if | vectorize d | gpu_threads c | "
     "gpu_blocks a\nf compute_at g:c | split x e h 2 guard_with_if | unroll h",
     "f.0 storage 0",
     "f is stored per thread at a multiple of 8 bytes, so its vectors of 16 bytes would not be "
     "aligned",
     "vectors of at most 8 or at least 32 bytes, another layout, or unrolled loops over it",
     "g split x a b 32 shift_inwards | split b c d 4 guard_with_if | vectorize d | gpu_threads c | "
     "gpu_blocks a\nf compute_at g:c | unroll x"},
    {Rule::FrameAlignment, kHalved,
     "g split x a b 32 shift_inwards | split b c d 4 guard_with_if | unroll d | gpu_threads c | "
     "gpu_blocks a\nf compute_at g:c | split x e h 4 guard_with_if | vectorize h",
     "f.0 storage 0",
     "f is stored per thread at a multiple of 8 bytes, so its vectors of 16 bytes would not be "
     "aligned",
     "vectors of at most 8 or at least 32 bytes, another layout, or unrolled loops over it",
     "g split x a b 32 shift_inwards | split b c d 4 guard_with_if | unroll d | gpu_threads c | "
     "gpu_blocks a\nf compute_at g:c | split x e h 2 guard_with_if | vectorize h"},
    // A thread at x reads f(x) and f(3), so the length of its region of f depends on x.
    {Rule::FrameAlignment, "input in 4\nfunc f(x) 4 = in(x)\nfunc g(x) 4 = f(x) f(3)\noutput g\n",
     "g split x a b 4 guard_with_if | gpu_threads b | gpu_blocks a\n"
     "f compute_at g:b | split x e h 4 guard_with_if | vectorize h",
     "f.0 storage 0",
     "f is stored per thread at a multiple of 8 bytes, so its vectors of 16 bytes would not be "
     "aligned",
     "vectors of at most 8 or at least 32 bytes, another layout, or unrolled loops over it",
     "g split x a b 4 guard_with_if | gpu_threads b | gpu_blocks a\n"
     "f compute_at g:b | split x e h 2 guard_with_if | vectorize h"},
    // The elements that two threads keep are interleaved in memory, so a vector load of Halide
    // would also take the elements of the other thread.
    {Rule::FrameAlignment, kKeptByThread,
     "g split x a b 8 shift_inwards | split b c d 4 guard_with_if | vectorize d | gpu_threads c | "
     "gpu_blocks a\nf compute_at g:c | store_in global",
     "f.0 storage 0",
     "f is stored per thread in global memory, interleaved with that of other threads, so its "
     "vectors would not be aligned",
     "no vectors along it, more threads, or a compute place further out",
     "g split x a b 32 shift_inwards | split b c d 4 guard_with_if | vectorize d | gpu_threads c | "
     "gpu_blocks a\nf compute_at g:c | store_in global"},
    // In the refused schedule, the vectors are longer than the whole row. Halide does not know
    // that, so it makes code for whole vectors.
    {Rule::FrameAlignment, kCopiedByThread,
     "g split x a b 32 guard_with_if | split b t i 2 guard_with_if | gpu_threads t | gpu_blocks a\n"
     "f compute_at g:t | split x c d 4 guard_with_if | vectorize d",
     "f.0 storage 0",
     "f is stored per thread at a multiple of 8 bytes, so its vectors of 16 bytes would not be "
     "aligned",
     "vectors of at most 8 or at least 32 bytes, another layout, or unrolled loops over it",
     "g split x a b 32 shift_inwards | split b t i 2 guard_with_if | gpu_threads t | gpu_blocks a\n"
     "f compute_at g:t | split x c d 4 guard_with_if | vectorize d"},
    // Halide stores 4 elements of 4 bytes as one vector (refused), and 8 elements in pieces
    // (accepted).
    {Rule::FrameAlignment, kCopiedByThread,
     "g split x a b 32 shift_inwards | split b t i 16 guard_with_if | gpu_threads t | gpu_blocks "
     "a\nf compute_at g:t | split x c d 4 shift_inwards | vectorize d",
     "f.0 storage 0",
     "f is stored per thread at a multiple of 8 bytes, so its vectors of 16 bytes would not be "
     "aligned",
     "vectors of at most 8 or at least 32 bytes, another layout, or unrolled loops over it",
     "g split x a b 32 shift_inwards | split b t i 16 guard_with_if | gpu_threads t | gpu_blocks "
     "a\nf compute_at g:t | split x c d 8 shift_inwards | vectorize d"},
    // In the refused schedule, v takes every other element, and the unrolled loop u takes the
    // elements between. The two vectors of 2 are joined into one vector of 4.
    {Rule::FrameAlignment, kCopiedByThread,
     "g split x a b 32 shift_inwards | split b t i 16 guard_with_if | gpu_threads t | gpu_blocks "
     "a\nf compute_at g:t | split x c d 4 shift_inwards | split d v u 2 guard_with_if | vectorize "
     "v | unroll u",
     "f.0 storage 0",
     "f is stored per thread at a multiple of 8 bytes, so its vectors of 16 bytes would not be "
     "aligned",
     "vectors of at most 8 or at least 32 bytes, another layout, or unrolled loops over it",
     "g split x a b 32 shift_inwards | split b t i 16 guard_with_if | gpu_threads t | gpu_blocks "
     "a\nf compute_at g:t | split x c d 4 shift_inwards | split d v u 2 guard_with_if | vectorize "
     "v"},
    // A compiler does not align an array of bytes, and may keep only the part of it that is read.
    {Rule::FrameAlignment,
     "input in 64\nfunc t(x) 64 uint8 = \nfunc f(x) 64 uint8 = in(x)\n"
     "func g(x) 64 = t([0,63]!) f(x)\noutput g\n",
     "g split x a b 32 shift_inwards | gpu_threads b | gpu_blocks a\nf compute_at g:b\n"
     "t compute_at g:b | split x v u 8 guard_with_if | vectorize v | unroll u",
     "t.0 storage 0",
     "t is stored per thread, beside others with elements of less than 4 bytes, so its vectors "
     "would not be aligned",
     "no vectors along it, or no unrolled loop between their elements",
     "g split x a b 32 shift_inwards | gpu_threads b | gpu_blocks a\nf compute_at g:b\n"
     "t compute_at g:b | split x v u 8 guard_with_if | vectorize v"},
    {Rule::FrameAlignment, kCopiedByThread,
     "g split x a b 24 shift_inwards | split b t i 12 guard_with_if | gpu_threads t | gpu_blocks "
     "a\nf compute_at g:t | split x c d 3 shift_inwards | reorder d c | vectorize d | unroll c",
     "f.0 storage 0",
     "f is stored per thread at a multiple of 8 bytes, so its vectors of 12 bytes would not be "
     "aligned",
     "vectors of at most 8 or at least 32 bytes, another layout, or unrolled loops over it",
     "g split x a b 24 shift_inwards | split b t i 12 guard_with_if | gpu_threads t | gpu_blocks "
     "a\nf compute_at g:t | split x c d 2 shift_inwards | reorder d c | vectorize d | unroll c"},
    // Rows are 8 elements apart in the refused schedule and 6 in the accepted one. Rows of 6
    // elements begin only at multiples of 8 bytes.
    {Rule::FrameAlignment, kBlur,
     "g split x a b 32 shift_inwards | split b c d 4 guard_with_if | split y p q 4 shift_inwards | "
     "reorder d q c p a | vectorize d | gpu_threads c | gpu_blocks p a\n"
     "f compute_at g:c | align_storage x 8",
     "f.0 storage 0",
     "f is stored per thread at a multiple of 8 bytes, so its vectors of 16 bytes would not be "
     "aligned",
     "vectors of at most 8 or at least 32 bytes, another layout, or unrolled loops over it",
     "g split x a b 32 shift_inwards | split b c d 4 guard_with_if | split y p q 4 shift_inwards | "
     "reorder d q c p a | vectorize d | gpu_threads c | gpu_blocks p a\nf compute_at g:c"},
    // In the accepted schedule, the elements of a vector are not adjacent, so they are stored one
    // by one.
    {Rule::FrameAlignment, kCopiedByThread,
     "g split x a b 32 shift_inwards | split b t i 8 guard_with_if | gpu_threads t | gpu_blocks a\n"
     "f compute_at g:t | split x c d 4 shift_inwards | vectorize d",
     "f.0 storage 0",
     "f is stored per thread at a multiple of 8 bytes, so its vectors of 16 bytes would not be "
     "aligned",
     "vectors of at most 8 or at least 32 bytes, another layout, or unrolled loops over it",
     "g split x a b 32 shift_inwards | split b t i 8 guard_with_if | gpu_threads t | gpu_blocks a\n"
     "f compute_at g:t | split x c d 2 shift_inwards | reorder c d | vectorize c"},
    // The first row of a block is the remainder of a fused loop, so Halide keeps the guards of y.
    // They separate the stores that LLVM would otherwise join.
    {Rule::FrameAlignment, kCopiedByBlock,
     "g split x a b 4 shift_inwards | split y p q 8 shift_inwards | split q s t 2 shift_inwards | "
     "fuse p n w | reorder b t s a w | vectorize b | unroll t | gpu_threads s | gpu_blocks a w\n"
     "f compute_at g:a | store_in registers | split x a b 4 guard_with_if | "
     "split y s t 2 guard_with_if | reorder b t s a n | vectorize b | unroll t | gpu_threads s",
     "f.0 storage 0",
     "f is kept in registers by the threads of a block whose block loop is fused, and guards "
     "between its vectors would leave it unaligned in memory",
     "no unrolled loops that a guard may cut, or no fused block loops",
     "g split x a b 4 shift_inwards | split y p q 8 shift_inwards | split q s t 2 shift_inwards | "
     "reorder b t s a p n | vectorize b | unroll t | gpu_threads s | gpu_blocks a p n\n"
     "f compute_at g:a | store_in registers | split x a b 4 guard_with_if | "
     "split y s t 2 guard_with_if | reorder b t s a n | vectorize b | unroll t | gpu_threads s"},
    // LLVM keeps no single elements in registers that a vector has stored in the array of all
    // threads.
    {Rule::FrameAlignment, kCopiedByBlock,
     "g split x a b 4 shift_inwards | split y p q 8 shift_inwards | split q s t 2 shift_inwards | "
     "reorder b t s a p n | unroll b | unroll t | gpu_threads s | gpu_blocks a p n\n"
     "f compute_at g:a | store_in registers | split x a b 4 guard_with_if | "
     "split y s t 2 guard_with_if | reorder b t s a n | vectorize b | unroll t | gpu_threads s",
     "f.0 storage 0",
     "f is kept in registers by the threads of a block, and is stored in wider vectors than it is "
     "read in, so that it would stay in memory, unaligned",
     "vectors of the same width where it is read",
     "g split x a b 4 shift_inwards | split y p q 8 shift_inwards | split q s t 2 shift_inwards | "
     "reorder b t s a p n | unroll b | unroll t | gpu_threads s | gpu_blocks a p n\n"
     "f compute_at g:a | store_in registers | split x a b 4 guard_with_if | "
     "split y s t 2 guard_with_if | reorder b t s a n | unroll b | unroll t | gpu_threads s"},
    // f has 6 columns along x, each padded to 5 elements of 4 bytes along y. So the memory behind f
    // begins at byte 120, which is no multiple of 16.
    {Rule::FrameAlignment, kRows,
     "g split x a b 32 shift_inwards | split b c d 4 guard_with_if | vectorize d | gpu_threads c | "
     "gpu_blocks a\nf compute_at g:c | reorder_storage y x | align_storage y 5",
     "f.0 storage 0",
     "f takes 120 bytes with its padding, so vectors of the data behind it would not be aligned",
     "padding to a multiple of 16 bytes, or no padding",
     "g split x a b 32 shift_inwards | split b c d 4 guard_with_if | vectorize d | gpu_threads c | "
     "gpu_blocks a\nf compute_at g:c | reorder_storage y x | align_storage y 8"},
};

} // namespace

const std::vector<Example> &frameExamples() { return kExamples; }

} // namespace tessera::schedule::testing
