// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/problems/problem_panel.h"

#include "views/problems/severity_delegate.h"
#include "views/theme/empty_note.h"
#include "views/theme/table_look.h"

#include <QHeaderView>

namespace tessera::views {

ProblemPanel::ProblemPanel(ProblemModel &model, Selection &selection, QWidget *parent)
    : QTableView(parent), m_model(model), m_selection(selection) {
  setObjectName(QStringLiteral("problems"));
  setAccessibleName(tr("Problems"));
  setModel(&model);
  setItemDelegate(new SeverityDelegate(ProblemModel::About, ProblemModel::SeverityRole, this));
  setSelectionBehavior(SelectRows);
  setSelectionMode(SingleSelection);
  setShowGrid(false);
  setWordWrap(false);
  setTabKeyNavigation(false);
  setFrameShape(QFrame::NoFrame);
  setTextElideMode(Qt::ElideRight);
  verticalHeader()->hide();
  verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 8);
  setFlatHeader(*this);
  horizontalHeader()->setStretchLastSection(true);
  setColumnWidth(ProblemModel::About, 190);
  new EmptyNote(*this,
                tr("There are no problems.\nFiles that could not be opened, missing estimates, and "
                   "accesses whose region is not known exactly are listed here."));
  connect(this, &QTableView::clicked, this, &ProblemPanel::selectSubject);
  connect(this, &QTableView::activated, this, &ProblemPanel::selectSubject);
}

void ProblemPanel::selectSubject(const QModelIndex &index) {
  if (const auto subject = m_model.subjectAt(index.row())) m_selection.select(*subject);
}

} // namespace tessera::views
