// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/theme/table_export_button.h"

#include "views/theme/file_folder.h"
#include "engine/host/files.h"
#include "views/text/table_text.h"

#include <QClipboard>
#include <QFileDialog>
#include <QGuiApplication>
#include <QMenu>

#include <utility>

namespace tessera::views {

TableExportButton::TableExportButton(const QAbstractItemModel &table, QString name, QWidget *parent)
    : QToolButton(parent), m_table(table), m_name(std::move(name)) {
  setText(tr("Export"));
  setAccessibleName(tr("Export the table"));
  setPopupMode(InstantPopup);
  setAutoRaise(true);
  auto *menu = new QMenu(this);
  const auto copy = [this](Writer write) { QGuiApplication::clipboard()->setText(write(m_table)); };
  menu->addAction(tr("Copy as &Markdown"), this, [copy] { copy(markdownOf); });
  menu->addAction(tr("Copy as &CSV"), this, [copy] { copy(csvOf); });
  menu->addSeparator();
  menu->addAction(tr("Save as Markdown…"), this,
                  [this] { save(QStringLiteral("md"), markdownOf); });
  menu->addAction(tr("Save as CSV…"), this, [this] { save(QStringLiteral("csv"), csvOf); });
  setMenu(menu);
}

void TableExportButton::save(const QString &suffix, Writer write) {
  QFileDialog *dialog = saveDialog(*this, tr("Export the Table"), m_name + '.' + suffix);
  dialog->setObjectName(m_name + QStringLiteral("ExportDialog"));
  dialog->setDefaultSuffix(suffix);
  connect(dialog, &QFileDialog::fileSelected, this, [this, write](const QString &path) {
    const Status done = host::writeFile(path.toStdString(), write(m_table).toStdString());
    if (!done) emit told(QString::fromStdString(done.error().message));
  });
  dialog->open();
}

} // namespace tessera::views
