// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::document {

// A file of named sections, each with a checksum, so that damage costs only the damaged sections. A
// line of JSON lists the sections, then each section has a header line and a line of content:
//
//   {"tessera":"document","version":1,"sections":["schedule","candidate 1"]}
//   {"section":"schedule","bytes":2,"sha256":"44136f…"}
//   {}
struct Section {
  std::string name;
  std::string text; // a single line

  friend bool operator==(const Section &, const Section &) = default;
};

std::string sectionsText(std::string_view kind, int version, std::span<const Section> sections);

struct ReadSections {
  std::vector<Section> sections;    // the intact ones
  std::vector<std::string> damaged; // the damaged ones, by name or by description
};
// Fails for a file of another kind and for one of a later version.
Result<ReadSections> readSections(std::string_view kind, int newest, std::string_view bytes);

} // namespace tessera::document
