// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/outcome.h"
#include "engine/record/word.h"

namespace tessera::record {

Word wordOf(Outcome outcome);
Word wordOf(ErrorCode code);

// The signal's name, SIGSEGV; "other" of one that we do not know.
Word signalWord(int signal);

// A request to one of our workers, and where it stood; "other" of what no worker of ours says.
Word requestWord(std::string_view type);
Word phaseWord(std::string_view phase);

// What a program that died is known to have said: "bad_alloc", "CUDA_ERROR_ILLEGAL_ADDRESS". Its
// words themselves may name anything of the user's; "none" where no known one is among them.
Word knownWordIn(std::string_view lastWords);

} // namespace tessera::record
