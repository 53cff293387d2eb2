// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/code/code_view.h"
#include "views/flows/compile_flow.h"
#include "views/theme/seen_refresh.h"

#include <QWidget>

#include <optional>

class QAction;
class QLabel;
class QPushButton;
class QStackedWidget;
class QTabBar;
class QToolBar;

namespace tessera::views {

class FindBar;

// The schedule as code: exported, or compiled to loops, PTX or SASS, or its difference from the
// compared schedule. Lines and stages are connected by the shared selection.
class CodePanel : public QWidget {
  Q_OBJECT
public:
  CodePanel(ShownKernels &kernels, CompileFlow &compile, CompileFlow &compared,
            Selection &selection, Bridge &bridge, std::string version, QWidget *parent = nullptr);

  CodeView &view() { return *m_view; }
  CodeKind kind() const;
  void show(CodeKind kind); // selects its tab
  void find();

protected:
  void keyPressEvent(QKeyEvent *event) override;
  bool event(QEvent *event) override;

private:
  // One text of a tab, made on a job's thread.
  struct Made {
    QString text;
    std::vector<LineMark> marks;
    CodeView::KernelColours colours;
    std::optional<TextDifference> difference;

    void compare(TextDifference with); // moves the marks to the lines of the difference
  };
  using Make = std::function<Result<Made>(const std::stop_token &)>;

  QWidget *buildBar();
  QWidget *buildNote();
  QWidget *buildComparison();
  QAction *addAction(QToolBar &bar, const QString &icon, const QString &text);
  void refresh();
  void updateActions();
  void updateComparison();
  std::optional<Make> wanted(); // none: a note is shown instead
  Make makeSchedule() const;
  Make makeCompiled() const;
  void made(CodeKind kind, Result<Made> made);
  void showNote(const QString &text, const QString &button);
  void showCompileNote();
  void lineChosen(int line);
  void lightActive(CodeView::Scroll scroll);
  void describe();
  bool isExported() const { return kind() <= CodeKind::Json; }
  bool wantsDifference() const;
  QString comparedName() const; // the pin or kind of the compared schedule, and its name

  ShownKernels &m_kernels;
  CompileFlow &m_compile, &m_compared;
  Selection &m_selection;
  Bridge &m_bridge;
  std::string m_version;
  QTabBar *m_tabs = nullptr;
  QStackedWidget *m_pages = nullptr;
  CodeView *m_view = nullptr;
  QWidget *m_notePage = nullptr;
  QLabel *m_note = nullptr, *m_about = nullptr;
  QPushButton *m_button = nullptr;
  QWidget *m_comparison = nullptr; // says why the difference is not shown yet, or cannot be shown
  QLabel *m_comparing = nullptr;
  QPushButton *m_comparingButton = nullptr;
  FindBar *m_find = nullptr;
  QAction *m_difference = nullptr, *m_copy = nullptr, *m_search = nullptr;
  QString m_counts; // text with the line counts of the shown difference; empty: none
  SeenRefresh m_refresh{*this, [this] { refresh(); }};
};

QString titleOf(CodeKind kind); // "C++"

} // namespace tessera::views
