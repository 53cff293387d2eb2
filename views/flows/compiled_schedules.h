// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/flows/kernel_service.h"

#include <memory>
#include <vector>

namespace tessera::views {

// The results of recent compilations, so that neither undo nor the difference from the previous
// schedule compiles again. All of them belong to one pipeline.
class CompiledSchedules {
public:
  using Texts = std::shared_ptr<const CompiledTexts>;
  static constexpr std::size_t kMost = 4; // few, because a text can have ten thousand lines

  Texts find(const CompileWish &wish) const; // null: not known
  void keep(CompileWish wish, Texts texts);
  void clear() { m_kept.clear(); }

private:
  struct Kept {
    CompileWish wish;
    Texts texts;
  };
  std::vector<Kept> m_kept; // the latest last
};

// The same schedule for the same target. A compiler does not use the machine's parameters, so they
// may differ.
bool isSame(const CompileWish &a, const CompileWish &b);

} // namespace tessera::views
