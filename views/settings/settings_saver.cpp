// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/settings/settings_saver.h"

#include <QDir>
#include <QEvent>
#include <QFile>
#include <QFileInfo>
#include <QLockFile>
#include <QSettings>
#include <QStringList>

#include <chrono>
#include <cstdio>

namespace tessera::views {

namespace {

using namespace std::chrono_literals;
constexpr auto kBetweenLooks = 500ms;

struct Changes {
  QVariantMap set;
  QStringList removed;
};

Changes changesFrom(const QVariantMap &before, const QVariantMap &now) {
  Changes changes;
  for (auto at = now.begin(); at != now.end(); ++at)
    if (!before.contains(at.key()) || before[at.key()] != at.value())
      changes.set.insert(at.key(), at.value());
  for (auto at = before.begin(); at != before.end(); ++at)
    if (!now.contains(at.key())) changes.removed << at.key();
  return changes;
}

// Writes to a copy beside the file, which a QSettings of its own knows by another name, and puts it
// in the place of the file, through a link to what it stands for. Another program's QSettings takes
// the same lock, and what it has written stays. Returns whether everything was written.
bool write(const QString &path, QSettings::Format format, const Changes &changes) {
  QDir().mkpath(QFileInfo(path).path());
  QLockFile lock(path + QStringLiteral(".lock"));
  if (!lock.lock()) return false;
  const bool exists = QFileInfo::exists(path);
  const QString file = exists ? QFileInfo(path).canonicalFilePath() : path;
  const QString copy = file + QStringLiteral(".new");
  QFile::remove(copy);
  if (exists && !QFile::copy(file, copy)) return false;
  QSettings settings(copy, format);
  for (auto at = changes.set.begin(); at != changes.set.end(); ++at)
    settings.setValue(at.key(), at.value());
  for (const QString &key : changes.removed)
    settings.remove(key);
  settings.sync();
  return settings.status() == QSettings::NoError &&
         std::rename(QFile::encodeName(copy).constData(), QFile::encodeName(file).constData()) == 0;
}

} // namespace

SettingsSaver::SettingsSaver(QSettings &settings, QObject *parent)
    : QObject(parent), m_settings(settings), m_saved(values()) {
  m_timer.setInterval(kBetweenLooks);
  connect(&m_timer, &QTimer::timeout, this, &SettingsSaver::save);
  m_settings.installEventFilter(this);
}

// QSettings makes no other request before this one is done, so from the first one on the timer
// looks for changes. What is set last, QSettings writes itself when it is destroyed.
bool SettingsSaver::eventFilter(QObject *watched, QEvent *event) {
  if (event->type() != QEvent::UpdateRequest) return QObject::eventFilter(watched, event);
  if (!m_timer.isActive()) m_timer.start();
  return true;
}

QVariantMap SettingsSaver::values() const {
  QVariantMap all;
  for (const QString &key : m_settings.allKeys())
    all.insert(key, m_settings.value(key));
  return all;
}

void SettingsSaver::save() {
  if (m_isSaving) return;
  const QVariantMap now = values();
  if (now == m_saved) return;
  m_isSaving = true;
  m_thread = std::jthread([this, now, changes = changesFrom(m_saved, now),
                           file = m_settings.fileName(), format = m_settings.format()] {
    const bool isWritten = write(file, format, changes);
    {
      const std::scoped_lock lock(m_mutex);
      m_written = isWritten ? std::optional(now) : std::nullopt;
    }
    QMetaObject::invokeMethod(this, &SettingsSaver::noteSaved);
  });
}

void SettingsSaver::noteSaved() {
  const std::scoped_lock lock(m_mutex);
  m_isSaving = false;
  if (m_written) m_saved = *m_written;
}

} // namespace tessera::views
