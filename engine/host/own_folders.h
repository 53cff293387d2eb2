// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace tessera::file {
class ScratchFolder;
}

namespace tessera::host {

struct ToolSearch;

// The folders in which this user's Tessera keeps things from run to run. What is in them is
// believed: trust.json lets code run, and compiled generators are loaded.
struct OwnFolders {
  std::string cache;
  std::string config; // empty: none, so nothing is trusted and no machine is the user's own
  std::string state;  // for journals of documents and logs; empty: none
  std::shared_ptr<const file::ScratchFolder> temporary; // the cache, where it lasts for this run
  std::vector<std::string> problems; // why something is not kept, as text for the user
};

// The folders that the search names, not looked at; empty where it names none.
OwnFolders namedFolders(const ToolSearch &search);
// The same, made where they are missing. Those that are not the user's own are left out. In place
// of a cache that is left out, or cannot be written to, there is a temporary one.
OwnFolders claimFolders(const ToolSearch &search);

} // namespace tessera::host
