// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/host/layout.h"
#include "views/flows/bridge.h"

#include <QObject>
#include <QTimer>

#include <functional>
#include <optional>

namespace tessera::views {

// Computes a layout without making the user wait. If Graphviz has not answered after
// kPatienceMilliseconds, the plain layout is shown until it does.
class DagLayouter : public QObject {
  Q_OBJECT
public:
  static constexpr int kPatienceMilliseconds = 300;

  // Calls Graphviz, on a job's thread. An empty function means that there is no Graphviz; the plain
  // layout is then final.
  using Graphviz =
      std::function<Result<host::GraphLayout>(const host::GraphShape &, std::stop_token)>;
  enum class Quality { Plain, Final };

  DagLayouter(Bridge &bridge, Graphviz graphviz, QObject *parent = nullptr);

  void start(host::GraphShape shape);
  void stop();

signals:
  void laidOut(const tessera::host::GraphLayout &layout,
               tessera::views::DagLayouter::Quality quality);
  void failed(const QString &message); // Graphviz failed; the plain layout stays

private:
  void plainArrived(host::GraphLayout layout);
  void graphvizArrived(Result<host::GraphLayout> layout);
  void showPlain();

  Bridge &m_bridge;
  Graphviz m_graphviz;
  QTimer m_patience;
  bool m_final = false; // Graphviz's layout is shown
  bool m_mayShowPlain = false;
  bool m_graphvizFailed = false;
  std::optional<host::GraphLayout> m_plain;
};

} // namespace tessera::views
