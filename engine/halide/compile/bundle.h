// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"

#include <Halide.h>

#include <string>
#include <string_view>
#include <vector>

namespace tessera::halide {

// The folder of a bundle while it is being written. It has a temporary name and is removed if it is
// never published. It is not synced to the disk: a bundle can be compiled again, and its reader
// compares the library's checksum.
class BundleFolder {
public:
  // The folder is filled in `scratch`, which must be on the same file system, or beside `output` if
  // `scratch` is empty. A caller that may have to kill the worker passes a scratch folder and
  // removes it.
  static Result<BundleFolder> create(const std::string &output, const std::string &scratch);
  BundleFolder(BundleFolder &&other) noexcept;
  BundleFolder &operator=(BundleFolder &&) = delete;
  ~BundleFolder();

  std::string file(const std::string &name) const { return m_folder + "/" + name; }
  Status write(const std::string &name, std::string_view content) const;
  // Moves the folder to its final place. Replaces an older bundle or an empty folder there, but no
  // other folder.
  Status publish();

private:
  BundleFolder(std::string folder, std::string output);
  std::string m_folder, m_output;
};

// Halide's runtime for a target. It is compiled once, which takes a second, and kept in `cache`.
// Returns the path of the object file.
Result<std::string> runtimeObject(const Halide::Target &target, const std::string &cache);

// Links object files into a shared library that loads without Halide, unless the functions of
// extern stages need it: `functions` are their files and what the linker is told for them. `linker`
// is a C++ compiler.
Status linkLibrary(const std::string &linker, const std::vector<std::string> &objects,
                   const std::vector<std::string> &functions, const std::string &library);

} // namespace tessera::halide
