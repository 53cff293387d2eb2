// SPDX-License-Identifier: MIT
#include "engine/host/own_folders.h"

#include "engine/host/files.h"
#include "engine/host/tools.h"
#include "engine/file/system_error.h"
#include "engine/file/user_folder.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <unistd.h>
#include <utility>

namespace tessera::host {

namespace {

using file::UserFolder;

struct Named {
  UserFolder cache, config, state;
};

Named namedBy(const ToolSearch &search) {
  return {file::userFolder(search.cacheHome, search.home, ".cache"),
          file::userFolder(search.configHome, search.home, ".config"),
          file::userFolder(search.stateHome, search.home, ".local/state")};
}

Status writable(const UserFolder &folder) {
  if (const Status own = file::claim(folder); !own) return own;
  if (::faccessat(AT_FDCWD, folder.path.c_str(), W_OK, AT_EACCESS) != 0)
    return file::systemError("Cannot write to", folder.path, errno);
  return Done{};
}

// What is not kept, by its cause, so that one cause is said once.
class Problems {
public:
  void add(const Error &cause, const std::string &consequence) {
    const std::string text = cause.message + (cause.hint.empty() ? "" : " " + cause.hint);
    const auto known = std::ranges::find(m_found, text, &Found::first);
    if (known == m_found.end())
      m_found.emplace_back(text, consequence);
    else
      known->second += ", " + consequence;
  }

  std::vector<std::string> texts() const {
    std::vector<std::string> texts;
    for (const auto &[cause, consequences] : m_found)
      texts.push_back(cause + " So " + consequences + ".");
    return texts;
  }

private:
  using Found = std::pair<std::string, std::string>;
  std::vector<Found> m_found;
};

} // namespace

OwnFolders namedFolders(const ToolSearch &search) {
  Named named = namedBy(search);
  return {std::move(named.cache.path),
          std::move(named.config.path),
          std::move(named.state.path),
          nullptr,
          {}};
}

OwnFolders claimFolders(const ToolSearch &search) {
  const Named named = namedBy(search);
  OwnFolders own = namedFolders(search);
  Problems problems;
  if (const Status cache = writable(named.cache); !cache) {
    problems.add(cache.error(), "the cache lasts for this run alone");
    auto temporary = ScratchFolder::create(search.temporary);
    own.temporary =
        temporary ? std::make_shared<const ScratchFolder>(std::move(*temporary)) : nullptr;
    own.cache = own.temporary ? own.temporary->path() : "";
    if (!temporary) problems.add(temporary.error(), "little will work");
  }
  // A configuration that cannot be changed can still be read.
  if (const Status config = file::claim(named.config); !config) {
    problems.add(config.error(), "no permission to run code is known or remembered");
    own.config.clear();
  }
  if (const Status state = writable(named.state); !state) {
    problems.add(state.error(), "there is no log and nothing to recover after a crash");
    own.state.clear();
  }
  own.problems = problems.texts();
  return own;
}

} // namespace tessera::host
