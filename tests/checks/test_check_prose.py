#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The check of prose finds each kind of fault that it is for, and lets good pages pass."""

import pathlib
import tempfile
import unittest

import check_prose
from counted import count


def findings(files):
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for name, content in files.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(content)
        return list(check_prose.check(root))


def many(number):
    return "word " * number


class Case(unittest.TestCase):
    def accepted(self, files):
        self.assertEqual(findings(files), [])

    def rejected(self, files, where, reason):
        found = findings(files)
        self.assertEqual(len(found), 1, found)
        self.assertTrue(found[0].startswith(where + ": "), found[0])
        self.assertIn(reason, found[0])


class Lengths(Case):
    def test_a_readme_has_six_hundred_words(self):
        page = "\n\n".join(many(100) for _ in range(6))
        self.accepted({"a/README.md": page})
        self.rejected({"a/README.md": page + "\n\nmore"}, "a/README.md:1", "601 words, at most 600")
        self.accepted({"a/LOG.md": page + "\n\nmore"})

    def test_a_paragraph_has_a_hundred_words(self):
        self.accepted({"a.md": many(60) + "\n\n" + many(60)})
        self.rejected({"a.md": "# A\n\n" + many(60) + "\n" + many(41)}, "a.md:3", "101 words")

    def test_items_of_a_list_count_apart_and_with_their_further_lines(self):
        self.accepted({"a.md": f"- {many(60)}\n- {many(60)}\n1. {many(60)}"})
        self.rejected({"a.md": f"- {many(60)}\n  {many(60)}"}, "a.md:1", "120 words")

    def test_a_cell_has_forty_words(self):
        self.accepted({"a.md": f"| {many(40)} | {many(40)} |"})
        self.rejected({"a.md": f"| a |\n|---|\n| b | {many(41)} |"}, "a.md:3", "cell of 41 words")

    def test_a_pipe_behind_a_backslash_is_no_border(self):
        self.rejected({"a.md": f"| {many(20)} \\| {many(21)} |"}, "a.md:1", "cell of 41 words")

    def test_a_decision_has_forty_words_whether_in_a_row_or_an_item(self):
        self.accepted({"README.md": f"## Decisions\n- {many(40)}\n\n## Others\n- {many(41)}"})
        self.rejected({"README.md": f"## Decisions\n- {many(41)}"}, "README.md:2", "decision")
        self.rejected({"README.md": f"## Decisions\n| {many(21)} | {many(20)} |"}, "README.md:2",
                      "decision of 41 words")

    def test_ten_decisions_and_the_head_of_their_table_is_none(self):
        head = "## Decisions\n| choice | reason | what would change our mind |\n|---|---|---|\n"
        self.accepted({"README.md": head + "| a | b | c |\n" * 10})
        self.rejected({"README.md": head + "| a | b | c |\n" * 12}, "README.md:14", "more than 10")

    def test_code_comments_and_targets_of_links_are_no_words(self):
        self.accepted({"a.md": f"```\n{many(101)}\n```\n\n    {many(101)}\n\n<!-- {many(101)}\n -->"})
        self.accepted({"a.md": "[a](b.md#" + "-".join(["b"] * 5) + ") " + many(99), "b.md": ""})

    def test_what_a_program_wrote_is_let_be(self):
        self.accepted({"samples/RESULTS.md": many(500),
                       "tests/campaigns/times/results/why.md": many(500)})


class Names(Case):
    def test_a_link_leads_to_a_file_or_a_folder(self):
        self.accepted({"a/README.md": "[b](../b/c.md#part) [b](../b) [web](https://a.b/c) [d](#d)",
                       "b/c.md": ""})
        self.rejected({"a/README.md": "x\n[b](b/c.md)", "b/c.md": ""}, "a/README.md:2",
                      "b/c.md: no such file")
        self.rejected({"README.md": "![a](a.png)"}, "README.md:1", "a.png")

    def test_a_path_in_back_quotes_exists(self):
        tree = {"engine/a/b.h": "", "tests/a/campaign.cpp": ""}
        self.accepted({"README.md": "`engine/a/b.h` `engine/a` `engine/a/` `tests/a/campaign`", **tree})
        self.rejected({"README.md": "\n`engine/a/c.h`", **tree}, "README.md:2", "`engine/a/c.h`")

    def test_a_file_is_named_by_the_end_of_its_path(self):
        tree = {"engine/a/b.h": ""}
        self.accepted({"README.md": "`b.h` and `a/b.h`, not `Halide.h`, `std::b`, `NAME.h`s", **tree,
                       "engine/a/NAME.h": ""})
        self.rejected({"README.md": "`c.h`", **tree}, "README.md:1", "`c.h`: no file")
        self.rejected({"README.md": "`d/b.h`", **tree}, "README.md:1", "`d/b.h`: no file")

    def test_commands_and_patterns_are_no_names(self):
        self.accepted({"README.md": "`engine/a b` `engine/*.h` `engine/{a,b}` `.h`"})

    def test_a_log_may_speak_of_files_that_are_gone(self):
        self.accepted({"LOG.md": "`engine/a/gone.h`"})


class Counts(Case):
    CODE = {"engine/a.h": "enum class Kind : std::uint8_t {\n  One, // 1, 2\n  Two = 7,\n  Three,\n};"}

    def marked(self, number):
        return {"a.md": f"\nof {number}<!-- count: engine/a.h Kind --> kinds", **self.CODE}

    def test_a_number_is_that_of_the_code_as_a_word_or_in_digits(self):
        self.accepted(self.marked("three"))
        self.accepted(self.marked("Three "))
        self.accepted(self.marked("3"))
        self.rejected(self.marked("four"), "a.md:2", "says four, but Kind in engine/a.h has 3")
        self.rejected(self.marked("several"), "a.md:2", "says several")

    def test_what_cannot_be_counted_is_said(self):
        self.rejected({"a.md": "3<!-- count: engine/a.h Sort -->", **self.CODE}, "a.md:1",
                      "nothing to count")
        self.rejected({"a.md": "3<!-- count: engine/b.h Kind -->", **self.CODE}, "a.md:1",
                      "nothing to count")

    def test_what_is_counted(self):
        self.assertEqual(count("enum Kind { A, B };\nenum Kinds { C };", "Kind"), 2)
        self.assertEqual(count("enum class Kind;\nenum class Kind { A, B, };", "Kind"), 2)
        self.assertEqual(count("using Op = std::variant<A, std::pair<B, C>,\n  D>;", "Op"), 3)
        self.assertEqual(count('const char *const kNames[] = {"a, b", "c // d"};', "kNames"), 2)
        self.assertEqual(count("constexpr std::array<F, 2> kRows = {{{1, f(2, 3)}, {4, 5}}};", "kRows"), 2)
        self.assertEqual(count("struct T { double a = 1, b = 2; // c\n int d{}; };", "T"), 3)
        self.assertEqual(count("inline constexpr int kMost = 1'024;", "kMost"), 1024)
        self.assertIsNone(count("int Kind();", "Kind"))


if __name__ == "__main__":
    unittest.main()
