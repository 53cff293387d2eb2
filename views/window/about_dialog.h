// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QString>

#include <utility>
#include <vector>

namespace tessera::views {

// Versions and licences.
class AboutDialog : public QDialog {
  Q_OBJECT
public:
  AboutDialog(const std::vector<std::pair<QString, QString>> &versions, QWidget *parent = nullptr);
};

} // namespace tessera::views
