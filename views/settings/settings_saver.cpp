// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/settings/settings_saver.h"

#include <QCoreApplication>
#include <QEvent>
#include <QSettings>

#include <utility>

namespace tessera::views {

SettingsSaver::SettingsSaver(QSettings &settings, QObject *parent)
    : QObject(parent), m_settings(settings) {
  m_thread.setMaxThreadCount(1);
  m_settings.installEventFilter(this);
}

// All QSettings of one file in a program share what was changed, so the second one writes it. The
// request must reach m_settings in the end: it makes no other one before.
bool SettingsSaver::eventFilter(QObject *watched, QEvent *event) {
  if (event->type() != QEvent::UpdateRequest || std::exchange(m_isSaved, false))
    return QObject::eventFilter(watched, event);
  m_thread.start([this, file = m_settings.fileName(), format = m_settings.format()] {
    QSettings(file, format).sync();
    QMetaObject::invokeMethod(this, [this] {
      m_isSaved = true;
      QCoreApplication::postEvent(&m_settings, new QEvent(QEvent::UpdateRequest));
    });
  });
  return true;
}

} // namespace tessera::views
