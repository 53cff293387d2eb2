// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/problems/problem_panel.h"

#include "views/theme/empty_note.h"
#include "views/theme/icons.h"
#include "views/theme/table_look.h"
#include "views/theme/theme.h"

#include <QHeaderView>
#include <QPainter>
#include <QStyledItemDelegate>

#include <utility>

namespace tessera::views {

namespace {

// The severity as an icon before the subject; the accessible text says it in words.
class SeverityDelegate : public QStyledItemDelegate {
public:
  using QStyledItemDelegate::QStyledItemDelegate;

  void initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const override {
    QStyledItemDelegate::initStyleOption(option, index);
    if (index.column() != ProblemModel::About) return;
    const Colors colors(option->palette);
    const auto [name, color] = [&]() -> std::pair<const char *, QColor> {
      switch (Problem::Severity(index.data(ProblemModel::SeverityRole).toInt())) {
      case Problem::Severity::Error:
        return {"error", colors.error};
      case Problem::Severity::Warning:
        return {"warning", colors.warning};
      case Problem::Severity::Remark:
        break;
      }
      return {"remark", colors.producer};
    }();
    option->features |= QStyleOptionViewItem::HasDecoration;
    option->decorationSize = {16, 16};
    option->icon = iconPixmap(QString::fromLatin1(name), color, 16, 2);
  }
};

} // namespace

ProblemPanel::ProblemPanel(ProblemModel &model, Selection &selection, QWidget *parent)
    : QTableView(parent), m_model(model), m_selection(selection) {
  setObjectName(QStringLiteral("problems"));
  setAccessibleName(tr("Problems"));
  setModel(&model);
  setItemDelegate(new SeverityDelegate(this));
  setSelectionBehavior(SelectRows);
  setSelectionMode(SingleSelection);
  setShowGrid(false);
  setWordWrap(false);
  setTabKeyNavigation(false);
  setFrameShape(QFrame::NoFrame);
  setTextElideMode(Qt::ElideRight);
  verticalHeader()->hide();
  verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 8);
  flattenHeader(*horizontalHeader());
  horizontalHeader()->setStretchLastSection(true);
  setColumnWidth(ProblemModel::About, 190);
  new EmptyNote(*this, tr("There are no problems.\nWhat could not be opened, estimates that are "
                          "missing, and accesses whose region is not known exactly stand here."));
  connect(this, &QTableView::clicked, this, &ProblemPanel::selectSubject);
  connect(this, &QTableView::activated, this, &ProblemPanel::selectSubject);
}

void ProblemPanel::selectSubject(const QModelIndex &index) {
  if (const auto subject = m_model.subjectAt(index.row())) m_selection.select(*subject);
}

} // namespace tessera::views
