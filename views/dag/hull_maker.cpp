// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/dag/hull_maker.h"

#include <utility>

namespace tessera::views {

namespace {
const QString kHullsTag = QStringLiteral("hulls");
}

HullMaker::HullMaker(Bridge &bridge, QObject *parent) : QObject(parent), m_bridge(bridge) {}

void HullMaker::forget() {
  m_next.reset();
  m_bridge.cancelTag(kHullsTag);
  m_last.reset();
  m_lastGeometry.reset();
}

void HullMaker::make(Wish wish) {
  if (m_isBusy)
    m_next = std::move(wish);
  else
    start(std::move(wish));
}

void HullMaker::start(Wish wish) {
  m_isBusy = true;
  const KernelHullsPtr before = m_lastGeometry == wish.geometry ? m_last : nullptr;
  m_lastGeometry = wish.geometry;
  m_bridge.run<KernelHullsPtr>(
      kHullsTag, {},
      [wish = std::move(wish), before](const job::JobContext &job) -> Result<KernelHullsPtr> {
        return makeHulls(wish.groups, *wish.graph, *wish.geometry, before, job.stop);
      },
      this,
      [this](Result<KernelHullsPtr> hulls) {
        m_isBusy = false;
        m_last = hulls ? std::move(*hulls) : nullptr;
        auto next = std::exchange(m_next, std::nullopt);
        if (m_last && (!next || next->geometry == m_lastGeometry)) emit made(m_last);
        if (next) make(std::move(*next));
      });
}

} // namespace tessera::views
