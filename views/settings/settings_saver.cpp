// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/settings/settings_saver.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QEvent>
#include <QFileInfo>
#include <QSettings>

#include <utility>

namespace tessera::views {

namespace {

QDateTime changeOf(const QString &file) { return QFileInfo(file).lastModified(); }

} // namespace

SettingsSaver::SettingsSaver(QSettings &settings, QObject *parent)
    : QObject(parent), m_settings(settings) {
  m_thread.setMaxThreadCount(1);
  m_settings.installEventFilter(this);
}

// All QSettings of one file in a program share what was changed, so the second one writes it. The
// request must reach m_settings in the end: it makes no other one before. So what is changed while
// the file is written is written first, too.
bool SettingsSaver::eventFilter(QObject *watched, QEvent *event) {
  if (event->type() != QEvent::UpdateRequest || std::exchange(m_isSaved, false))
    return QObject::eventFilter(watched, event);
  m_thread.start([this, file = m_settings.fileName(), format = m_settings.format()] {
    for (QDateTime before, now = changeOf(file); now != before;) {
      QSettings(file, format).sync();
      before = std::exchange(now, changeOf(file));
    }
    QMetaObject::invokeMethod(this, [this] {
      m_isSaved = true;
      QCoreApplication::postEvent(&m_settings, new QEvent(QEvent::UpdateRequest));
    });
  });
  return true;
}

} // namespace tessera::views
