#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The checks find what they are for: each wrong line is planted in a tree of its own and seen."""

import pathlib
import tempfile
import unittest

import check_functions
import check_include_order
import check_includes
import check_size
import check_spdx
import check_words


def findings(check, files):
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for name, content in files.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(content)
        return list(check(root))


class Includes(unittest.TestCase):
    def rejected(self, path, included, reason):
        found = findings(check_includes.check, {path: f"// x\n#include {included}\n"})
        self.assertEqual(len(found), 1, f"{path} with {included}")
        self.assertTrue(found[0].startswith(f"{path}:2: "), found[0])
        self.assertIn(reason, found[0])

    def accepted(self, path, included):
        self.assertEqual(findings(check_includes.check, {path: f"#include {included}\n"}), [])

    def test_every_room_may_include_what_the_table_says_and_nothing_else(self):
        for room, allowed in check_includes.MAY_INCLUDE.items():
            for other in check_includes.MAY_INCLUDE:
                included = f'"engine/{other}/thing.h"'
                if other == room or other in allowed:
                    self.accepted(f"engine/{room}/a.cpp", included)
                else:
                    self.rejected(f"engine/{room}/a.cpp", included, f"engine/{room} may include only")

    def test_the_table_is_the_designs(self):
        self.assertEqual(check_includes.MAY_INCLUDE["base"], set())
        self.assertNotIn("halide", check_includes.MAY_INCLUDE["tune"])
        for room, allowed in check_includes.MAY_INCLUDE.items():
            for other in allowed:
                self.assertNotIn(room, check_includes.MAY_INCLUDE[other], "a cycle")
                self.assertLessEqual(check_includes.MAY_INCLUDE[other], allowed, "not closed")

    def test_only_the_plugin_searches(self):
        self.accepted("engine/halide/plugin.cpp", '"engine/search/beam_search.h"')
        self.rejected("engine/halide/worker/worker.cpp", '"engine/search/beam_search.h"', "may include only")

    def test_rooms_inside_rooms(self):
        self.accepted("engine/schedule/rules/a.cpp", '"engine/schedule/bounds/bounds.h"')
        self.rejected("engine/schedule/bounds/a.cpp", '"engine/schedule/rules/rules.h"',
                      "may include only")
        self.rejected("engine/schedule/a.cpp", '"engine/schedule/text/cpp_text.h"',
                      "may include only")
        self.accepted("engine/search/algorithms.cpp", '"engine/search/auto/auto_search.h"')
        self.rejected("engine/search/search.h", '"engine/search/auto/auto_search.h"',
                      "may include only")
        self.rejected("views/text/a.cpp", '"views/flows/bridge.h"', "may include only")

    def test_a_room_without_a_row(self):
        self.rejected("engine/attic/a.cpp", '"engine/base/result.h"', "no row")

    def test_upwards(self):
        self.rejected("engine/base/a.cpp", '"views/flows/selection.h"', "the engine alone")
        self.rejected("engine/base/a.cpp", '"app/environment.h"', "the engine alone")
        self.rejected("views/dag/a.cpp", '"app/environment.h"', "views depend on the engine")
        self.rejected("views/tables/a.cpp", '"views/dag/scene.h"', "may include only flows")
        self.rejected("views/theme/a.cpp", '"views/dag/scene.h"', "may include only flows, settings, tables, text, theme")
        self.rejected("views/dag/a.cpp", '"views/stages/panel.h"', "may include only dag, flows, forms, kernels")
        self.rejected("views/dag/a.cpp", '"views/window/window.h"', "may include only dag, flows, forms, kernels")
        self.rejected("samples/blur/a.cpp", '"engine/base/result.h"', "stands alone")
        self.rejected("engine/job/a.cpp", '"tests/engine/job/fake.h"', "product code")
        self.rejected("tests/engine/job/tst_a.cpp", '"views/dag/scene.h"', "without views")
        self.rejected("views/dag/a.cpp", '"engine/halide/worker/worker.h"', "through its worker")

    def test_ways_around(self):
        found = findings(check_includes.check, {
            "engine/base/a.cpp": '#include "../pipeline/pipeline.h"\n', "engine/pipeline/pipeline.h": ""})
        self.assertEqual(len(found), 1)
        self.assertIn("engine/base may include only base", found[0])
        self.rejected("engine/base/a.cpp", '"../../../other/thing.h"', "leads out")
        self.rejected("engine/base/a.cpp", "<engine/pipeline/pipeline.h>", "may include only")
        self.rejected("engine/base/a.cpp", "<QString>", "no Qt")
        found = findings(check_includes.check, {
            "engine/pipeline/a.cpp": "  #  include   \"engine/open/open.h\" // needed\n"})
        self.assertEqual(len(found), 1)

    def test_downwards_and_beside(self):
        self.accepted("views/dag/a.cpp", '"views/flows/selection.h"')
        self.accepted("views/dag/a.cpp", '"views/theme/theme.h"')
        self.accepted("views/dag/a.cpp", '"engine/open/open.h"')
        self.accepted("views/window/a.cpp", '"views/dag/scene.h"')
        self.accepted("app/explorer/main.cpp", '"views/dag/scene.h"')
        self.accepted("app/cli.cpp", '"engine/open/open.h"')
        self.accepted("tests/views/tst_a.cpp", '"views/dag/scene.h"')
        self.accepted("engine/base/a.cpp", "<string>")

    def test_third_party(self):
        for path in ("engine/tune/a.cpp", "tests/engine/job/a.cpp", "samples/blur/a.cpp",
                     "app/cli.cpp"):
            self.rejected(path, "<QString>", "Qt")
            self.rejected(path, "<QtCore/QString>", "Qt")
        for header in ("<Halide.h>", '"HalideBuffer.h"', "<HalideRuntimeCuda.h>"):
            for path in ("engine/tune/a.cpp", "views/dag/a.cpp", "app/cli.cpp"):
                self.rejected(path, header, "Halide is included only")
            for path in ("engine/halide/a.cpp", "samples/blur/a.cpp", "tests/samples/a.cpp"):
                self.accepted(path, header)
        for header in ("<cuda.h>", "<cuda_runtime.h>", "<cupti_target.h>", "<nvml.h>"):
            self.rejected("engine/machine/a.cpp", header, "CUDA is included only")
            self.accepted("engine/bench/a.cpp", header)
        self.accepted("views/plot/a.h", "<qcustomplot.h>")
        self.rejected("tests/views/plot/a.cpp", "<qcustomplot.h>", "QCustomPlot is included only")
        self.rejected("app/explorer.cpp", "<qcustomplot.h>", "QCustomPlot is included only")
        self.rejected("views/plot/a.cpp", '"views/kernels/kernel_table.h"', "may include only flows, plot")
        self.rejected("views/dag/a.cpp", "<graphviz/gvc.h>", "Graphviz is included only")
        self.rejected("engine/record/record.h", "<spdlog/logger.h>", "spdlog is included only")
        self.accepted("app/layout_worker.cpp", "<graphviz/gvc.h>")

    def test_rooms_without_widgets(self):
        for header in ("<QWidget>", "<QtWidgets/QLabel>", "<QTableView>", "<QComboBox>",
                       "<QGraphicsScene>", "<QApplication>", "<QFileDialog>", "<qcustomplot.h>"):
            self.rejected("views/tables/a.cpp", header, "no widgets")
            self.accepted("views/dag/a.cpp", header)
        for header in ("<QAbstractTableModel>", "<QObject>", "<QTimer>", "<QPalette>"):
            self.accepted("views/tables/a.cpp", header)

    def test_dependencies_of_targets(self):
        wrong = "tessera_room(pipeline\n  SOURCES a.cpp\n  DEPENDS base open\n  LINK x::y)\n"
        found = findings(check_includes.check, {"engine/pipeline/CMakeLists.txt": wrong})
        self.assertEqual(found, ["engine/pipeline/CMakeLists.txt:1: "
                                 "room pipeline may not depend on open"])
        right = wrong.replace(" open", "")
        self.assertEqual(findings(check_includes.check, {"engine/pipeline/CMakeLists.txt": right}), [])


