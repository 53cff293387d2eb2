// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/open/open.h"

#include <QWidget>

#include <vector>

class QLabel;
class QPushButton;
class QTableWidget;

namespace tessera::views {

// How a generator's source is compiled: a row for each folder of headers, definition, further
// source and library. What a compile_commands.json nearby has for the source is shown and cannot be
// changed, since it is used in any case.
class BuildForm : public QWidget {
  Q_OBJECT
public:
  enum class Kind { Folder, Definition, Source, Library };

  explicit BuildForm(QWidget *parent = nullptr);

  // `asked` are options that an error asks for; they become rows.
  void setOptions(const open::BuildOptions &given, const open::BuildOptions &found,
                  const std::vector<Asked> &asked);
  open::BuildOptions options() const;

  void add(Kind kind, const QString &value = {}); // an empty row is edited at once

private:
  void addRow(Kind kind, const QString &value, bool isFound);
  void addButtons();
  void browse();
  void removeRow();
  void update();

  QTableWidget *m_table = nullptr;
  QPushButton *m_browse = nullptr, *m_remove = nullptr;
};

} // namespace tessera::views
