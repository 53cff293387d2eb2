// SPDX-License-Identifier: MIT
#include "engine/bench/program_version.h"

#include "tessera_commit.h" // made by commit.cmake in each build

namespace tessera::bench {

std::string programVersion() {
  const std::string commit = TESSERA_COMMIT;
  return commit.empty() ? TESSERA_VERSION : std::string(TESSERA_VERSION) + " (" + commit + ")";
}

} // namespace tessera::bench
