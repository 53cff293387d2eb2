// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/forms/generator_form.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QRegularExpression>
#include <QRegularExpressionValidator>
#include <QScrollArea>
#include <QVBoxLayout>

#include <algorithm>

namespace tessera::views {

namespace {

// A pattern for input of this type. The generator itself checks the value.
const char *patternFor(const std::string &type) {
  if (type == "float" || type == "double") return R"([-+]?[0-9]*\.?[0-9]*([eE][-+]?[0-9]+)?)";
  if (type.starts_with("uint") || type == "unsigned" || type == "size_t") return R"([0-9]*)";
  if (type.starts_with("int")) return R"([-+]?[0-9]*)";
  return nullptr;
}

QWidget *editorFor(const open::GeneratorParameter &parameter, const QString &value,
                   QWidget *parent) {
  const QString name = QString::fromStdString(parameter.name);
  QWidget *editor = nullptr;
  if (parameter.type == "bool") {
    auto *box = new QCheckBox(parent);
    box->setChecked(value == QLatin1String("true") || value == QLatin1String("1"));
    editor = box;
  } else if (!parameter.choices.empty()) {
    auto *box = new QComboBox(parent);
    for (const std::string &choice : parameter.choices)
      box->addItem(QString::fromStdString(choice));
    if (box->findText(value) < 0) box->addItem(value);
    box->setCurrentText(value);
    editor = box;
  } else {
    auto *line = new QLineEdit(value, parent);
    line->setPlaceholderText(QString::fromStdString(parameter.defaultValue));
    if (const char *pattern = patternFor(parameter.type))
      line->setValidator(
          new QRegularExpressionValidator(QRegularExpression(QLatin1String(pattern)), line));
    editor = line;
  }
  editor->setObjectName(QStringLiteral("parameter.") + name);
  editor->setAccessibleName(name);
  if (!parameter.defaultValue.empty())
    editor->setToolTip(GeneratorForm::tr("%1, default %2")
                           .arg(QString::fromStdString(parameter.type),
                                QString::fromStdString(parameter.defaultValue)));
  return editor;
}

// A parameter that the generator does not list: the type, dimensions or array's size of an input
// that its source leaves open, its target, or a parameter of a stub.
open::GeneratorParameter unlisted(const std::string &name) {
  if (name.ends_with(".type"))
    return {name,
            "type",
            {"uint8", "uint16", "uint32", "uint64", "int8", "int16", "int32", "int64", "float16",
             "bfloat16", "float32", "float64", "bool"},
            ""};
  if (name.ends_with(".dim")) return {name, "int32_t", {}, ""};
  if (name.ends_with(".size")) return {name, "size_t", {}, ""};
  return {name, "", {}, ""};
}

} // namespace

GeneratorForm::GeneratorForm(QWidget *parent)
    : QWidget(parent), m_generator(new QComboBox(this)), m_fieldArea(new QWidget),
      m_form(new QFormLayout(m_fieldArea)),
      m_none(new QLabel(tr("This generator has no parameters."), this)),
      m_ownSchedule(new QCheckBox(tr("&Apply the generator's own schedule"), this)) {
  setAccessibleName(tr("Generator and parameters"));
  m_generator->setObjectName(QStringLiteral("generator"));
  m_generator->setAccessibleName(tr("Generator"));
  m_ownSchedule->setObjectName(QStringLiteral("ownSchedule"));
  m_ownSchedule->setAccessibleName(tr("Apply the generator's own schedule"));
  m_ownSchedule->setToolTip(
      tr("If this is off, the pipeline is loaded without the generator's own schedule"));
  m_none->setForegroundRole(QPalette::PlaceholderText);
  auto *scroll = new QScrollArea(this);
  scroll->setObjectName(QStringLiteral("parameterScroll"));
  scroll->setAccessibleName(tr("Parameters"));
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setWidgetResizable(true);
  scroll->setWidget(m_fieldArea);
  scroll->viewport()->setAutoFillBackground(false);
  m_fieldArea->setAutoFillBackground(false);
  m_form->setContentsMargins(0, 0, 0, 0);
  m_form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);

