// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/settings/recent_files.h"

#include <QSettings>

namespace tessera::views {

namespace {
const QString kKey = QStringLiteral("recentFiles");
} // namespace

RecentFiles::RecentFiles(QSettings &settings, QObject *parent)
    : QObject(parent), m_settings(settings), m_paths(settings.value(kKey).toStringList()) {
  m_paths = m_paths.mid(0, kMost);
}

void RecentFiles::add(const QString &path) {
  m_paths.removeAll(path);
  m_paths.prepend(path);
  while (m_paths.size() > kMost)
    m_paths.removeLast();
  store();
}

void RecentFiles::remove(const QString &path) {
  if (m_paths.removeAll(path)) store();
}

void RecentFiles::clear() {
  m_paths.clear();
  store();
}

void RecentFiles::store() {
  m_settings.setValue(kKey, m_paths);
  emit changed();
}

} // namespace tessera::views
