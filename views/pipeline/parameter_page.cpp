// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/pipeline/parameter_page.h"

#include "views/forms/generator_form.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace tessera::views {

ParameterPage::ParameterPage(OpenFlow &open, QWidget *parent)
    : QWidget(parent), m_open(open), m_text(new QLabel(this)), m_form(new GeneratorForm(this)),
      m_apply(new QPushButton(tr("A&pply"), this)) {
  setAccessibleName(tr("Generator"));
  m_text->setObjectName(QStringLiteral("parameterText"));
  m_text->setAccessibleName(tr("About the generator"));
  m_text->setWordWrap(true);
  m_text->setForegroundRole(QPalette::PlaceholderText);
  m_apply->setObjectName(QStringLiteral("applyParameters"));
  m_apply->setAccessibleName(tr("Apply the parameters"));
  m_apply->setToolTip(
      tr("Run the generator with these parameters; stages of the same name keep their decisions"));
  auto *row = new QHBoxLayout;
  row->addStretch(1);
  row->addWidget(m_apply);
  auto *column = new QVBoxLayout(this);
  column->setContentsMargins(10, 8, 10, 8);
  column->addWidget(m_text);
  column->addWidget(m_form);
  column->addLayout(row);
  column->addStretch(1);
  connect(m_apply, &QPushButton::clicked, this, &ParameterPage::apply);
  connect(&m_open, &OpenFlow::documentChanged, this, &ParameterPage::refresh);
  refresh();
}

void ParameterPage::refresh() {
  const auto &document = m_open.document();
  const bool hasGenerator = document && !document->opened.generators.empty();
  m_form->setVisible(hasGenerator);
  m_apply->setVisible(hasGenerator);
  if (!document) return m_text->setText(tr("No pipeline is open."));
  const QString file = QFileInfo(QString::fromStdString(document->request.path)).fileName();
  if (hasGenerator) {
    m_form->setGenerators(document->opened.generators, document->request);
    return m_text->setText(tr("The generator %1 makes this pipeline. If you change parameters, "
                              "stages of the same name keep their decisions.")
                               .arg(file));
  }
  m_text->setText(document->opened.kind == open::SourceKind::SerializedPipeline
                      ? tr("%1 is a serialized pipeline, without parameters. To change "
                           "parameters, open the generator that made it.")
                            .arg(file)
                      : tr("This pipeline was opened from a document. Open %1 itself to run it "
                           "with other parameters.")
                            .arg(file));
}

void ParameterPage::apply() {
  open::OpenRequest request = m_open.document()->request;
  request.generator = m_form->generator().toStdString();
  request.parameters = m_form->parameters();
  request.ownSchedule = m_form->ownSchedule();
  emit openWanted(request);
}

} // namespace tessera::views
