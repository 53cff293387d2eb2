// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/flows/selection.h"
#include "views/tables/problem_model.h"

#include <QTableView>

namespace tessera::views {

// Errors and remarks. A click or Enter selects the subject of a row.
class ProblemPanel : public QTableView {
  Q_OBJECT
public:
  ProblemPanel(ProblemModel &model, Selection &selection, QWidget *parent = nullptr);

private:
  void selectSubject(const QModelIndex &index);

  ProblemModel &m_model;
  Selection &m_selection;
};

} // namespace tessera::views
