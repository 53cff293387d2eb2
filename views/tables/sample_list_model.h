// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractListModel>
#include <QString>

#include <vector>

namespace tessera::views {

// A pipeline that ships with the program.
struct Sample {
  QString name;
  QString path; // empty: described but not installed
  QString description;
  int stages = 0; // 0: not known
};

// Joins the descriptions (resources/texts/samples.json) with the *.hlpipe files of the samples
// folder. A file without a description is listed as well. A hand-scheduled twin
// (NAME.manual.hlpipe) is not, because it is opened from its sample.
std::vector<Sample> findSamples(const QString &folder, const QByteArray &descriptions);

class SampleListModel : public QAbstractListModel {
  Q_OBJECT
public:
  enum Role { PathRole = Qt::UserRole + 1, DescriptionRole, CountRole };

  explicit SampleListModel(std::vector<Sample> samples, QObject *parent = nullptr);

  int rowCount(const QModelIndex &parent = {}) const override;
  QVariant data(const QModelIndex &index, int role) const override;

private:
  std::vector<Sample> m_samples;
};

} // namespace tessera::views
