// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/dag/kernel_hull.h"
#include "views/flows/bridge.h"

#include <QObject>

#include <optional>

namespace tessera::views {

// Makes hulls on a job's thread, one set after the other. While one set is being made, only the
// latest request is kept waiting. So hulls appear even while a search finds schedules faster than
// hulls are made.
class HullMaker : public QObject {
  Q_OBJECT
public:
  struct Wish {
    std::vector<KernelGroup> groups;
    std::shared_ptr<const DagGraph> graph;
    std::shared_ptr<const DagGeometry> geometry;
  };

  HullMaker(Bridge &bridge, QObject *parent = nullptr);

  void make(Wish wish);
  void forget(); // also cancels the set that is being made
  bool isBusy() const { return m_isBusy; }

signals:
  void made(const tessera::views::KernelHullsPtr &hulls);

private:
  void start(Wish wish);

  Bridge &m_bridge;
  bool m_isBusy = false;
  std::optional<Wish> m_next;
  KernelHullsPtr m_last;
  std::shared_ptr<const DagGeometry> m_lastGeometry;
};

} // namespace tessera::views
