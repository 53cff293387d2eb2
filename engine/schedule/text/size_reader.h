// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/text/token_reader.h"
#include "engine/schedule/words/size_expression.h"

#include <cstddef>

namespace tessera::schedule {

// Whether an argument that ends before the token `end` is an expression that has
// size("input.extent.0").
bool hasSize(const TokenReader &reader, std::size_t end);

// Reads such an argument up to its end.
bool readSize(TokenReader &reader, std::size_t end, SizeExpression &size);

} // namespace tessera::schedule