class IncludeOrder(unittest.TestCase):
    def first_wrong(self, path, included):
        lines = "".join(f'#include "{name}"\n' if name else "\n" for name in included)
        found = findings(check_include_order.check, {path: lines})
        return found[0].split('"')[1] if found else None

    def test_the_same_room_then_others_then_tests(self):
        wanted = ["engine/cost/b.h", "", "engine/cost/a.h", "engine/base/c.h", "engine/job/d.h"]
        self.assertIsNone(self.first_wrong("engine/cost/b.cpp", wanted))
        self.assertEqual(self.first_wrong("engine/base/b.cpp", wanted), "engine/cost/a.h")
        self.assertIsNone(self.first_wrong("tests/engine/cost/tst_b.cpp", wanted + ["tests/a.h"]))
        self.assertEqual(self.first_wrong("tests/engine/cost/tst_b.cpp", ["tests/a.h"] + wanted),
                         "tests/a.h")

    def test_fix_sorts_and_changes_nothing_else(self):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "views").mkdir()
            (root / "views/a.h").write_text('#include "views/c.h" // why\n#include "views/b.h"\n\nint a;')
            check_include_order.fix(root)
            self.assertEqual((root / "views/a.h").read_text(),
                             '#include "views/b.h"\n#include "views/c.h" // why\n\nint a;')


