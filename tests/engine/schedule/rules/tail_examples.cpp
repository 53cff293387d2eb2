// SPDX-License-Identifier: MIT
// Tails that compute beyond the end, or compute something twice.
#include "tests/engine/schedule/rules/legality_examples.h"

#include "tests/engine/schedule/rules/legality_sketches.h"

namespace tessera::schedule::testing {

namespace {

using namespace sketches;

const std::vector<Example> kExamples{
    // f.update(0) reads an input. In an update, Halide would read the input beyond its end along a
    // range that a boundary cuts.
    {Rule::TailOverruns,
     "input in 64\nfunc f(x) 64 = \nupdate f(x) r:0:2 = f(x) in(x)\n"
     "func g(x) 64 = f(clamp(x+[-1,1],0,63))\noutput g\n",
     "g split x a b 32 guard_with_if | gpu_threads b | gpu_blocks a\n"
     "f compute_at g:a | split x p q 16 guard_with_if | gpu_threads q\n"
     "f.1 split x p q 16 guard_with_if | gpu_threads q",
     "f.1 factors 1",
     "f.update(0): it splits a loop along which it reads an input, but a boundary cuts off part of "
     "the tile",
     "no split",
     "g split x a b 32 guard_with_if | gpu_threads b | gpu_blocks a\n"
     "f compute_at g:a | split x p q 16 guard_with_if | gpu_threads q\nf.1 gpu_threads x"},
    {Rule::TailOverruns, "func f(x) 100 = \noutput f\n", "f split x a b 32 round_up", "f.0 tails 0",
     "f: tiles of 32 over an extent of 100, with the tail 'round_up', reach beyond the end",
     "guard_with_if, or a factor that divides", "f split x a b 25 round_up"},
    {Rule::TailOverruns, "func f(x) 100 = \noutput f\n", "f split x a b 128 auto", "f.0 tails 0",
     "f: tiles of 128 over an extent of 100, with the tail 'auto', reach beyond the end",
     "guard_with_if, or a factor that fits", "f split x a b 64 auto"},
    {Rule::TailOverruns, "func f(x y) 10 10 = \noutput f\n",
     "f fuse x y a | split a b c 32 round_up", "f.0 tails 2",
     "f: tiles of 32 over an extent of 100, with the tail 'round_up', reach beyond the end",
     "guard_with_if, or a factor that divides", "f fuse x y a | split a b c 25 round_up"},
    {Rule::TailOverruns, kUpdate, "s.1 split x a b 32 auto", "s.1 tails 1",
     "s.update(0): tiles of 32 over an extent of 100, with the tail 'auto', reach beyond the end",
     "guard_with_if, or a factor that divides", "s.1 split x a b 32 guard_with_if"},
    // 60 is no multiple of 8. The points of f computed beyond the end would read beyond the input's
    // end.
    {Rule::TailOverruns, kRagged,
     "g split x a b 8 guard_with_if | gpu_threads b | gpu_blocks a\n"
     "f compute_at g:a | split x c d 8 round_up | gpu_threads d",
     "f.0 tails 0",
     "f: tiles of 8 over an extent of 8 or less, with the tail 'round_up', reach beyond the end",
     "guard_with_if, or a factor that divides",
     "g split x a b 10 guard_with_if | gpu_threads b | gpu_blocks a\n"
     "f compute_at g:a | split x c d 10 round_up | gpu_threads d"},
    {Rule::TailOverruns, kRagged,
     "g split x a b 8 guard_with_if | gpu_threads b | gpu_blocks a\n"
     "f compute_at g:a | split x c d 1 guard_with_if | gpu_threads d",
     "f.0 factors 0", "f: a split by 1 reaches beyond the end of a tile that is cut off",
     "no split",
     "g split x a b 10 guard_with_if | gpu_threads b | gpu_blocks a\n"
     "f compute_at g:a | split x c d 1 guard_with_if | gpu_threads d"},
    // Points computed beyond the end also read the input through an inlined func, and through a
    // func that is computed inside.
    {Rule::TailOverruns,
     "input in 60\nfunc e(x) 60 = in(x)\nfunc f(x) 60 = e(x)\nfunc g(x) 60 = f(x)\n"
     "func h(x) 60 = g(x)\noutput h\n",
     "g compute_root | split x a b 8 round_up | gpu_threads b | gpu_blocks a\ne compute_at g:b",
     "g.0 tails 0",
     "g: tiles of 8 over an extent of 60, with the tail 'round_up', reach beyond the end",
     "guard_with_if, or a factor that divides",
     "g compute_root | split x a b 10 round_up | gpu_threads b | gpu_blocks a\ne compute_at g:b"},
    {Rule::TailOverruns,
     "input in 64\nfunc e(x) 64 = in(x)\nfunc f(x n) 64 8 = e(x)\n"
     "func g(x n) 64 8 = f(clamp(x+[-1,1],0,63); n)\noutput g\n",
     "g split x a b 16 guard_with_if | reorder b a n | gpu_threads b | gpu_blocks a n\n"
     "f compute_at g:a | gpu_threads x\ne compute_at f:n",
     "f.0 compute 0",
     "f: a func computed inside it reads an input for a whole tile, but a boundary cuts off part "
     "of that tile",
     "a compute place further in or further out",
     "g split x a b 16 guard_with_if | reorder b a n | gpu_threads b | gpu_blocks a n\n"
     "f compute_at g:a | gpu_threads x\ne compute_at g:a"},
    // A tile of g needs 4 points of f. Shifted inwards, a tile of 8 would begin before the first
    // one.
    {Rule::TailOverruns, kRagged,
     "g split x a b 4 guard_with_if | gpu_threads b | gpu_blocks a\n"
     "f compute_at g:a | split x c d 8 shift_inwards | gpu_threads d",
     "f.0 tails 0",
     "f: tiles of 8 over an extent of 4, with the tail 'shift_inwards', reach beyond the end",
     "guard_with_if, or a factor that fits",
     "g split x a b 8 guard_with_if | gpu_threads b | gpu_blocks a\n"
     "f compute_at g:a | split x c d 8 shift_inwards | gpu_threads d"},
    {Rule::TailOverruns, kUpdate, "s.1 split x a b 32 shift_inwards", "s.1 tails 1",
     "s.update(0): the tail 'shift_inwards' would repeat steps of the update", "guard_with_if",
     "s.1 split x a b 32 guard_with_if"},
    // Halide combines the latest begin of x with its longest extent, so it would read up to 15
    // elements beyond the end of the input.
    {Rule::TailOverruns,
     "input in 64 8\nfunc f(x n) 64 8 = in(x; n)\n"
     "func g(x n) 64 8 = f(clamp(x+[-1,1],0,63); n)\noutput g\n",
     "g split x a b 16 guard_with_if\nf compute_at g:a | fuse x n c", "f.0 order 0",
     "f: it fuses x, along which it reads an input, but a boundary or a guard cuts off part of the "
     "tile",
     "no fused loop, or a kernel of its own", "g split x a b 16 guard_with_if\nf compute_at g:a"},
    // The rows of k behind the last one are computed by nobody, and would decide where s is
    // written.
    {Rule::TailOverruns,
     "func k(x y) 64 64 = \nfunc s(b y) 16 64 = \nupdate s(? y) r:0:64 = "
     "s(?; y) k(r; y)\n"
     "func g(b y) 16 64 = s(b; y)\noutput g\n",
     "k compute_root\ns compute_root\ns.1 split y p q 24 round_up", "s.1 tails 1",
     "s.update(0): the tail 'round_up' would take indices from elements that nothing has computed",
     "guard_with_if", "k compute_root\ns compute_root\ns.1 split y p q 24 guard_with_if"},
    {Rule::TailOverruns,
     "func k(x) 100 = \nfunc s(x) 100 = \nupdate s(x) r:0:4 = s(x) k(x)\n"
     "func g(x) 100 = s(x)\noutput g\n",
     "s compute_root\ns.1 split x p q 32 round_up | split q u v 8 guard_with_if\nk compute_at "
     "s.1:v",
     "s.1 tails 1",
     "s.update(0): Halide does not count what the tail 'round_up' adds to an update when it places "
     "the funcs that are computed in it",
     "guard_with_if",
     "s compute_root\ns.1 split x p q 32 guard_with_if | split q u v 8 guard_with_if\n"
     "k compute_at s.1:v"},
    {Rule::TailOverruns, kUpdate, "s.1 split ~r ~a ~b 2 round_up", "s.1 tails 0",
     "s.update(0): the tail 'round_up' would repeat steps of the update", "guard_with_if",
     "s.1 split ~r ~a ~b 2 auto"},
};

} // namespace

const std::vector<Example> &tailExamples() { return kExamples; }

} // namespace tessera::schedule::testing
