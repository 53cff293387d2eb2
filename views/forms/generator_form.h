// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/open/open.h"

#include <QWidget>

#include <utility>
#include <vector>

class QCheckBox;
class QComboBox;
class QFormLayout;
class QLabel;

namespace tessera::views {

// Chooses a generator of a file and its parameters. It offers the file's generators with their
// defaults, and what was given besides, such as the type of an input; only values that differ from
// the defaults are passed on.
class GeneratorForm : public QWidget {
  Q_OBJECT
public:
  explicit GeneratorForm(QWidget *parent = nullptr);

  void setGenerators(std::vector<open::Generator> generators, const open::OpenRequest &chosen);

  QString generator() const;
  std::vector<std::pair<std::string, std::string>> parameters() const;
  open::OwnSchedule ownSchedule() const;

private:
  void showParameters();
  void addField(const open::GeneratorParameter &parameter, const QString &value);

  struct Field {
    open::GeneratorParameter parameter;
    QWidget *editor = nullptr;
  };
  static QString valueOf(const Field &field);

  std::vector<open::Generator> m_generators;
  open::OpenRequest m_chosen;
  QComboBox *m_generator = nullptr;
  QWidget *m_fieldArea = nullptr;
  QFormLayout *m_form = nullptr;
  QLabel *m_none = nullptr;
  QCheckBox *m_ownSchedule = nullptr;
  std::vector<Field> m_fields;
};

} // namespace tessera::views
