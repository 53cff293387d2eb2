// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/flows/bridge.h"
#include "views/flows/crash_ladder.h"
#include "views/flows/tool_service.h"
#include "engine/host/tool_survey.h"

#include <QObject>
#include <QString>
#include <QTimer>

#include <optional>
#include <vector>

namespace tessera::views {

class MeasureFlow;

// One thing that Tessera can do, and whether it works at the moment.
struct Ability {
  enum class State {
    Works,
    Unknown, // not looked for yet
    Missing, // it lacks a tool or a GPU; all other abilities work without that
    Off      // it cannot work, was switched off after crashes, or will fail soon (full disk)
  };
  enum class Remedy { None, LookForGpu, ClimbBack, ShowTools };
  QString id;    // "gpu"; used by find()
  QString title; // "Measuring"
  State state = State::Works;
  QString is;     // what was found, or why nothing was found
  QString brief;  // what is missing, off or unknown, for the status bar: "No GPU"
  QString still;  // what still works
  QString advice; // what the user can do
  Remedy remedy = Remedy::None;

  bool limits() const { return state == State::Missing || state == State::Off; }
  friend bool operator==(const Ability &, const Ability &) = default;
};

// What works at the moment and what does not: the installed tools, the GPU, the disk, and what was
// switched off because its worker crashed repeatedly. Checked again every minute, because disks
// fill up.
class Abilities : public QObject {
  Q_OBJECT
public:
  Abilities(ToolService tools, ToolChoices used, Bridge &bridge, MeasureFlow &measure,
            CrashLadder &ladder, QObject *parent = nullptr);

  const std::vector<Ability> &all() const { return m_all; }
  const Ability *find(const QString &id) const; // null: there is no such ability
  // The worst state, for the status bar: Off is worse than Missing, and that worse than Unknown.
  // Null: everything works.
  const Ability *worst() const;
  int limits() const; // number of abilities that are missing or off

  void look(); // looks again, on a job's thread

signals:
  void changed();

private:
  void refresh();

  ToolService m_tools;
  ToolChoices m_used; // the choices in use since the program started
  Bridge &m_bridge;
  MeasureFlow &m_measure;
  CrashLadder &m_ladder;
  QTimer m_again;
  std::optional<host::ToolSurvey> m_survey; // none until the first look has ended
  std::vector<Ability> m_all;
};

} // namespace tessera::views
