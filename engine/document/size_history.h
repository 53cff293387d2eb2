// SPDX-License-Identifier: MIT
#pragma once

#include "engine/document/document.h"

#include <cstddef>
#include <string>
#include <vector>

namespace tessera::document {

// The same pipeline at the sizes that it was open at before, and at those that were undone: each
// with its document as it was left, so that undo and redo lead from one to the next.
//
//   behind: … ── undoName() ── the document that is open ── redoName() ── … : ahead
class SizeHistory {
public:
  struct Entry {
    Document document;
    open::OpenedPipeline opened; // of one that was read from a file, once it is unpacked
    std::string step;            // to the later of two neighbours, for the menu
    std::size_t leftAt = 0;      // the step of the earlier neighbour that this one was opened at
  };

  void push(Entry left); // another size is open from now on; what was undone is gone
  void clear();
  void forgetAhead() { m_ahead.clear(); } // something else was done

  const std::string *undoName() const;                     // null: there is none behind
  const std::string *redoName(std::size_t position) const; // at a step of the document that is open

  // What is to be open, for what is. One of the two has to have a name.
  Entry back(Entry here);
  Entry forward(Entry here);

  // The nearest is the last.
  const std::vector<Entry> &behind() const { return m_behind; }
  const std::vector<Entry> &ahead() const { return m_ahead; }
  static SizeHistory of(std::vector<Entry> behind, std::vector<Entry> ahead);

  // The files that a compiler reads of each, for those that were read from a file.
  Status unpack(const std::string &parent);

private:
  static constexpr std::size_t kMost = 16; // the oldest go
  std::vector<Entry> m_behind, m_ahead;
};

} // namespace tessera::document
