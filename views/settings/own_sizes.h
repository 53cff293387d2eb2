// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/open/open.h"

#include <QString>
#include <QStringList>

#include <vector>

class QSettings;

namespace tessera::views {

// Sizes that the user has named, for each pipeline by its name; kept in the settings.
class OwnSizes {
public:
  explicit OwnSizes(QSettings &settings) : m_settings(settings) {}

  struct Size {
    QString name;
    QStringList estimates; // in the form of --estimate
  };
  std::vector<Size> of(const QString &pipeline) const;
  void save(const QString &pipeline, const Size &size); // replaces a size with the same name
  void remove(const QString &pipeline, const QString &name);

private:
  void write(const QString &pipeline, const std::vector<Size> &sizes);

  QSettings &m_settings;
};

// Parses estimates from the settings, which may have been edited by hand. Invalid ones are left
// out.
std::vector<open::EstimateOverride> estimatesOf(const QStringList &texts);
QString estimateText(const open::EstimateOverride &estimate); // "input=0:64,0:48"

} // namespace tessera::views
