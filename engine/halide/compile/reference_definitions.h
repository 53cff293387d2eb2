// SPDX-License-Identifier: MIT
#pragma once

#include <Halide.h>

namespace tessera::halide {

// Changes the definitions of a reference's funcs without changing what they mean.

// Halide 21 looks for the elements of a tuple that an update reads, but not inside calls, and under
// StrictFloat every operation on floats is one. What it does not see it stores too early, so an
// element is computed from new values instead of old ones (HALIDE_TUPLES.md). This repeats
// the reads outside of calls, where Halide does look, in a branch that is never taken. (A `let`
// around the value is not enough: Halide puts it back.)
void showOwnReads(Halide::Internal::Function function);
// Whether Halide overlooks such a read in the definition as it is, without StrictFloat.
bool hidesOwnReads(const Halide::Internal::Function &function);

// fast_inverse(x) becomes 1 / x, and fast_inverse_sqrt(x) becomes 1 / sqrt(x).
void makeReciprocalsExact(Halide::Internal::Function function);

// A shift by as many bits as its type has, or more, has no defined result. A host takes the amount
// modulo that number, mostly, and a GPU shifts all bits out: so does what this makes of it.
void makeShiftsWide(Halide::Internal::Function function);
// Whether a definition has a shift that may be so wide.
bool mayShiftWide(const Halide::Internal::Function &function);

// Every reduction whose result does not depend on its order, but for rounding, runs from its end to
// its beginning.
void reverseSums(Halide::Internal::Function function);

} // namespace tessera::halide
