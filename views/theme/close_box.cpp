// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/theme/close_box.h"

#include <QDialog>
#include <QDialogButtonBox>
#include <QIcon>
#include <QPushButton>

namespace tessera::views {

QDialogButtonBox *closeBox(QDialog &dialog) {
  auto *box = new QDialogButtonBox(QDialogButtonBox::Close, &dialog);
  box->button(QDialogButtonBox::Close)->setIcon({});
  QObject::connect(box, &QDialogButtonBox::rejected, &dialog, &QDialog::reject);
  return box;
}

} // namespace tessera::views
