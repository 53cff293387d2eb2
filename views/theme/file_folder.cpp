// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/theme/file_folder.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QPointer>
#include <QVariant>

namespace tessera::views {

namespace {

// A dynamic property of the window, because panels know neither the window nor one another.
const char *const kFolder = "fileFolder";

// A floating dock is a window by itself, so the way goes over the parents.
template <typename Widget>
Widget *ownerOf(Widget *widget) {
  while (widget && !widget->property(kFolder).isValid())
    widget = widget->parentWidget();
  return widget;
}

} // namespace

void setFileFolder(QWidget &window, const QString &folder) { window.setProperty(kFolder, folder); }

QString fileFolder(const QWidget &widget) {
  const QWidget *owner = ownerOf(&widget);
  return owner ? owner->property(kFolder).toString() : QString();
}

QFileDialog *openDialog(QWidget &parent, const QString &title, const QString &folder) {
  auto *dialog = new QFileDialog(&parent, title, folder);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setFileMode(QFileDialog::ExistingFile);
  dialog->setOption(QFileDialog::ReadOnly);
  return dialog;
}

QFileDialog *saveDialog(QWidget &parent, const QString &title, const QString &file) {
  auto *dialog = new QFileDialog(&parent, title, fileFolder(parent));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setAcceptMode(QFileDialog::AcceptSave);
  if (!file.isEmpty()) dialog->selectFile(file);
  QObject::connect(dialog, &QFileDialog::fileSelected, dialog,
                   [owner = QPointer(ownerOf(&parent))](const QString &path) {
                     if (owner) setFileFolder(*owner, QFileInfo(path).path());
                   });
  return dialog;
}

} // namespace tessera::views
