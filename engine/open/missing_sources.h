// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::open {

// What a generator's source lacks to be compiled or loaded, and where it lies: files beside the
// source and in the folders above it are looked at, and never run.

// The files in rules of dependencies, as `c++ -MM -MG` prints them, that do not exist.
std::vector<std::string> missingHeaders(std::string_view dependencies);

// The folder for --include with which `header` is found; nothing if there is none nearby.
std::optional<std::string> folderWith(const std::string &header, const std::string &source);

// A header that a source includes in quotes, which the compiler took from far away, though one of
// its name lies nearby, in the folder for --include. The system's signal.h hides a project's so.
struct HiddenHeader {
  std::string header, taken, folder;

  friend bool operator==(const HiddenHeader &, const HiddenHeader &) = default;
};
// `dependencies` are rules as `c++ -M` prints them; headers in the folders `given` were meant.
std::vector<HiddenHeader> hiddenHeaders(const std::string &source, std::string_view dependencies,
                                        const std::vector<std::string> &given);

// The name of the generator whose stub a header is: "blur" of "blur.stub.h".
std::optional<std::string> generatorOfStub(const std::string &header);

// Another source nearby that registers this generator.
std::optional<std::string> sourceRegistering(const std::string &generator,
                                             const std::string &source);

// The symbols that a loader calls undefined, without those that Halide has, and their names without
// spaces and arguments: "taps" of _ZN2ns4tapsEif.
std::vector<std::string> undefinedSymbols(std::string_view complaint);
std::string plainName(const std::string &symbol);
std::vector<std::string> undefinedNames(std::string_view complaint);

// Another source beside this one, not among those that are given, that has a function of this name;
// or that calls it, if none has its body.
std::optional<std::string> sourceDefining(const std::string &name, const std::string &source,
                                          const std::vector<std::string> &given);

// The error of a library that was built from a source, and from others that were given with it, and
// lacks symbols: with the sources that define them. `complaint` may name more of them than the
// error does.
Error askingForSymbols(Error error, std::string_view complaint, const std::string &source,
                       const std::vector<std::string> &given);

} // namespace tessera::open
