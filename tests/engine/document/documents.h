// SPDX-License-Identifier: MIT
#pragma once

#include "engine/document/size_history.h"

#include <string>

namespace tessera::document::test {

// Documents of a pipeline of three funcs, for tests and campaigns.
PipelineCopyPtr exampleSource();
// With edits of which one is undone, frozen decisions, two candidates, a measurement and pins.
Document exampleDocument();
Document fullDocument(); // and with all that the first format did not know

// The example at another size of its input, edited; its file is the example's where none is given.
Document sized(int width, std::string serialized = {});
// Two sizes before the open one, and two that were undone; the nearest was left at step 3.
SizeHistory exampleSizes();

// Whose output has tiles of that factor.
schedule::Schedule variant(const Document &document, int factor);
// Its first tile frozen by the user.
schedule::Schedule marked(schedule::Schedule schedule);
KeptCandidate candidateOf(const schedule::Schedule &schedule, const std::string &name);
measure::KeptMeasurement exampleMeasurement(); // as the first format had them
// The same, of this schedule and with its bundle.
measure::KeptMeasurement measurementOf(const Document &document,
                                       const schedule::Schedule &schedule);
// Equal, as loops on the processor.
KeptVerification verificationOf(const Document &document, const schedule::Schedule &schedule);

// Empty, or the first difference: what is current, each step, each candidate.
std::string difference(const Document &a, const Document &b);
std::string difference(const SizeHistory &a, const SizeHistory &b);

} // namespace tessera::document::test
