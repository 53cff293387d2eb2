// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLocale>
#include <QString>

namespace tessera::views {

// Installs the first language of the locale's that there is a tessera_<locale>.qm of in the folder,
// and Qt's own texts in it where Qt's translations are installed. To be called before the first
// widget is made. False: Tessera speaks English, in which its sources are.
bool installTranslations(const QString &folder, const QLocale &locale);

} // namespace tessera::views
