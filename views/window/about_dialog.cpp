// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/window/about_dialog.h"

#include "views/theme/close_box.h"
#include "views/theme/icons.h"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QVBoxLayout>

namespace tessera::views {

AboutDialog::AboutDialog(const std::vector<std::pair<QString, QString>> &versions, QWidget *parent)
    : QDialog(parent) {
  setWindowTitle(tr("About Tessera"));
  setAccessibleName(windowTitle());
  auto *logo = new QLabel(this);
  logo->setPixmap(applicationIcon().pixmap(QSize(64, 64), devicePixelRatioF()));
  auto *head = new QLabel(QStringLiteral("Tessera"), this);
  QFont large = font();
  large.setPointSizeF(large.pointSizeF() * 1.8);
  large.setWeight(QFont::DemiBold);
  head->setFont(large);
  auto *what =
      new QLabel(tr("An interactive explorer for GPU schedules of Halide pipelines."), this);
  auto *form = new QFormLayout;
  for (const auto &[name, version] : versions) {
    auto *value = new QLabel(version, this);
    value->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    form->addRow(name, value);
  }
  auto *licences = new QLabel(
      tr("The explorer is free software under the GNU General Public License, version 3 or later; "
         "engine, samples and plugin are under the MIT licence. It comes with no warranty.\n\n"
         "Qt is used under the LGPL 3, Graphviz under the EPL 1.0, Halide and JSON for Modern C++ "
         "under the MIT licence. The full texts are in the folder LICENSES."),
      this);
  licences->setWordWrap(true);
  auto *column = new QVBoxLayout(this);
  column->setContentsMargins(24, 22, 24, 16);
  column->setSpacing(10);
  column->addWidget(logo);
  column->addWidget(head);
  column->addWidget(what);
  column->addSpacing(4);
  column->addLayout(form);
  column->addSpacing(4);
  column->addWidget(licences);
  column->addWidget(closeBox(*this));
  // Left to itself, Qt takes a height at which the text was wider.
  constexpr int kWide = 480;
  setFixedSize(kWide, column->totalHeightForWidth(kWide));
}

} // namespace tessera::views
