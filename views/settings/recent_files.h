// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QStringList>

class QSettings;

namespace tessera::views {

// The recently opened files, the newest first, kept in the settings.
class RecentFiles : public QObject {
  Q_OBJECT
public:
  static constexpr int kMost = 10;

  explicit RecentFiles(QSettings &settings, QObject *parent = nullptr);

  const QStringList &paths() const { return m_paths; }
  void add(const QString &path);
  void remove(const QString &path);
  void clear();

signals:
  void changed();

private:
  void store();

  QSettings &m_settings;
  QStringList m_paths;
};

} // namespace tessera::views
