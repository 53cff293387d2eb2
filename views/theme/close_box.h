// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QDialog;
class QDialogButtonBox;

namespace tessera::views {

// The row of buttons below a dialog, with Close, which closes the dialog. Qt's own icon for it is
// black, also on a dark button.
QDialogButtonBox *closeBox(QDialog &dialog);

} // namespace tessera::views
