// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/flows/kernel_service.h"

#include <memory>
#include <vector>

namespace tessera::views {

// What was compiled lately, by what was asked for, so that neither undo nor the difference from the
// schedule before compiles again what is known. All of one pipeline.
class CompiledSchedules {
public:
  using Texts = std::shared_ptr<const CompiledTexts>;
  static constexpr std::size_t kMost = 4; // a text can have ten thousand lines

  Texts find(const CompileWish &wish) const; // null: it is not known
  void keep(CompileWish wish, Texts texts);
  void clear() { m_kept.clear(); }

private:
  struct Kept {
    CompileWish wish;
    Texts texts;
  };
  std::vector<Kept> m_kept; // the latest last
};

// The same schedule for the same code: the GPU's numbers are nothing to a compiler.
bool isSame(const CompileWish &a, const CompileWish &b);

} // namespace tessera::views
