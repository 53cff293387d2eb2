// SPDX-License-Identifier: MIT
#pragma once

#include "engine/record/word.h"
#include "engine/base/outcome.h"

namespace tessera::record {

Word wordOf(Outcome outcome);
Word wordOf(ErrorCode code);

// The name of the signal, such as SIGSEGV; "other" if it is unknown.
Word signalWord(int signal);

// The name of a request to one of Tessera's workers, or of a phase of a request; "other" if no
// worker uses that name.
Word requestWord(std::string_view type);
Word phaseWord(std::string_view phase);

// The most specific known text in the last output of a program that failed, such as "bad_alloc" or
// "CUDA_ERROR_ILLEGAL_ADDRESS"; "none" if there is none. The output itself is not logged, because
// it may contain user data.
Word knownWordIn(std::string_view lastWords);

} // namespace tessera::record
