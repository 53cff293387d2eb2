// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/flows/schedule_flow.h"

#include <QObject>
#include <QString>

#include <optional>
#include <vector>

namespace tessera::views {

// Finds on a thread which sizes an edge of a kernel's tile may have in the shown schedule, and
// predicts each. A drag calls look() once, when it begins, and then shows one draft after the
// other. The sizes are forgotten when another schedule is shown, unless that is a draft.
class TileFinder : public QObject {
  Q_OBJECT
public:
  struct Option {
    std::int64_t size = 1;
    QString refusal; // empty: it is legal
    schedule::DecisionKey decision;
    std::string value;
    ShownSchedulePtr shown; // null: it is not legal

    bool isLegal() const { return shown != nullptr; }
  };

  TileFinder(ScheduleFlow &schedule, Bridge &bridge, QObject *parent = nullptr);

  // False: nothing can be decided now; whyNot() says why.
  bool look(const footprint::TileEdge &edge);
  void forget();
  QString whyNot() const;

  const std::optional<footprint::TileEdge> &edge() const { return m_edge; } // none: forgotten
  bool isLooking() const { return m_isLooking; }
  const std::vector<Option> &options() const { return m_options; } // by rising size
  // The option whose size is nearest, legal or not; null: the edge's own size is nearer than all.
  const Option *nearest(double size) const;
  // The next legal size above or below; null: there is none.
  const Option *next(std::int64_t size, int direction) const;
  double seconds() const { return m_current; } // predicted time without a change of size

signals:
  void changed();   // more sizes are known, or the search for them has ended
  void forgotten(); // another schedule is shown

private:
  void becomeStale();

  ScheduleFlow &m_schedule;
  Bridge &m_bridge;
  std::optional<footprint::TileEdge> m_edge;
  std::vector<Option> m_options;
  double m_current = 0;
  bool m_isLooking = false;
};

} // namespace tessera::views
