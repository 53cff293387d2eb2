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
Document fullDocument(); // exampleDocument() and everything that the first format lacks

// The example document, edited, at another size of its input. Its pipeline file has the content
// `serialized`; empty: the content in the example.
Document sized(int width, std::string serialized = {});
// Two sizes before the open one, and two that were undone. The size just before the open one was
// left at step 3.
SizeHistory exampleSizes();

// Returns a schedule whose output has tiles of `factor`.
schedule::Schedule variant(const Document &document, int factor);
// Returns the schedule with its first tile frozen by the user.
schedule::Schedule marked(schedule::Schedule schedule);
KeptCandidate candidateOf(const schedule::Schedule &schedule, const std::string &name);
measure::KeptMeasurement exampleMeasurement(); // as in files of the first format
// Returns a measurement of this schedule, with its bundle.
measure::KeptMeasurement measurementOf(const Document &document,
                                       const schedule::Schedule &schedule);
// Returns a verification that found equal outputs, with loops on the CPU.
KeptVerification verificationOf(const Document &document, const schedule::Schedule &schedule);

// Returns the first difference (the current schedule, each step, each candidate), or "".
std::string difference(const Document &a, const Document &b);
std::string difference(const SizeHistory &a, const SizeHistory &b);

} // namespace tessera::document::test
