// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QTimer>
#include <QVariantMap>

#include <mutex>
#include <optional>
#include <thread>

class QSettings;

namespace tessera::views {

// Writes changed settings to their file in a thread. QSettings would do that in the thread that it
// belongs to, when that is next idle; the lock file and the file itself are then synced, for which
// a disk can take a tenth of a second each. Whoever reads or sets a value meanwhile would wait,
// too: all QSettings of one file in a program share one lock.
//
//   setValue() ─▶ UpdateRequest, kept from QSettings ─▶ what has changed is looked for now and then
//              ─▶ a thread writes it to a copy of the file, and puts the copy in its place
class SettingsSaver : public QObject {
  Q_OBJECT
public:
  explicit SettingsSaver(QSettings &settings, QObject *parent = nullptr);

private:
  bool eventFilter(QObject *watched, QEvent *event) override;
  QVariantMap values() const;
  void save();
  void noteSaved();

  QSettings &m_settings;
  QVariantMap m_saved; // what the file has
  bool m_isSaving = false;
  // Handed over by the thread that writes.
  std::mutex m_mutex;
  std::optional<QVariantMap> m_written; // empty: it could not be written
  QTimer m_timer;
  std::jthread m_thread; // its destructor waits
};

} // namespace tessera::views
