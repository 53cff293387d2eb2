// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"

#include <string>
#include <vector>

namespace tessera {

// The options as words of a command line, quoted where a shell would change them:
// "--estimate 'out$1=0:1024' --param input.type=uint8".
std::string commandWords(const std::vector<Asked> &asked);

// Adds an option that is not among them yet.
void ask(std::vector<Asked> &asked, Asked one);

} // namespace tessera
