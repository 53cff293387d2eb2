// SPDX-License-Identifier: MIT
#pragma once

#include "engine/document/document.h"

#include <cstddef>
#include <string>
#include <vector>

namespace tessera::document {

// The same pipeline at sizes that were open before, and at sizes that were undone. Each size keeps
// its document as it was left, so that undo and redo lead from one to the next.
//
//   behind: … ── undoName() ── the document that is open ── redoName() ── … : ahead
class SizeHistory {
public:
  struct Entry {
    Document document;
    open::OpenedPipeline opened; // if the document was read from a file, this is set by unpack()
    // Name, for the menu, of the step between this size and the next one towards the open document.
    std::string step;
    // Only for a size ahead: how many steps its neighbour, one size closer to the open document,
    // had done when this size was opened.
    std::size_t leftAt = 0;
  };

  void push(Entry left); // called when another size is opened; forgets the sizes ahead
  void clear();
  void forgetAhead() { m_ahead.clear(); } // called after any other new step

  const std::string *undoName() const; // null: no size to undo to
  // `position` is the open document's position in its steps. Null unless the next size was opened
  // at this position.
  const std::string *redoName(std::size_t position) const;

  // Exchanges the open document for its neighbour. That neighbour must exist: see undoName() and
  // redoName().
  Entry back(Entry here);
  Entry forward(Entry here);

  // The nearest size is the last element.
  const std::vector<Entry> &behind() const { return m_behind; }
  const std::vector<Entry> &ahead() const { return m_ahead; }
  static SizeHistory of(std::vector<Entry> behind, std::vector<Entry> ahead);

  // Unpacks the files that a compiler reads, for all sizes. Call it after the sizes were read from
  // a file.
  Status unpack(const std::string &parent);

private:
  static constexpr std::size_t kMost = 16; // sizes on each side; the oldest are dropped
  std::vector<Entry> m_behind, m_ahead;
};

} // namespace tessera::document
