// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/window/translations.h"

#include <QCoreApplication>
#include <QLibraryInfo>
#include <QTranslator>

#include <memory>

namespace tessera::views {

namespace {

bool install(const QLocale &locale, const QString &name, const QString &folder) {
  auto translator = std::make_unique<QTranslator>(QCoreApplication::instance());
  if (!translator->load(locale, name, QStringLiteral("_"), folder)) return false;
  // The application owns the translator.
  return QCoreApplication::installTranslator(translator.release());
}

} // namespace

bool installTranslations(const QString &folder, const QLocale &locale) {
  for (const QString &name : locale.uiLanguages()) {
    const QLocale language(name);
    if (language.language() == QLocale::English || language.language() == QLocale::C) return false;
    if (!install(language, QStringLiteral("tessera"), folder)) continue;
    // Without Qt's translation, standard buttons would stay in English.
    install(language, QStringLiteral("qtbase"), QLibraryInfo::path(QLibraryInfo::TranslationsPath));
    return true;
  }
  return false;
}

} // namespace tessera::views
