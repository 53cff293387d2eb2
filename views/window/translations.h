// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLocale>
#include <QString>

namespace tessera::views {

// Installs translations for the first language of `locale` that has a tessera_<locale>.qm in
// `folder`, and Qt's own texts in that language if Qt's translations are installed. Call it before
// the first widget is made. False: Tessera stays in English, the language of its sources.
bool installTranslations(const QString &folder, const QLocale &locale);

} // namespace tessera::views