class Spdx(unittest.TestCase):
    def test_missing_wrong_and_right(self):
        mit, gpl = ("SPDX-License-Identifier: " + name for name in ("MIT", "GPL-3.0-or-later"))
        found = findings(check_spdx.check, {
            "engine/base/none.h": "#pragma once\n",
            "engine/base/gpl.h": f"// {gpl}\n",
            "engine/base/good.h": f"// {mit}\n",
            "engine/base/late.h": f"//\n//\n//\n// {mit}\n",
            "views/dag/mit.cpp": f"// {mit}\n",
            "views/dag/good.cpp": f"// {gpl}\n",
            "views/CMakeLists.txt": f"# {mit}\n",
            "packaging/script": "#!/bin/sh\n",
            "packaging/good": f"#!/bin/sh\n# {mit}\n",
            "LICENSE": "text without a marker\n",
        })
        self.assertEqual([line.split(":")[0] for line in found], [
            "engine/base/gpl.h", "engine/base/late.h", "engine/base/none.h", "packaging/script",
            "views/dag/mit.cpp"])


class Size(unittest.TestCase):
    def test_limits(self):
        found = findings(check_size.check, {
            "a.h": "\n" * 300, "b.h": "\n" * 301, "c.cpp": "\n" * 600, "d.cpp": "\n" * 601})
        self.assertEqual([line.split(":")[0] for line in found], ["b.h", "d.cpp"])


class Words(unittest.TestCase):
    def test_paths_and_hosts(self):
        wrong = ["/".join(("", "work", "thing")), "-I" + "/".join(("", "home", "ann", "src")),
                 "/".join(("", "root", "x")), "https://" + check_words.HOSTS[3] + "/simple"]
        for number, line in enumerate(wrong):
            with self.subTest(line):
                self.assertEqual(len(findings(check_words.check, {f"{number}.txt": line})), 1)
        for line in ("network/worker/", "$root/build", "/usr/local/cuda", "tests/home/page"):
            with self.subTest(line):
                self.assertEqual(findings(check_words.check, {"a.txt": line}), [])


