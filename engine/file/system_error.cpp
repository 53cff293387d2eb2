// SPDX-License-Identifier: MIT
#include "engine/file/system_error.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <initializer_list>

namespace tessera::file {

Error systemError(const std::string &doing, const std::string &path, int cause) {
  const auto blames = [cause](std::initializer_list<int> causes) {
    return std::ranges::find(causes, cause) != causes.end();
  };
  const bool isInput = blames({ENOENT, EACCES, EISDIR, ENOTDIR, EEXIST, ELOOP, ENAMETOOLONG});
  return {isInput ? ErrorCode::InputRefused : ErrorCode::System,
          doing + " '" + path + "': " + std::strerror(cause) + ".", ""};
}

} // namespace tessera::file
