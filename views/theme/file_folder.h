// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

class QFileDialog;
class QWidget;

namespace tessera::views {

// The folder in which the dialogs of a window begin. The window sets it when another pipeline is
// open, and saving a file in another folder changes it. Without it, Qt would begin in the folder
// from which the program was started.
void setFileFolder(QWidget &window, const QString &folder);
QString fileFolder(const QWidget &widget); // of the window that `widget` is in

// A dialog that asks for a file that exists, not shown yet and deleted when it closes. It begins in
// `folder`. Nothing can be deleted or renamed in it, which Qt's own dialog otherwise offers.
QFileDialog *openDialog(QWidget &parent, const QString &title, const QString &folder);
// A dialog that asks where to save, not shown yet and deleted when it closes. It proposes `file`.
QFileDialog *saveDialog(QWidget &parent, const QString &title, const QString &file);

} // namespace tessera::views
