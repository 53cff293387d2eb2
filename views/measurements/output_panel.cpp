// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/measurements/output_panel.h"

#include "views/measurements/picture_view.h"
#include "engine/host/files.h"
#include "engine/pipeline/measures.h"
#include "engine/pipeline/number.h"
#include "views/text/error_text.h"
#include "views/text/from_std.h"
#include "views/text/quantity_text.h"
#include "views/theme/file_folder.h"

#include <QButtonGroup>
#include <QComboBox>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cstring>
#include <utility>

namespace tessera::views {

namespace {

constexpr int kToneDigits = 6; // the largest value of 16 bits has five

const QString kReadTag = QStringLiteral("read output");
const QString kDrawTag = QStringLiteral("draw output");
const QString kSaveTag = QStringLiteral("save output");

using measure::VerifiedOutput;
using Shown = OutputPanel::Shown;
using Levels = std::vector<QImage>;

QImage imageOf(const array::Picture &picture) {
  QImage image(int(picture.width), int(picture.height),
               picture.channels == 1 ? QImage::Format_Grayscale8 : QImage::Format_RGB888);
  const auto row = std::size_t(picture.width) * picture.channels;
  for (int y = 0; y < image.height(); ++y)
    std::memcpy(image.scanLine(y), &picture.pixels[std::size_t(y) * row], row);
  // Widgets are painted in this format, so the image need not be converted at each paint.
  return image.convertToFormat(QImage::Format_RGB32);
}

array::Picture pictureOf(const VerifiedOutput &output, const array::Cut &cut, Shown shown) {
  if (shown == Shown::Difference)
    return array::differenceOf(output.errors, output.found.extents, cut, output.excused);
  return array::pictureOf(shown == Shown::Found ? output.found : output.expected, cut,
                          output.tones);
}

// The values at one pixel as text, one for each colour channel.
QString numbersText(const array::Array &array, std::size_t number, std::size_t stride,
                    std::size_t count) {
  const auto size = std::size_t(array.type.bytes());
  const bool isFloat = array.type.kind == pipeline::TypeKind::Float;
  QStringList texts;
  for (std::size_t i = 0; i < count; ++i) {
    const double value = pipeline::numberAt(&array.data[(number + i * stride) * size], array.type);
    texts << (isFloat ? QString::number(value, 'g', 7) : QString::number(value, 'f', 0));
  }
  return texts.join(QStringLiteral(", "));
}

} // namespace

OutputPanel::OutputPanel(DocumentFlow &documents, MeasureFlow &measuring, Bridge &bridge,
                         QWidget *parent)
    : QWidget(parent), m_documents(documents), m_measuring(measuring), m_bridge(bridge) {
  setAccessibleName(tr("Outputs of the verification"));
  m_names = new QComboBox(this);
  m_names->setObjectName(QStringLiteral("outputName"));
  m_names->setAccessibleName(tr("Output"));
  m_names->setToolTip(tr("Output to show"));
  auto *tools = new QHBoxLayout;
  tools->setContentsMargins(10, 4, 8, 4);
  tools->setSpacing(2);
  tools->addWidget(m_names);
  addKinds(*tools);
  m_places = new QHBoxLayout;
  m_places->setContentsMargins(8, 0, 0, 0);
  tools->addLayout(m_places);
  tools->addStretch(1);
  m_worst = addTool(tr("&Worst"), QStringLiteral("worstOutput"),
                    tr("Go to the value with the largest error"));
  m_fit = addTool(tr("F&it"), QStringLiteral("fitOutput"), tr("Show the whole picture (press 0)"));
  m_whole = addTool(tr("&1:1"), QStringLiteral("wholeOutput"),
                    tr("Show one pixel for each value (press 1); zoom with the wheel, + and −"));
  m_save = addTool(tr("S&ave…"), QStringLiteral("saveOutput"),
                   tr("Save what is shown as a picture (.png) or as numbers (.npy)"));
  for (QToolButton *button : {m_worst, m_fit, m_whole, m_save})
    tools->addWidget(button);
  m_view = new PictureView(this);
  m_view->setObjectName(QStringLiteral("outputPicture"));
  m_text = new QLabel(this);
  m_text->setObjectName(QStringLiteral("outputText"));
  m_text->setAccessibleName(tr("The value under the pointer"));
  m_text->setContentsMargins(10, 3, 8, 4);
  m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
  auto *column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addLayout(tools);
  column->addWidget(m_view, 1);
  column->addWidget(m_text);
  setFocusProxy(m_view);

  connect(m_names, &QComboBox::currentIndexChanged, this, &OutputPanel::read);
  connect(m_kinds, &QButtonGroup::idToggled, this, [this](int, bool isOn) {
    if (isOn) draw();
  });
  connect(m_worst, &QToolButton::clicked, this, &OutputPanel::lookAtWorst);
  connect(m_fit, &QToolButton::clicked, m_view, &PictureView::fit);
  connect(m_whole, &QToolButton::clicked, m_view,
          [this] { m_view->zoomTo(1, QRectF(m_view->rect()).center()); });
  connect(m_save, &QToolButton::clicked, this, &OutputPanel::save);
  connect(m_view, &PictureView::pointedAt, this, &OutputPanel::point);
  show(nullptr);
}

// Adds the buttons that choose which picture is shown.
void OutputPanel::addKinds(QHBoxLayout &tools) {
  m_kinds = new QButtonGroup(this);
  const QString tones = tr("Black is the smallest expected value and white the largest, without "
                           "the lowest and the highest 1 % for floats; for unsigned bytes, black "
                           "is 0 and white 255");
  const std::tuple<Shown, QString, QString, QString> kinds[]{
      {Shown::Found, tr("F&ound"), QStringLiteral("foundOutput"),
       tr("What the schedule computed. %1").arg(tones)},
      {Shown::Expected, tr("E&xpected"), QStringLiteral("expectedOutput"),
       tr("What the unscheduled pipeline computes. %1").arg(tones)},
      {Shown::Difference, tr("&Difference"), QStringLiteral("outputDifference"),
       tr("Black: no difference. Blue: within the tolerance, or beyond it where the reference "
          "itself depends on rounding. Orange to white: up to 10,000 times the tolerance. Near "
          "wrong values, differences that rounding explains may be orange too. If a pixel has "
          "several channels, the largest difference is shown")}};
  for (const auto &[kind, text, name, toolTip] : kinds) {
    QToolButton *button = addTool(text, name, toolTip);
    button->setCheckable(true);
    m_kinds->addButton(button, int(kind));
    tools.addWidget(button);
  }
  m_kinds->button(int(Shown::Found))->setChecked(true);
}

QToolButton *OutputPanel::addTool(const QString &text, const QString &name,
                                  const QString &toolTip) {
  auto *made = new QToolButton(this);
  made->setText(text);
  made->setObjectName(name);
  made->setAccessibleName(QString(text).remove('&').remove(QStringLiteral("…")));
  made->setToolTip(toolTip);
  made->setAutoRaise(true);
  return made;
}

void OutputPanel::setEnabledTools(bool enabled) {
  for (QAbstractButton *button : m_kinds->buttons())
    button->setEnabled(enabled);
  for (QToolButton *button : {m_fit, m_whole, m_save})
    button->setEnabled(enabled);
  m_worst->setEnabled(enabled && !comparison().worstAt.empty());
}

void OutputPanel::show(const document::KeptVerification *verification) {
  const MeasureFlow::Outputs *outputs =
      verification ? m_measuring.outputsOf(*verification) : nullptr;
  if (outputs && m_outputs && outputs->of == m_outputs->of) return;
  m_outputs = outputs ? std::optional(*outputs) : std::nullopt;
  for (const QString &tag : {kReadTag, kDrawTag})
    m_bridge.cancelTag(tag);
  const QSignalBlocker quiet(m_names);
  m_names->clear();
  if (outputs)
    for (const report::OutputComparison &output : outputs->of.report.outputs)
      m_names->addItem(from(output.name));
  m_names->setVisible(m_names->count() > 1);
  if (m_names->count() > 0) return read();
  take(nullptr);
  m_view->setNote(verification ? tr("Only the outputs of the last few verifications are kept, "
                                    "until the program ends. Verify again to see these outputs.")
                               : QString());
}

const report::OutputComparison &OutputPanel::comparison() const {
  return m_outputs->of.report.outputs[std::size_t(m_names->currentIndex())];
}

Shown OutputPanel::shown() const { return Shown(m_kinds->checkedId()); }

void OutputPanel::read() {
  take(nullptr);
  m_reading.request();
}

void OutputPanel::startReading() {
  if (!m_outputs || m_output) return;
  m_view->setNote(tr("Reading…"));
  m_bridge.run<std::shared_ptr<const VerifiedOutput>>(
      kReadTag, {},
      [outputs = *m_outputs, comparison = comparison()](
          const job::JobContext &) -> Result<std::shared_ptr<const VerifiedOutput>> {
        auto output = measure::readVerifiedOutput(outputs.folder->path(), comparison);
        if (!output) return output.error();
        return std::make_shared<const VerifiedOutput>(std::move(*output));
      },
      this,
      [this](const Result<std::shared_ptr<const VerifiedOutput>> &output) {
        if (output) return take(*output);
        if (output.error().code != ErrorCode::Cancelled) m_view->setNote(errorText(output.error()));
      });
}

void OutputPanel::take(std::shared_ptr<const VerifiedOutput> output) {
  m_output = std::move(output);
  m_text->clear();
  m_view->setMark(std::nullopt);
  m_cut = m_output ? array::usualCut(m_output->found.extents) : array::Cut();
  buildPlaces();
  setEnabledTools(m_output != nullptr);
  if (!m_output) return;
  m_text->setToolTip(m_kinds->button(int(Shown::Expected))->toolTip());
  m_text->setText(tr("%1; black is %2, white is %3")
                      .arg(from(pipeline::extentsText(m_output->found.extents)))
                      .arg(m_output->tones.black, 0, 'g', kToneDigits)
                      .arg(m_output->tones.white, 0, 'g', kToneDigits));
  draw();
}

// The name of the func's argument, as "x"; its number if the pipeline does not know the name.
QString OutputPanel::dimensionName(std::size_t dim) const {
  const std::string func = m_output->name.substr(0, m_output->name.find('.'));
  for (const pipeline::Func &known : m_documents.document().pipeline()->funcs())
    if (known.name == func && dim < known.args.size()) return from(known.args[dim]);
  return tr("dimension %1").arg(dim);
}

std::int64_t OutputPanel::beginOf(std::size_t dim) const {
  const auto &begin = comparison().begin;
  return dim < begin.size() ? begin[dim] : 0;
}

void OutputPanel::buildPlaces() {
  while (QLayoutItem *item = m_places->takeAt(0)) {
    delete item->widget();
    delete item;
  }
  if (!m_output) return;
  const auto &extents = m_output->found.extents;
  for (std::size_t dim = 0; dim < extents.size(); ++dim) {
    if (dim == m_cut.across || dim == m_cut.down || extents[dim] == 1) continue;
    const bool isColour = m_cut.colour == dim;
    auto *place = new QSpinBox(this);
    const auto begin = int(beginOf(dim));
    place->setObjectName(QStringLiteral("outputPlace%1").arg(dim));
    place->setAccessibleName(dimensionName(dim));
    place->setPrefix(tr("%1 ").arg(dimensionName(dim)));
    place->setToolTip(isColour ? tr("Show all channels as colours, or one channel as grey")
                               : tr("Index of the shown slice along this dimension"));
    place->setRange(begin - int(isColour), begin + int(extents[dim]) - 1);
    if (isColour) place->setSpecialValueText(tr("%1: colours").arg(dimensionName(dim)));
    place->setValue(place->minimum());
    connect(place, &QSpinBox::valueChanged, this, [this, dim, begin, isColour](int value) {
      if (isColour) m_cut.colour = value < begin ? std::optional(dim) : std::nullopt;
      m_cut.at[dim] = std::max(0, value - begin);
      draw();
    });
    m_places->addWidget(place);
  }
}

void OutputPanel::draw() {
  if (!m_output) return;
  m_bridge.run<Levels>(
      kDrawTag, {},
      [output = m_output, cut = m_cut, shown = shown()](const job::JobContext &) {
        return Result<Levels>(withHalves(imageOf(pictureOf(*output, cut, shown))));
      },
      this,
      [this](Result<Levels> levels) {
        if (levels) m_view->show(std::move(*levels));
      });
  m_view->setAccessibleName(
      tr("%1 of %2").arg(m_kinds->checkedButton()->accessibleName(), from(m_output->name)));
}

void OutputPanel::lookAtWorst() {
  const std::vector<std::int64_t> &worst = comparison().worstAt;
  const auto at = [&](std::size_t dim) {
    return dim < worst.size() ? int(worst[dim] - beginOf(dim)) : 0;
  };
  for (std::size_t dim = 0; dim < worst.size(); ++dim)
    if (auto *place = findChild<QSpinBox *>(QStringLiteral("outputPlace%1").arg(dim));
        place && m_cut.colour != dim)
      place->setValue(int(worst[dim]));
  const QPoint pixel(at(m_cut.across), at(m_cut.down));
  m_view->setMark(pixel);
  m_view->lookAt(pixel);
  point(pixel);
}

QString OutputPanel::textAt(const QPoint &pixel) const {
  const auto &extents = m_output->found.extents;
  QStringList places;
  for (std::size_t dim = 0; dim < extents.size(); ++dim) {
    if (m_cut.colour == dim) continue;
    const std::int64_t at = dim == m_cut.across ? pixel.x()
                            : dim == m_cut.down ? pixel.y()
                                                : m_cut.at[dim];
    places << tr("%1 %2").arg(dimensionName(dim)).arg(at + beginOf(dim));
  }
  const std::size_t number = array::indexAt(extents, m_cut, pixel.x(), pixel.y());
  const std::size_t stride = array::colourStride(extents, m_cut);
  const std::size_t count = m_cut.colour ? std::size_t(extents[*m_cut.colour]) : 1;
  float worst = 0;
  for (std::size_t i = 0; i < count; ++i)
    worst = std::max(worst, m_output->errors[number + i * stride]);
  const QString found = numbersText(m_output->found, number, stride, count);
  const QString expected = numbersText(m_output->expected, number, stride, count);
  const QString place = places.join(QStringLiteral(", "));
  if (worst == 0) return tr("%1: %2, as expected").arg(place, found);
  if (comparison().rule == report::ComparisonRule::Exact)
    return tr("%1: found %2, expected %3, and no difference is allowed")
        .arg(place, found, expected);
  if (worst > 1 && worst > m_output->excused)
    return tr("%1: found %2, expected %3, off by %4 times the tolerance; the reference depends on "
              "rounding there")
        .arg(place, found, expected)
        .arg(double(worst), 0, 'g', 3);
  return tr("%1: found %2, expected %3, off by %4 times the tolerance")
      .arg(place, found, expected)
      .arg(double(worst), 0, 'g', 3);
}

void OutputPanel::point(std::optional<QPoint> pixel) {
  if (m_output && pixel) m_text->setText(textAt(*pixel));
}

void OutputPanel::save() {
  const Shown kind = shown();
  QStringList filters{tr("Picture (*.png)")};
  if (kind != Shown::Difference) filters << tr("NumPy array (*.npy)");
  const QString name = from(m_output->name);
  QFileDialog *dialog = saveDialog(*this, tr("Save %1").arg(name), name + QStringLiteral(".png"));
  dialog->setObjectName(QStringLiteral("outputDialog"));
  dialog->setNameFilters(filters);
  dialog->setDefaultSuffix(QStringLiteral("png"));
  connect(dialog, &QFileDialog::filterSelected, dialog, [dialog](const QString &filter) {
    dialog->setDefaultSuffix(filter.contains(QStringLiteral(".npy")) ? QStringLiteral("npy")
                                                                     : QStringLiteral("png"));
  });
  connect(
      dialog, &QFileDialog::fileSelected, this,
      [this, kind, output = m_output, cut = m_cut](const QString &path) {
        m_bridge.run<bool>(
            kSaveTag, tr("Saving %1").arg(QFileInfo(path).fileName()),
            [=](const job::JobContext &) -> Result<bool> {
              const bool isArray = path.endsWith(QStringLiteral(".npy"), Qt::CaseInsensitive);
              const Status written =
                  isArray
                      ? measure::writeArray(path.toStdString(), kind == Shown::Expected
                                                                    ? output->expected
                                                                    : output->found)
                      : measure::writePicture(path.toStdString(), pictureOf(*output, cut, kind));
              return written ? Result<bool>(true) : Result<bool>(written.error());
            },
            this,
            [this, path](const Result<bool> &written) {
              const QString file = QFileInfo(path).fileName();
              emit told(written ? tr("%1 was saved.").arg(file) : from(written.error().message));
            });
      });
  dialog->open();
}

} // namespace tessera::views
