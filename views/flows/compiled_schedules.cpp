// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/flows/compiled_schedules.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace tessera::views {

bool isSame(const CompileWish &a, const CompileWish &b) {
  const auto codeOf = [](const machine::Machine &machine) {
    return std::tuple(machine.api, machine.major, machine.minor);
  };
  return codeOf(a.machine) == codeOf(b.machine) && a.schedule.base() == b.schedule.base() &&
         a.schedule == b.schedule;
}

CompiledSchedules::Texts CompiledSchedules::find(const CompileWish &wish) const {
  const auto found =
      std::ranges::find_if(m_kept, [&](const Kept &kept) { return isSame(kept.wish, wish); });
  return found == m_kept.end() ? nullptr : found->texts;
}

void CompiledSchedules::keep(CompileWish wish, Texts texts) {
  if (m_kept.size() == kMost) m_kept.erase(m_kept.begin());
  m_kept.push_back({std::move(wish), std::move(texts)});
}

} // namespace tessera::views
