// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::document {

// A file of named sections, each with a checksum, so that what is damaged costs no more than
// itself. A line of JSON says what there should be, then each section is a line that names it and a
// line that is it:
//
//   {"tessera":"document","version":1,"sections":["schedule","candidate 1"]}
//   {"section":"schedule","bytes":2,"sha256":"44136f…"}
//   {}
struct Section {
  std::string name;
  std::string text; // of one line

  friend bool operator==(const Section &, const Section &) = default;
};

std::string sectionsText(std::string_view kind, int version, std::span<const Section> sections);

struct ReadSections {
  std::vector<Section> sections;    // those that are whole
  std::vector<std::string> damaged; // names of the others; a person's words where the name is lost
};
// Refuses what is no file of this kind at all, and one of a later version.
Result<ReadSections> readSections(std::string_view kind, int newest, std::string_view bytes);

} // namespace tessera::document
