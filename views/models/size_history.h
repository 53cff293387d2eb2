// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/session/document.h"
#include "views/models/open_flow.h"

#include <QString>

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

namespace tessera::views {

// The same pipeline at the sizes that it was open at before, and at those that were undone: each
// with its document as it was left, so that undo and redo lead from one to the next.
//
//   behind: … ── undoName() ── the document that is open ── redoName() ── … : ahead
class SizeHistory {
public:
  struct Entry {
    session::Document document;
    std::shared_ptr<const OpenFlow::Document> opened;
    QString path;           // of its file
    QString step;           // to the later of two neighbours, for the menu
    std::size_t leftAt = 0; // the step of the earlier neighbour that this one was opened at
  };

  // What was done between two opens of the same file: "levels = 4", "Size paper". None: nothing, or
  // more than a change of sizes.
  static std::optional<QString> stepBetween(const session::OpenRequest &before,
                                            const session::OpenRequest &after);

  void push(Entry left); // another size is open from now on; what was undone is gone
  void clear();
  void forgetAhead() { m_ahead.clear(); } // something else was done

  QString undoName() const;                     // empty: there is none behind
  QString redoName(std::size_t position) const; // at a step of the document that is open

  // What is to be open, for what is. One of the two has to have a name.
  Entry back(Entry here);
  Entry forward(Entry here);

private:
  static constexpr std::size_t kMost = 16; // the oldest go
  std::vector<Entry> m_behind, m_ahead;    // the nearest is the last
};

} // namespace tessera::views
