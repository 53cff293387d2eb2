// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/settings/recent_files.h"
#include "views/tables/sample_list_model.h"

#include <QScrollArea>

class QLabel;
class QListView;
class QListWidget;
class QPushButton;

namespace tessera::views {

// The first page of the window: open a file, choose a sample, or continue with a recent file.
class StartPage : public QScrollArea {
  Q_OBJECT
public:
  StartPage(std::vector<Sample> samples, RecentFiles &recent, QWidget *parent = nullptr);

signals:
  void openWanted();
  void fileWanted(const QString &path);

protected:
  void resizeEvent(QResizeEvent *event) override;
  void changeEvent(QEvent *event) override;

private:
  void setUpLists();
  QWidget *buildHead();
  QLabel *addHeading(const QString &text);
  void fillRecent();
  void arrangeSamples();
  void restyle();

  RecentFiles &m_recent;
  SampleListModel m_samples;
  QWidget *m_column = nullptr;
  QLabel *m_title = nullptr, *m_subtitle = nullptr;
  QLabel *m_samplesHeading = nullptr, *m_recentHeading = nullptr;
  QListView *m_sampleList = nullptr;
  QListWidget *m_recentList = nullptr;
};

} // namespace tessera::views