  auto *head = new QFormLayout;
  head->addRow(tr("&Generator"), m_generator);
  auto *column = new QVBoxLayout(this);
  column->setContentsMargins(0, 6, 0, 0);
  column->addLayout(head);
  column->addWidget(m_none);
  column->addWidget(scroll);
  column->addWidget(m_ownSchedule);
  connect(m_generator, &QComboBox::currentIndexChanged, this, &GeneratorForm::showParameters);
}

void GeneratorForm::setGenerators(std::vector<open::Generator> generators,
                                  const open::OpenRequest &chosen) {
  m_generators = std::move(generators);
  m_chosen = chosen;
  const QSignalBlocker blocker(m_generator);
  m_generator->clear();
  for (const open::Generator &generator : m_generators)
    m_generator->addItem(QString::fromStdString(generator.name));
  if (!chosen.generator.empty())
    m_generator->setCurrentText(QString::fromStdString(chosen.generator));
  m_ownSchedule->setChecked(chosen.ownSchedule == open::OwnSchedule::Apply);
  showParameters();
}

void GeneratorForm::showParameters() {
  while (m_form->rowCount() > 0)
    m_form->removeRow(0);
  m_fields.clear();
  const int current = m_generator->currentIndex();
  if (current < 0) return;
  const open::Generator &generator = m_generators[std::size_t(current)];
  const bool isChosen = generator.name == m_chosen.generator;
  const auto givenOr = [&](const std::string &name, std::string value) {
    for (const auto &[given, givenValue] : m_chosen.parameters)
      if (isChosen && given == name) value = givenValue; // the last counts
    return QString::fromStdString(value);
  };
  for (const open::GeneratorParameter &parameter : generator.parameters)
    addField(parameter, givenOr(parameter.name, parameter.defaultValue));
  for (const auto &[name, value] : m_chosen.parameters)
    if (isChosen && std::ranges::none_of(m_fields, [&, &given = name](const Field &field) {
          return field.parameter.name == given;
        }))
      addField(unlisted(name), givenOr(name, value));
  m_none->setVisible(m_fields.empty());
  auto *scroll = findChild<QScrollArea *>();
  scroll->setVisible(!m_fields.empty());
  scroll->setFixedHeight(std::min(300, m_fieldArea->sizeHint().height() + 4));
}

void GeneratorForm::addField(const open::GeneratorParameter &parameter, const QString &value) {
  auto *editor = editorFor(parameter, value, m_fieldArea);
  const QString name = QString::fromStdString(parameter.name);
  m_form->addRow(parameter.type.empty()
                     ? name
                     : QStringLiteral("%1  (%2)").arg(name, QString::fromStdString(parameter.type)),
                 editor);
  m_fields.push_back({parameter, editor});
}

QString GeneratorForm::valueOf(const Field &field) {
  if (const auto *box = qobject_cast<QCheckBox *>(field.editor))
    return box->isChecked() ? QStringLiteral("true") : QStringLiteral("false");
  if (const auto *box = qobject_cast<QComboBox *>(field.editor)) return box->currentText();
  return qobject_cast<QLineEdit *>(field.editor)->text();
}

QString GeneratorForm::generator() const { return m_generator->currentText(); }

std::vector<std::pair<std::string, std::string>> GeneratorForm::parameters() const {
  std::vector<std::pair<std::string, std::string>> values;
  for (const Field &field : m_fields) {
    const std::string value = valueOf(field).toStdString();
    if (!value.empty() && value != field.parameter.defaultValue)
      values.emplace_back(field.parameter.name, value);
  }
  return values;
}

open::OwnSchedule GeneratorForm::ownSchedule() const {
  return m_ownSchedule->isChecked() ? open::OwnSchedule::Apply : open::OwnSchedule::TakeOff;
}

} // namespace tessera::views
