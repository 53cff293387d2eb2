// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QThreadPool>

class QSettings;

namespace tessera::views {

// Writes changed settings to their file in a thread. QSettings would do that in the thread that it
// belongs to, when that is next idle; the lock file and the file itself are then synced, for which
// a disk can take a tenth of a second each.
//
//   setValue() ─▶ UpdateRequest, held back ─▶ a second QSettings of the same file syncs in a thread
//                                          ─▶ UpdateRequest again, which finds nothing to write
class SettingsSaver : public QObject {
  Q_OBJECT
public:
  explicit SettingsSaver(QSettings &settings, QObject *parent = nullptr);

private:
  bool eventFilter(QObject *watched, QEvent *event) override;

  QSettings &m_settings;
  bool m_isSaved = false; // the next request may go on to m_settings
  QThreadPool m_thread;   // its destructor waits
};

} // namespace tessera::views
