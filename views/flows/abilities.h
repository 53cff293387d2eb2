// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/host/tool_survey.h"
#include "views/flows/bridge.h"
#include "views/flows/crash_ladder.h"
#include "views/flows/tool_service.h"

#include <QObject>
#include <QString>
#include <QTimer>

#include <optional>
#include <vector>

namespace tessera::views {

class MeasureFlow;

// One thing that Tessera does, and whether it can here and now.
struct Ability {
  enum class State {
    Works,
    Unknown, // not looked for yet
    Missing, // something is not here; the rest goes on without
    Off      // it failed, or soon will
  };
  enum class Remedy { None, LookForGpu, ClimbBack, ShowTools };
  QString id;    // "gpu", for whoever looks for one
  QString title; // "Measuring"
  State state = State::Works;
  QString is;     // what there is, or why not
  QString brief;  // of what is missing or off, for the status bar: "No GPU"
  QString still;  // what works all the same
  QString advice; // what can be done
  Remedy remedy = Remedy::None;

  bool limits() const { return state == State::Missing || state == State::Off; }
  friend bool operator==(const Ability &, const Ability &) = default;
};

// What works by now and what does not: the tools that are there, the GPU, the disk, and what was
// turned off because its worker kept dying. Looked at again each minute, since disks fill.
class Abilities : public QObject {
  Q_OBJECT
public:
  Abilities(ToolService tools, ToolChoices used, Bridge &bridge, MeasureFlow &measure,
            CrashLadder &ladder, QObject *parent = nullptr);

  const std::vector<Ability> &all() const { return m_all; }
  const Ability *find(const QString &id) const; // null: nothing is known of it
  // The worst of it, for the status bar: what is off before what is missing; null: all works.
  const Ability *worst() const;
  int limits() const; // how many are missing or off

  void look(); // on a thread

signals:
  void changed();

private:
  void refresh();

  ToolService m_tools;
  ToolChoices m_used; // since the program was started
  Bridge &m_bridge;
  MeasureFlow &m_measure;
  CrashLadder &m_ladder;
  QTimer m_again;
  std::optional<host::ToolSurvey> m_survey; // none yet
  std::vector<Ability> m_all;
};

} // namespace tessera::views
