// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tessera {

// Bytes as text (RFC 4648, padded), to embed files in JSON.
std::string toBase64(std::string_view bytes);
// nullopt if the text is not in the form that toBase64() writes.
std::optional<std::string> fromBase64(std::string_view text);

} // namespace tessera
