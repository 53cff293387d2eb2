// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/start/start_page.h"

#include "views/start/sample_delegate.h"
#include "views/theme/icons.h"
#include "views/theme/theme.h"

#include <QDir>
#include <QEvent>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QListView>
#include <QListWidget>
#include <QPushButton>
#include <QVBoxLayout>

#include <utility>

namespace tessera::views {

namespace {
constexpr int kColumnWidth = 3 * SampleDelegate::kWidth + 4;
constexpr int kShownRecent = 6;
} // namespace

StartPage::StartPage(std::vector<Sample> samples, RecentFiles &recent, QWidget *parent)
    : QScrollArea(parent), m_recent(recent), m_samples(std::move(samples)),
      m_column(new QWidget(this)), m_sampleList(new QListView(this)),
      m_recentList(new QListWidget(this)) {
  setObjectName(QStringLiteral("startPage"));
  setAccessibleName(tr("Start page"));
  setFrameShape(NoFrame);
  setWidgetResizable(true);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);

  setUpLists();
  auto *column = new QVBoxLayout(m_column);
  column->setContentsMargins(0, 48, 0, 32);
  column->setSpacing(6);
  column->addWidget(buildHead());
  column->addSpacing(26);
  // The recent files are above the samples, so that users see them without scrolling.
  column->addWidget(m_recentHeading = addHeading(tr("Recent")));
  column->addWidget(m_recentList);
  column->addWidget(m_samplesHeading = addHeading(tr("Samples")));
  column->addWidget(m_sampleList);
  column->addStretch(1);
  auto *page = new QWidget(this);
  auto *row = new QHBoxLayout(page);
  row->setContentsMargins(24, 0, 24, 0);
  row->addStretch(1);
  row->addWidget(m_column);
  row->addStretch(1);
  setWidget(page);

  // A single click or Enter opens the sample.
  const auto openSample = [this](const QModelIndex &index) {
    emit fileWanted(index.data(SampleListModel::PathRole).toString());
  };
  connect(m_sampleList, &QListView::clicked, this, openSample);
  connect(m_sampleList, &QListView::activated, this, openSample);
  const auto openRecent = [this](QListWidgetItem *item) {
    emit fileWanted(item->data(Qt::UserRole).toString());
  };
  connect(m_recentList, &QListWidget::itemClicked, this, openRecent);
  connect(m_recentList, &QListWidget::itemActivated, this, openRecent);
  connect(&m_recent, &RecentFiles::changed, this, &StartPage::fillRecent);
  fillRecent();
  restyle();
}

void StartPage::setUpLists() {
  m_sampleList->setObjectName(QStringLiteral("samples"));
  m_sampleList->setAccessibleName(tr("Samples"));
  m_sampleList->setModel(&m_samples);
  m_sampleList->setItemDelegate(new SampleDelegate(m_sampleList));
  m_sampleList->setViewMode(QListView::IconMode);
  m_sampleList->setMovement(QListView::Static);
  m_sampleList->setResizeMode(QListView::Adjust);
  m_sampleList->setUniformItemSizes(true);
  m_recentList->setObjectName(QStringLiteral("recent"));
  m_recentList->setAccessibleName(tr("Recent files"));
  for (QAbstractItemView *list : {static_cast<QAbstractItemView *>(m_sampleList),
                                  static_cast<QAbstractItemView *>(m_recentList)}) {
    list->setFrameShape(NoFrame);
    list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    list->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    list->setSelectionMode(QAbstractItemView::SingleSelection);
    list->viewport()->setAutoFillBackground(false);
    list->viewport()->setMouseTracking(true);
    list->viewport()->setCursor(Qt::PointingHandCursor);
  }
}

QWidget *StartPage::buildHead() {
  auto *head = new QWidget(this);
  auto *logo = new QLabel(head);
  logo->setPixmap(applicationIcon().pixmap(QSize(64, 64), devicePixelRatioF()));
  m_title = new QLabel(QStringLiteral("Tessera"), head);
  m_subtitle =
      new QLabel(tr("See, decide, search and measure GPU schedules of Halide pipelines"), head);
  QFont large = font();
  large.setPointSizeF(large.pointSizeF() * 2.2);
  large.setWeight(QFont::DemiBold);
  m_title->setFont(large);
  auto *open = new QPushButton(tr("&Open a pipeline…"), head);
  open->setObjectName(QStringLiteral("startOpen"));
  open->setAccessibleName(tr("Open a pipeline"));
  open->setToolTip(tr("A .hlpipe file, a generator program or library, or a generator's source; or "
                      "drop a file anywhere"));
  open->setIcon(icon(QStringLiteral("open")));
  open->setMinimumHeight(36);
  open->setMinimumWidth(180);
  open->setDefault(true);
  connect(open, &QPushButton::clicked, this, &StartPage::openWanted);

  auto *words = new QVBoxLayout;
  words->setSpacing(2);
  words->addWidget(m_title);
  words->addWidget(m_subtitle);
  auto *row = new QHBoxLayout(head);
  row->setContentsMargins(6, 0, 6, 0);
  row->setSpacing(18);
  row->addWidget(logo);
  row->addLayout(words, 1);
  row->addWidget(open, 0, Qt::AlignVCenter);
  return head;
}

QLabel *StartPage::addHeading(const QString &text) {
  auto *label = new QLabel(text, this);
  QFont bold = font();
  bold.setWeight(QFont::DemiBold);
  label->setFont(bold);
  label->setContentsMargins(6, 0, 0, 2);
  return label;
}

void StartPage::fillRecent() {
  m_recentList->clear();
  for (const QString &path : m_recent.paths().mid(0, kShownRecent)) {
    const QFileInfo file(path);
    auto *item = new QListWidgetItem(
        icon(QStringLiteral("file")),
        QStringLiteral("%1   —   %2").arg(file.fileName(), QDir::toNativeSeparators(file.path())),
        m_recentList);
    item->setData(Qt::UserRole, path);
    item->setToolTip(QDir::toNativeSeparators(path));
    item->setSizeHint({100, fontMetrics().height() + 14});
  }
  m_recentHeading->setVisible(m_recentList->count() > 0);
  m_recentList->setVisible(m_recentList->count() > 0);
  m_recentList->setFixedHeight(m_recentList->count() * (fontMetrics().height() + 14) + 18);
}

// The list is as high as its cards, so that the page scrolls and not the list inside it.
void StartPage::arrangeSamples() {
  const int width = qBound(SampleDelegate::kWidth + 4, viewport()->width() - 48, kColumnWidth);
  m_column->setFixedWidth(width);
  const int columns = qMax(1, (width - 2) / SampleDelegate::kWidth);
  const int count = m_samples.rowCount();
  m_samplesHeading->setVisible(count > 0);
  m_sampleList->setVisible(count > 0);
  m_sampleList->setFixedHeight((count + columns - 1) / columns * SampleDelegate::kHeight + 4);
}

void StartPage::resizeEvent(QResizeEvent *event) {
  QScrollArea::resizeEvent(event);
  arrangeSamples();
}

void StartPage::changeEvent(QEvent *event) {
  QScrollArea::changeEvent(event);
  if (event->type() == QEvent::PaletteChange && m_subtitle) restyle();
}

void StartPage::restyle() {
  QPalette faint = m_subtitle->palette();
  faint.setColor(QPalette::WindowText, Colors(palette()).faintText);
  m_subtitle->setPalette(faint);
  QPalette clear = m_recentList->palette();
  clear.setColor(QPalette::Base, Qt::transparent);
  m_recentList->setPalette(clear);
  fillRecent();
}

} // namespace tessera::views
