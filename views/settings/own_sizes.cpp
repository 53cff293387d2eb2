// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/settings/own_sizes.h"

#include <QSettings>

#include <algorithm>

namespace tessera::views {

namespace {

const QString kSizeName = QStringLiteral("name"), kEstimates = QStringLiteral("estimates");

// Slashes are replaced, because in settings they separate groups.
QString arrayOf(const QString &pipeline) {
  return QStringLiteral("sizes/") + QString(pipeline).replace('/', '_').replace('\\', '_');
}

} // namespace

std::vector<OwnSizes::Size> OwnSizes::of(const QString &pipeline) const {
  std::vector<Size> sizes;
  const int count = m_settings.beginReadArray(arrayOf(pipeline));
  for (int i = 0; i < count; ++i) {
    m_settings.setArrayIndex(i);
    Size size{m_settings.value(kSizeName).toString(), m_settings.value(kEstimates).toStringList()};
    if (!size.name.isEmpty() && !estimatesOf(size.estimates).empty())
      sizes.push_back(std::move(size));
  }
  m_settings.endArray();
  return sizes;
}

void OwnSizes::save(const QString &pipeline, const Size &size) {
  std::vector<Size> sizes = of(pipeline);
  const auto same = std::ranges::find(sizes, size.name, &Size::name);
  if (same == sizes.end())
    sizes.push_back(size);
  else
    *same = size;
  write(pipeline, sizes);
}

void OwnSizes::remove(const QString &pipeline, const QString &name) {
  std::vector<Size> sizes = of(pipeline);
  std::erase_if(sizes, [&](const Size &size) { return size.name == name; });
  write(pipeline, sizes);
}

void OwnSizes::write(const QString &pipeline, const std::vector<Size> &sizes) {
  m_settings.remove(arrayOf(pipeline));
  m_settings.beginWriteArray(arrayOf(pipeline), int(sizes.size()));
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    m_settings.setArrayIndex(int(i));
    m_settings.setValue(kSizeName, sizes[i].name);
    m_settings.setValue(kEstimates, sizes[i].estimates);
  }
  m_settings.endArray();
}

std::vector<open::EstimateOverride> estimatesOf(const QStringList &texts) {
  std::vector<open::EstimateOverride> all;
  for (const QString &text : texts)
    if (auto parsed = open::parseEstimate(text.toStdString())) all.push_back(std::move(*parsed));
  return all;
}

QString estimateText(const open::EstimateOverride &estimate) {
  return QString::fromStdString(open::textOf(estimate));
}

} // namespace tessera::views
