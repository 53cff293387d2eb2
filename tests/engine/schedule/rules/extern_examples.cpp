// SPDX-License-Identifier: MIT
// Extern stages: nothing is decided about them, and what they read stays whole in memory.
#include "tests/engine/schedule/rules/legality_examples.h"

namespace tessera::schedule::testing {

namespace {

constexpr const char *kExtern = "input in 64 64\n"
                                "func a(x y) 64 64 = in(x; y)\n"
                                "func e(x y) 64 64 extern = a(?; ?)\n"
                                "func c(x y) 64 64 = e(x; y)\n"
                                "output c\n";
constexpr const char *kOneKernel = "a kernel of its own";

const std::vector<Example> kExamples{
    {Rule::ExternStage, kExtern, "e compute_root", "a.0 compute 0",
     "a is read by e, an extern stage, which needs all of it in memory", kOneKernel,
     "a compute_root\ne compute_root"},
    {Rule::ExternStage, kExtern, "a compute_at e:x", "a.0 compute 0",
     "a is placed in e, an extern stage, whose loops are inside of its function", kOneKernel,
     "a compute_root"},
    {Rule::ExternStage, kExtern, "a compute_root | store_in shared", "a.0 storage 0",
     "a is read by e, an extern stage, which needs all of it in memory", "auto, global",
     "a compute_root | store_in global"},
    {Rule::ExternStage, kExtern, "a compute_root | reorder_storage y x", "a.0 layout 0",
     "a is read by e, an extern stage, whose function may count on the layout that the pipeline "
     "declares",
     "the layout as declared", "a compute_root"},
    {Rule::ExternStage, kExtern, "a compute_root\ne compute_at c:y", "e.0 compute 0",
     "e is an extern stage: the function e_call computes it, and nothing about it can be decided",
     "a call between the kernels, as it is", "a compute_root\ne compute_root"},
    {Rule::ExternStage, kExtern, "a compute_root\ne compute_root | parallel y", "e.0 order 0",
     "e is an extern stage: the function e_call computes it, and nothing about it can be decided",
     "a call between the kernels, as it is", "a compute_root | parallel y"},
    {Rule::ExternStage, kExtern, "a compute_root\ne compute_root | reorder_storage y x",
     "e.0 layout 0",
     "e is an extern stage: the function e_call computes it, and nothing about it can be decided",
     "a call between the kernels, as it is", "a compute_root"},
    {Rule::ExternStage,
     "input in 64\nfunc e(x) 64 extern = in(?)\nfunc c(x) 64 = in(x)\noutput e\noutput c\n",
     "c compute_with e:x", "c.0 compute_with 0", "c cannot share loops with e, an extern stage",
     "loops of its own", ""},
};

} // namespace

const std::vector<Example> &externExamples() { return kExamples; }

} // namespace tessera::schedule::testing
