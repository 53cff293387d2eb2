// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"

#include <Halide.h>

#include <string>
#include <string_view>

namespace tessera::halide {

// The folder of a bundle while it is being written: under a temporary name beside the wanted one,
// gone if nobody publishes it. Not synced to the disk: a bundle can be compiled again, and its
// reader compares the library's checksum.
class BundleFolder {
public:
  // Filled in `scratch`, on the same file system, or beside `output` where there is none. Who may
  // have to kill the worker brings a scratch folder, and removes it.
  static Result<BundleFolder> create(const std::string &output, const std::string &scratch);
  BundleFolder(BundleFolder &&other) noexcept;
  BundleFolder &operator=(BundleFolder &&) = delete;
  ~BundleFolder();

  std::string file(const std::string &name) const { return m_folder + "/" + name; }
  Status write(const std::string &name, std::string_view content) const;
  // Takes the place of an older bundle; of nothing else.
  Status publish();

private:
  BundleFolder(std::string folder, std::string output);
  std::string m_folder, m_output;
};

// Halide's runtime for a target, compiled once (a second) and kept in `cache`. Returns the object's
// path.
Result<std::string> runtimeObject(const Halide::Target &target, const std::string &cache);

// One shared object of both that needs nothing of Halide to load. `linker` is a C++ compiler.
Status linkLibrary(const std::string &linker, const std::string &object, const std::string &runtime,
                   const std::string &library);

} // namespace tessera::halide