class Functions(unittest.TestCase):
    def body(self, head, lines):
        """A function of so many lines from its `{` to its `}`."""
        return head + " {\n" + "  work();\n" * (lines - 2) + "}\n"

    def found(self, path, source):
        return findings(check_functions.check, {path: "// x\n" + source})

    def rejected(self, path, source, line, reason):
        found = self.found(path, source)
        self.assertEqual(len(found), 1, found)
        self.assertTrue(found[0].startswith(f"{path}:{line}: "), found[0])
        self.assertIn(reason, found[0])

    def test_each_layer_has_its_limit(self):
        for path, most in (("engine/base/a.cpp", 60), ("engine/base/a.h", 60), ("app/a.cpp", 80)):
            self.assertEqual(self.found(path, self.body("void f(int x)", most)), [])
            self.rejected(path, self.body("void f(int x)", most + 1), 2, f"f has {most + 1} lines")
        self.assertEqual(self.found("tests/engine/base/a.cpp", self.body("void f()", 500)), [])

    def test_what_a_function_looks_like(self):
        for head, name in (
                ("void f()", "f"), ("Result<int> Class::f(const T &x) const", "Class::f"),
                ("bool operator==(const A &a, const A &b)", "operator=="),
                ("int A::operator()(int x) const noexcept", "operator()"),
                ("auto f(int x) -> std::vector<int>", "f"), ("A::~A()", "A::~A"),
                ("template <typename T, int N = 3>\nvoid f(std::array<T, N> &x)", "f"),
                ("void f(std::function<void(int)> then = [] {})", "f"),
                ("struct stat f(int x)", "f"), ("[[nodiscard]] int f()", "f"),
                ("const auto f = [](int x)", "a lambda")):
            line = 2 + head.count("\n")
            self.rejected("engine/base/a.cpp", self.body(head, 61), line, f"{name} has 61 lines")

    def test_what_is_no_function(self):
        rows = "  {1, 2},\n" * 100
        for source in ("namespace a {\n" + "int f();\n" * 100 + "}\n",
                       "struct A : B<int> {\n" + "  int f(int x = g(3));\n" * 100 + "};\n",
                       "enum class E : int {\n" + "  A,\n" * 100 + "};\n",
                       "const int kTable[] = {\n" + rows + "};\n",
                       "std::vector<A> kTable{\n" + rows + "};\n",
                       'const char *kText = R"(void f() {\n' + "x\n" * 100 + '})";\n',
                       "/* void f() {\n" + "x\n" * 100 + "} */\n"):
            self.assertEqual(self.found("engine/base/a.cpp", source), [], source[:30])

    def test_braces_that_are_not_code_are_passed_over(self):
        for text in ("'{'", '"{"', 'R"x({)x"', "// {", "/* { */", "\n#define OPEN {", "1'000'000"):
            source = f"void f() {{\n  g(); {text}\n  ;\n}}\n"
            found = [(function.name, function.line, function.lines)
                     for function in check_functions.functions(source + "void g() {\n}\n")]
            lines = source.count("\n")
            self.assertEqual(found, [("f", 1, lines), ("g", lines + 1, 2)], text)

    def test_a_method_in_its_class_and_what_follows_it(self):
        source = "namespace {\nclass A {\npublic:\n" + self.body("void f()", 5) + "};\n}\n"
        self.rejected("engine/base/a.cpp", source + self.body("int g()", 61), 12, "g has 61 lines")

    def test_a_lambda_counts_with_its_function(self):
        inner = "  each([&] {\n" + "    work();\n" * 60 + "  });\n"
        self.rejected("engine/base/a.cpp", "void f() {\n" + inner + "}\n", 2, "f has 64 lines")

    def test_constructors_in_the_views(self):
        for head in ("A::A(QWidget *parent) : Base(parent), m_b{1}, m_c(2)",
                     "A::A()\n    : m_worker([&] {\n        return 1;\n      }())"):
            line = 2 + head.count("\n")
            self.rejected("views/a.cpp", self.body(head, 61), line, "constructor A::A has 61 lines")
            self.assertEqual(self.found("views/a.cpp", self.body(head, 60)), [])
        inside = "class A : public B {\n" + self.body("explicit A(int x)", 61) + "};\n"
        self.rejected("views/a.h", inside, 3, "constructor A has 61 lines")
        self.assertEqual(self.found("views/a.cpp", self.body("void A::f()", 80)), [])
        self.rejected("views/a.cpp", self.body("void A::f()", 81), 2, "A::f has 81 lines, at most 80")

    def setUp(self):
        self.not_yet, check_functions.NOT_YET = check_functions.NOT_YET, ("engine/old/",)

    def tearDown(self):
        check_functions.NOT_YET = self.not_yet

    def test_what_is_not_yet_right_is_checked_where_it_is_named(self):
        source = self.body("void f()", 61)
        self.assertEqual(self.found("engine/old/a.cpp", source), [])
        found = findings(lambda root: check_functions.check(root, ("engine/old/",)),
                         {"engine/old/a.cpp": source})
        self.assertEqual(len(found), 1)


if __name__ == "__main__":
    unittest.main()
