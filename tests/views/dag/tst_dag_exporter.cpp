// SPDX-License-Identifier: GPL-3.0-or-later
#include "../test_pipelines.h"
#include "views/dag/dag_exporter.h"
#include "views/dag/dag_scene.h"
#include "views/dag/dag_style.h"
#include "views/dag/layered_layout.h"
#include "views/theme/theme.h"

#include <QApplication>
#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>
#include <QTest>

#include <memory>

using namespace tessera;
using namespace tessera::views;

namespace {

double widthOf(const QString &text, TextRole) { return 7.0 * double(text.size()); }

QByteArray startOf(const QString &path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.read(4) : QByteArray();
}

} // namespace

class TestDagExporter : public QObject {
  Q_OBJECT
private slots:
  void initTestCase();
  void writesEachFormat();
  void goesThroughALink();
  void refusesAFolder();
  void saysThatNothingIsOpen();

private:
  QString in(const QString &name) const { return m_folder.filePath(name); }

  QTemporaryDir m_folder;
  DagScene m_scene;
};

void TestDagExporter::initTestCase() {
  const auto pipeline = test::layeredPipeline(5, 1);
  const auto graph = std::make_shared<const DagGraph>(makeDagGraph(*pipeline, widthOf));
  m_scene.setStyle(std::make_shared<DagStyle>(lightPalette(), QApplication::font()));
  m_scene.setContent(graph, std::make_shared<const DagGeometry>(
                                makeGeometry(*graph, layeredLayout(shapeOf(*graph)))));
}

void TestDagExporter::writesEachFormat() {
  for (const auto &[name, start] :
       {std::pair("a.svg", "<?xm"), {"a.png", "\x89PNG"}, {"a.pdf", "%PDF"}}) {
    QVERIFY(exportDag(m_scene, in(name)));
    QCOMPARE(startOf(in(name)), QByteArray(start));
  }
}

void TestDagExporter::goesThroughALink() {
  QVERIFY(QFile::link(QStringLiteral("real.svg"), in("link.svg")));
  QVERIFY(exportDag(m_scene, in("link.svg")));
  QVERIFY(QFileInfo(in("link.svg")).isSymbolicLink());
  QCOMPARE(startOf(in("real.svg")), QByteArray("<?xm"));
}

void TestDagExporter::refusesAFolder() {
  const Status written = exportDag(m_scene, m_folder.path());
  QVERIFY(!written);
  QVERIFY(written.error().message.find("it is a folder") != std::string::npos);
}

void TestDagExporter::saysThatNothingIsOpen() { QVERIFY(!exportDag(DagScene(), in("none.svg"))); }

QTEST_MAIN(TestDagExporter)
#include "tst_dag_exporter.moc"
