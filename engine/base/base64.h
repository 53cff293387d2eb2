// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tessera {

// Bytes as text (RFC 4648, padded), for files of others inside of JSON.
std::string toBase64(std::string_view bytes);
// None where it is not what toBase64() writes.
std::optional<std::string> fromBase64(std::string_view text);

} // namespace tessera
