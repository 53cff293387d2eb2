// SPDX-License-Identifier: MIT
#include "engine/document/size_history.h"

#include "engine/document/pipeline_copy.h"

#include <utility>

namespace tessera::document {

void SizeHistory::push(Entry left) {
  m_ahead.clear();
  m_behind.push_back(std::move(left));
  if (m_behind.size() > kMost) m_behind.erase(m_behind.begin());
}

void SizeHistory::clear() {
  m_behind.clear();
  m_ahead.clear();
}

const std::string *SizeHistory::undoName() const {
  return m_behind.empty() ? nullptr : &m_behind.back().step;
}

const std::string *SizeHistory::redoName(std::size_t position) const {
  return m_ahead.empty() || m_ahead.back().leftAt != position ? nullptr : &m_ahead.back().step;
}

SizeHistory::Entry SizeHistory::back(Entry here) {
  Entry there = std::move(m_behind.back());
  m_behind.pop_back();
  here.step = there.step;
  here.leftAt = there.document.parts().position;
  m_ahead.push_back(std::move(here));
  return there;
}

SizeHistory::Entry SizeHistory::forward(Entry here) {
  Entry there = std::move(m_ahead.back());
  m_ahead.pop_back();
  here.step = there.step;
  m_behind.push_back(std::move(here));
  return there;
}

SizeHistory SizeHistory::of(std::vector<Entry> behind, std::vector<Entry> ahead) {
  SizeHistory sizes;
  sizes.m_behind = std::move(behind);
  sizes.m_ahead = std::move(ahead);
  return sizes;
}

Status SizeHistory::unpack(const std::string &parent) {
  for (std::vector<Entry> *side : {&m_behind, &m_ahead})
    for (Entry &entry : *side) {
      auto opened = unpacked(entry.document.source(), parent);
      if (!opened) return opened.error();
      entry.opened = std::move(*opened);
    }
  return Done{};
}

} // namespace tessera::document
