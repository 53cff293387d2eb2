// SPDX-License-Identifier: MIT
// Sizes that a schedule states itself, loops that stages share, and tails that do not guard.
#include "tests/engine/schedule/rules/legality_examples.h"

#include "tests/engine/schedule/rules/legality_sketches.h"

namespace tessera::schedule::testing {

namespace {

using namespace sketches;

const char *const kTwo = "func f(x y) 64 64 = \nfunc g(x y) 64 64 = \noutput f\noutput g\n";

const char *const kHalves =
    "input in 64 64\nfunc f(x y) 64 64 float16 narrows = in(x; y)\noutput f\n";
const char *const kLosesBits = "f: it converts float32 to float16 and stores it in vectors, of "
                               "which Halide 21 stores the bits "
                               "of the float32";

const char *const kRepeats =
    "input in 64 64\nfunc f(x y) 64 64 uint8 bytes = in(x/2; y)\noutput f\n";
const char *const kShuffles =
    "f: it has vectors of bytes that it reads repeatedly or backwards, or "
    "stores between others, at which LLVM 21 fails";
const char *const kPairs = "a vector of 2, or an unrolled loop instead of the vectorised one";

const std::vector<Example> kExamples{
    // A thread reads f(x) to f(x + 2).
    {Rule::StorageBound, kBlur,
     "g split x a b 32 guard_with_if | reorder b a y | gpu_threads b | gpu_blocks a y\n"
     "f compute_at g:b | bound_storage x 2",
     "f.0 layout 0", "f has storage for 2 elements along x, but needs it for 3",
     "at least 3, or no bound",
     "g split x a b 32 guard_with_if | reorder b a y | gpu_threads b | gpu_blocks a y\n"
     "f compute_at g:b | bound_storage x 3"},
    {Rule::StorageBound, kBlur,
     "g split x a b 32 guard_with_if | reorder b a y | gpu_threads b | gpu_blocks a y\n"
     "f compute_at g:a | store_in shared | gpu_threads x | bound_storage x 33",
     "f.0 layout 0", "f has storage for 33 elements along x, but needs it for 34",
     "at least 34, or no bound",
     "g split x a b 32 guard_with_if | reorder b a y | gpu_threads b | gpu_blocks a y\n"
     "f compute_at g:a | store_in shared | gpu_threads x | bound_storage x 34"},
    {Rule::StorageBound, kBlur, "f compute_root | bound_storage y 1", "f.0 layout 0",
     "f has storage for 1 element along y, but needs it for 64", "at least 64, or no bound",
     "f compute_root | bound_storage y 64"},

    // Bounds by expressions hold at the estimates.
    {Rule::RegionPromise, kBlur, "f compute_root | bound x 0 in.extent.0/4*2", "f.0 opaque 0",
     "f is bounded to 0 to 31 along x, but 0 to 65 is computed", "0 to 65, or no bound",
     "f compute_root | bound x 0 in.extent.0"},
    {Rule::RegionPromise, kBlur, "g bound_extent y g.extent.1/3*3", "g.0 opaque 0",
     "g is bounded to 0 to 62 along y, but 0 to 63 is computed", "0 to 63, or no bound",
     "g bound_extent y g.extent.1/2*2"},
    {Rule::OpaqueHolds, kBlur, "g bound y 0 input.extent.1", "g.0 opaque 0",
     "g: bound() depends on input.extent.1, which is no size of an input or output and no scalar "
     "input",
     "names such as input.extent.0", "g bound y g.min.1 g.extent.1"},
    {Rule::OpaqueHolds, kBlur, "f specialize in.extent.0>8", "f.0 compute 0",
     "f has specialize(), which needs loops of its own, and cannot be inlined",
     "a kernel of its own, or a loop of a stage that reads it",
     "f compute_root | specialize in.stride.1>8"},
    {Rule::OpaqueHolds, kBlur,
     "g specialize in.extent.0>8\ng@0 split y yo yi 8 round_up\n"
     "g split x xo xi 8 round_up\nf compute_at g:xo",
     "f.0 compute 0",
     "f is placed at a loop of g that its variant for in.extent.0 > 8 does not have",
     "a loop that all variants have",
     "g specialize in.extent.0>8\ng@0 split x xo xi 4 round_up | reorder xi y xo\n"
     "g split x xo xi 8 round_up\nf compute_at g:xo"},
    {Rule::OpaqueHolds, kBlur,
     "g specialize in.extent.0>8\ng@0 unroll x | specialize in.extent.0>16\n"
     "g@0.0 fuse x y z\nf compute_at g:y",
     "f.0 compute 0",
     "f is placed at a loop of g that its variant for in.extent.0 > 16 does not have",
     "a loop that all variants have",
     "g specialize in.extent.0>8\ng@0 unroll x | specialize in.extent.0>16\n"
     "g@0.0 unroll y\nf compute_at g:y"},

    {Rule::RegionPromise, kBlur, "f compute_root | bound x 0 32", "f.0 bounds 0",
     "f is bounded to 0 to 31 along x, but 0 to 65 is computed", "0 to 65, or no bound",
     "f compute_root | bound x 0 66"},
    {Rule::RegionPromise, kBlur, "f compute_root | bound_extent x 70", "f.0 bounds 0",
     "f is bounded to 0 to 69 along x, but 0 to 65 is computed", "0 to 65, or no bound",
     "f compute_root | bound_extent x 66"},
    {Rule::RegionPromise, "func f(x) 100 = \noutput f\n", "f bound x 0 120", "f.0 bounds 0",
     "f is bounded to 0 to 119 along x, but 0 to 99 is computed", "0 to 99, or no bound",
     "f bound x 0 100"},
    // A thread needs three elements, for which there is memory, and not for four.
    {Rule::RegionPromise, kBlur,
     "g split x a b 32 guard_with_if | reorder b a y | gpu_threads b | gpu_blocks a y\n"
     "f compute_at g:b | bound_extent x 4",
     "f.0 bounds 0", "f is bounded to 4 elements along x, but its kernel computes 3 in each part",
     "3 elements, or no bound",
     "g split x a b 32 guard_with_if | reorder b a y | gpu_threads b | gpu_blocks a y\n"
     "f compute_at g:b | bound_extent x 3"},
    // Each block needs 34 elements, from elsewhere.
    {Rule::RegionPromise, kBlur,
     "g split x a b 32 guard_with_if | reorder b a y | gpu_threads b | gpu_blocks a y\n"
     "f compute_at g:a | store_in shared | gpu_threads x | bound x 0 34",
     "f.0 bounds 0",
     "f is bounded to 0 to 33 along x, but each tile of its kernel computes a part of its own",
     "no bound, or a kernel of its own",
     "g split x a b 32 guard_with_if | reorder b a y | gpu_threads b | gpu_blocks a y\n"
     "f compute_at g:a | store_in shared | gpu_threads x"},
    {Rule::RegionPromise, "func f(x) 100 = \noutput f\n", "f align_bounds x 32 0", "f.0 bounds 0",
     "f is an output, and its region along x, 0 to 99, is not aligned to 32",
     "a divisor of its size, or no alignment", "f align_bounds x 25 0"},
    // The last multiple of 8 ends at 103, where there is no input.
    {Rule::RegionPromise, "input in 100\nfunc f(x) 100 = in(x)\nfunc g(x) 100 = f(x)\noutput g\n",
     "f compute_root | align_bounds x 8 0", "f.0 bounds 0",
     "f reads an input along x, and aligning its region to 8 would make it read beyond the end",
     "a divisor of its size, or no alignment", "f compute_root | align_bounds x 4 0"},

    {Rule::SharedLoops, kTwo, "f gpu_blocks y\ng gpu_blocks y | gpu_threads x | compute_with f:y",
     "g.0 compute_with 0",
     "g: it cannot share loops with f: their loops differ in name, kind, order or length",
     "loops of its own", "f gpu_blocks y\ng gpu_blocks y | compute_with f:y"},
    {Rule::SharedLoops, kThree,
     "f compute_root | gpu_blocks y\ng compute_root | gpu_blocks y | compute_with f:y",
     "g.0 compute_with 0",
     "g: it cannot share loops with f: one of them is computed from the other", "loops of its own",
     "f compute_root | gpu_blocks y\ng compute_root | gpu_blocks y"},

    // The values of k are limited as unsigned numbers, and select an element.
    {Rule::IndexBounds,
     "input in 64\nfunc k(x) 64 uint32 bounds_indices = in(x)\n"
     "func h(x) 64 = k(x)\noutput h\n",
     "", "k.0 compute 0",
     "k bounds an index by its values, and Halide does not see the bounds where it is inlined",
     "a kernel of its own, or a loop of a stage that reads it", "k compute_root"},

    {Rule::VectorHalves, kHalves,
     "f split x a b 4 guard_with_if | reorder b a y | vectorize b | gpu_blocks a y", "f.0 order 0",
     kLosesBits, "an unrolled loop instead of the vectorised one",
     "f split x a b 4 guard_with_if | reorder b a y | unroll b | gpu_blocks a y"},
    // Elements that are not side by side are stored one by one.
    {Rule::VectorHalves, kHalves,
     "f split x a b 4 guard_with_if | reorder b y a | vectorize b | gpu_blocks a", "f.0 order 0",
     kLosesBits, "an unrolled loop instead of the vectorised one",
     "f split y a b 4 guard_with_if | reorder b x a | vectorize b | gpu_blocks a"},
    // The values of h are inlined into f, where they are stored.
    {Rule::VectorHalves,
     "input in 64 64\nfunc h(x y) 64 64 float16 narrows = in(x; y)\n"
     "func f(x y) 64 64 float16 = h(x; y)\noutput f\n",
     "f split x a b 4 guard_with_if | reorder b a y | vectorize b | gpu_blocks a y", "f.0 order 0",
     kLosesBits, "an unrolled loop instead of the vectorised one",
     "f split x a b 4 guard_with_if | reorder b a y | vectorize b | gpu_blocks a y\n"
     "h compute_root"},

    {Rule::VectorBytes, kRepeats,
     "f split x a b 4 guard_with_if | reorder b a y | vectorize b | gpu_blocks a y", "f.0 order 0",
     kShuffles, kPairs,
     "f split x a b 2 guard_with_if | reorder b a y | vectorize b | gpu_blocks a y"},
    // Along y, nothing is repeated.
    {Rule::VectorBytes, kRepeats,
     "f split x a b 4 guard_with_if | reorder b a y | vectorize b | gpu_blocks a y", "f.0 order 0",
     kShuffles, kPairs,
     "f split y a b 4 guard_with_if | reorder b x a | vectorize b | gpu_blocks x a"},
    // Each vector has every other element; what is read decides which byte is loaded.
    {Rule::VectorBytes, "input in 64 64\nfunc f(x y) 64 64 uint8 = in([0,63]?; y)\noutput f\n",
     "f split x a b 8 guard_with_if | split b c d 2 guard_with_if | reorder d c a y | vectorize c "
     "| "
     "unroll d | gpu_blocks a y",
     "f.0 order 0", kShuffles, kPairs,
     "f split x a b 8 guard_with_if | split b c d 4 guard_with_if | reorder d c a y | vectorize d "
     "| "
     "unroll c | gpu_blocks a y"},
    // The elements of a vector are 2 apart, since a serial loop is inside of it.
    {Rule::VectorBytes, "input in 64 64\nfunc f(x y) 64 64 uint8 bytes = in(x; y)\noutput f\n",
     "f split x a b 8 guard_with_if | split b c d 2 guard_with_if | reorder d c a y | vectorize c "
     "| gpu_blocks a y",
     "f.0 order 0", kShuffles, kPairs,
     "f split x a b 8 guard_with_if | split b c d 4 guard_with_if | reorder d c a y | vectorize d "
     "| gpu_blocks a y"},
    // Nothing but numbers is loaded, and bytes are stored between those of copies, without a guard.
    {Rule::VectorBytes, "func k(x y) 64 64 = \nfunc f(x y) 64 64 uint8 = k(x; y)\noutput f\n",
     "k compute_root\nf split x a b 16 shift_inwards | split b c d 4 round_up | "
     "reorder d c a y | vectorize c | unroll d | gpu_blocks a y",
     "f.0 order 0", kShuffles, kPairs,
     "k compute_root\nf split x a b 16 guard_with_if | split b c d 2 guard_with_if | "
     "reorder d c a y | vectorize c | unroll d | gpu_blocks a y"},
    // Behind a guard, vectors of five to seven elements do harm.
    {Rule::VectorBytes, "func k(x y) 64 64 = \nfunc f(x y) 64 64 uint8 = k(x; y)\noutput f\n",
     "k compute_root\nf split x a b 10 guard_with_if | split b c d 2 guard_with_if | "
     "reorder d c a y | vectorize c | unroll d | gpu_blocks a y",
     "f.0 order 0", kShuffles, kPairs,
     "k compute_root\nf split x a b 8 guard_with_if | split b c d 2 guard_with_if | "
     "reorder d c a y | vectorize c | unroll d | gpu_blocks a y"},
    // The bytes that h computes with are inlined into f.
    {Rule::VectorBytes,
     "input in 64 64\nfunc h(x y) 64 64 uint8 bytes = in(x; y)\n"
     "func f(x y) 64 64 = h(x/2; y)\noutput f\n",
     "f split x a b 4 guard_with_if | reorder b a y | vectorize b | gpu_blocks a y", "f.0 order 0",
     kShuffles, kPairs,
     "f split x a b 4 guard_with_if | reorder b a y | vectorize b | gpu_blocks a y\n"
     "h compute_root"},

    {Rule::HalfGuarded, kPoint, "f split x a b 3 predicate_loads", "f.0 tails 0",
     "f: the tail 'predicate_loads' does not guard stores", "guard_with_if",
     "f split x a b 3 predicate"},
    {Rule::HalfGuarded, kUpdate, "s.1 split ~r ~a ~b 2 predicate_stores", "s.1 tails 0",
     "s.update(0): the tail 'predicate_stores' does not guard loads", "guard_with_if",
     "s.1 split ~r ~a ~b 2 predicate"},
    {Rule::BlendRaces, kPoint, "f split x a b 3 shift_inwards_and_blend | gpu_blocks a",
     "f.0 tails 0",
     "f: the tail 'shift_inwards_and_blend' writes elements that other threads compute",
     "guard_with_if", "f split x a b 3 shift_inwards_and_blend | gpu_blocks y"},
};

} // namespace

const std::vector<Example> &sizeExamples() { return kExamples; }

} // namespace tessera::schedule::testing
