// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/window/ability_mark.h"

#include "views/theme/icons.h"
#include "views/theme/theme.h"

#include <QCoreApplication>

namespace tessera::views {

namespace {
constexpr int kSize = 16;
} // namespace

QPixmap markOf(Ability::State state, const QPalette &palette, double devicePixelRatio) {
  const Colors colors(palette);
  switch (state) {
  case Ability::State::Works:
    return iconPixmap(QStringLiteral("verify"), colors.success, kSize, devicePixelRatio);
  case Ability::State::Unknown:
    return iconPixmap(QStringLiteral("remark"), colors.faintText, kSize, devicePixelRatio);
  case Ability::State::Missing:
    return iconPixmap(QStringLiteral("remark"), colors.producer, kSize, devicePixelRatio);
  case Ability::State::Off:
    return iconPixmap(QStringLiteral("error"), colors.error, kSize, devicePixelRatio);
  }
  return {};
}

QString stateText(Ability::State state) {
  switch (state) {
  case Ability::State::Works:
    return QCoreApplication::translate("Ability", "works");
  case Ability::State::Unknown:
    return QCoreApplication::translate("Ability", "not known yet");
  case Ability::State::Missing:
    return QCoreApplication::translate("Ability", "missing here");
  case Ability::State::Off:
    return QCoreApplication::translate("Ability", "off");
  }
  return {};
}

} // namespace tessera::views
