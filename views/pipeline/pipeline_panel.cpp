// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/pipeline/pipeline_panel.h"

#include <QDir>
#include <QLabel>
#include <QTabWidget>
#include <QVBoxLayout>

namespace tessera::views {

PipelinePanel::PipelinePanel(OpenFlow &open, QWidget *parent)
    : QWidget(parent), m_open(open), m_head(new QLabel(this)), m_tabs(new QTabWidget(this)) {
  setAccessibleName(tr("Pipeline"));
  m_head->setObjectName(QStringLiteral("pipelineHead"));
  m_head->setAccessibleName(tr("The open pipeline"));
  m_head->setTextFormat(Qt::PlainText);
  m_head->setWordWrap(true);
  m_head->setMargin(10);
  m_tabs->setObjectName(QStringLiteral("pipelineTabs"));
  m_tabs->setAccessibleName(tr("Parts of the pipeline"));
  m_tabs->setDocumentMode(true);
  setFocusProxy(m_tabs);
  auto *column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(m_head);
  column->addWidget(m_tabs, 1);
  connect(&m_open, &OpenFlow::documentChanged, this, &PipelinePanel::refresh);
  refresh();
}

void PipelinePanel::addPage(QWidget *page, const QString &title) { m_tabs->addTab(page, title); }

void PipelinePanel::refresh() {
  const auto &document = m_open.document();
  if (!document) return m_head->setText(tr("No pipeline is open."));
  const pipeline::Pipeline &pipeline = *document->opened.pipeline;
  const std::string_view kind = name(document->opened.kind);
  m_head->setText(
      tr("%1 — %2, Halide %3\n%4")
          .arg(QString::fromStdString(pipeline.name()),
               QString::fromUtf8(kind.data(), qsizetype(kind.size())),
               QString::fromStdString(pipeline.halideVersion()),
               QDir::toNativeSeparators(QString::fromStdString(document->request.path))));
  m_head->setToolTip(m_head->text());
}

} // namespace tessera::views
