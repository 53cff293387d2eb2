// SPDX-License-Identifier: MIT
#pragma once

#include "engine/document/size_history.h"

#include <string>

namespace tessera::document::test {

// Documents of a pipeline of three funcs, for tests and campaigns.
PipelineCopyPtr exampleSource();
// A document with edits (one of them undone), frozen decisions, two candidates, a measurement and
// pins.
Document exampleDocument();
Document fullDocument(); // exampleDocument() and everything that the first file format lacks

// Returns the example with an input of `width` columns, an edit and a candidate. `serialized` is
// the content of its pipeline file; empty: the content in the example.
Document sized(int width, std::string serialized = {});
// A history with two sizes before the open one and two undone sizes after it. The nearest undone
// size was opened at step 3 of the open document.
SizeHistory exampleSizes();

// Returns a schedule whose output is split along x into tiles of `factor`.
schedule::Schedule variant(const Document &document, int factor);
// Returns the schedule with its first tile frozen by the user.
schedule::Schedule marked(schedule::Schedule schedule);
KeptCandidate candidateOf(const schedule::Schedule &schedule, const std::string &name);
measure::KeptMeasurement exampleMeasurement(); // has only what files of the first format hold
// Returns a measurement of this schedule, with its bundle.
measure::KeptMeasurement measurementOf(const Document &document,
                                       const schedule::Schedule &schedule);
// Returns a verification that ran the loops on the CPU and found equal outputs.
KeptVerification verificationOf(const Document &document, const schedule::Schedule &schedule);

// Returns the first difference in the current schedule, a step or a candidate; "" if there is none.
std::string difference(const Document &a, const Document &b);
std::string difference(const SizeHistory &a, const SizeHistory &b);

} // namespace tessera::document::test
