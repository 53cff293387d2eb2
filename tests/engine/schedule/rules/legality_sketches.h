// SPDX-License-Identifier: MIT
#pragma once

// Short pipelines for the tests of legality.
namespace tessera::schedule::testing::sketches {

inline const char *const kPoint = "input in 64 64\n"
                                  "func f(x y) 64 64 = in(x; y)\n"
                                  "output f\n";
inline const char *const kThree = "func f(x y) 66 64 = \n"
                                  "func g(x y) 66 64 = f(x; y)\n"
                                  "func h(x y) 64 64 = g(x+[0,2]; y)\n"
                                  "output h\n";
// Five funcs a b d c h. In this order, each func reads the previous one.
inline const char *const kFive = "func a(x) 4096 = \n"
                                 "func b(x) 4096 = a(x+[-1,1])\n"
                                 "func d(x) 4096 = b(x+[-1,1])\n"
                                 "func c(x) 4096 = d(x)\n"
                                 "func h(x) 4096 = c(x+[-8,8])\n"
                                 "output h\n";
inline const char *const kBlur = "input in 66 64\n"
                                 "func f(x y) 66 64 = in(x; y)\n"
                                 "func g(x y) 64 64 = f(x+[0,2]; y)\n"
                                 "output g\n";
inline const char *const kRagged = "input in 60\n"
                                   "func f(x) 60 = in(x)\n"
                                   "func g(x) 60 = f(x)\n"
                                   "output g\n";
// f is no output, so a guard ends its last tile at the end of the region that g reads.
inline const char *const kTrimmed = "func e(x) 66 = \n"
                                    "func f(x) 64 = e(x+[0,2])\n"
                                    "func g(x) 64 = f(x)\n"
                                    "output g\n";
inline const char *const kClampedTwice = "func f(x y) 64 64 = \n"
                                         "func g(x y) 64 64 = f(clamp(x,0,63); y)\n"
                                         "func h(x y) 64 64 = g(clamp(x,0,63); y)\n"
                                         "output h\n";
inline const char *const kFourDims = "func f(x y z w) 8 8 8 8 = \noutput f\n";
inline const char *const kLong = "func f(x y) 2048 70000 = \noutput f\n";
inline const char *const kSum = "input in 64 64 64\n"
                                "func s(x) 64 = \n"
                                "update s(x) r:0:64 q:0:64 = s(x) in(x; r; q)\n"
                                "output s\n";
inline const char *const kAnyOrder = "input in 64 64 64\n"
                                     "func s(x) 64 = \n"
                                     "update s(x) r:0:64 q:0:64 commutative = s(x) in(x; r; q)\n"
                                     "output s\n";
inline const char *const kUpdate = "input in 100\n"
                                   "func s(x) 100 = \n"
                                   "update s(x) r:0:3 commutative = s(x) in(x)\n"
                                   "output s\n";

} // namespace tessera::schedule::testing::sketches
