// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/session/layout.h"
#include "views/models/bridge.h"

#include <QObject>
#include <QTimer>

#include <functional>
#include <optional>

namespace tessera::views {

// Gets a layout without making anybody wait: Graphviz is asked, and where it has not answered after
// kPatience the plain layout is shown until it does.
class DagLayouter : public QObject {
  Q_OBJECT
public:
  static constexpr int kPatienceMilliseconds = 300;

  // Runs on a job's thread; empty: there is no Graphviz, the plain layout is final.
  using Graphviz =
      std::function<Result<session::GraphLayout>(const session::GraphShape &, std::stop_token)>;
  enum class Quality { Plain, Final };

  DagLayouter(Bridge &bridge, Graphviz graphviz, QObject *parent = nullptr);

  void start(session::GraphShape shape);
  void stop();

signals:
  void laidOut(const tessera::session::GraphLayout &layout,
               tessera::views::DagLayouter::Quality quality);
  void failed(const QString &message); // Graphviz did; the plain layout stays

private:
  void plainArrived(session::GraphLayout layout);
  void graphvizArrived(Result<session::GraphLayout> layout);
  void showPlain();

  Bridge &m_bridge;
  Graphviz m_graphviz;
  QTimer m_patience;
  bool m_final = false; // Graphviz's is shown
  bool m_mayShowPlain = false;
  bool m_graphvizFailed = false;
  std::optional<session::GraphLayout> m_plain;
};

} // namespace tessera::views
