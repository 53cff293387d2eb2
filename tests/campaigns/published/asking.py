# SPDX-License-Identifier: MIT
"""What the campaigns here share: the command line asked about generators, with the options that each needs."""
import collections
import json
import os
import shlex
import subprocess

ALL = "*"  # in needs.txt: for each generator of the source, and to list them
FOLDER = "FOLDER/"  # in needs.txt: stands for the folder of the sources


def rows_of(path):
    """The lines of a list or of needs: source, generator, options."""
    for line in path.read_text().splitlines():
        if line and not line.startswith("#"):
            source, generator, *options = shlex.split(line)
            yield source, generator, options


class Asker:
    """`options` has cli, folder, needs, work and seconds."""

    def __init__(self, options):
        self.options = options
        self.environment = dict(
            os.environ, XDG_CONFIG_HOME=str(options.work / "config"), XDG_CACHE_HOME=str(options.work / "cache"))
        self.needs = collections.defaultdict(list)
        for source, generator, words in rows_of(options.needs) if options.needs else []:
            self.needs[source, generator] += [word.replace(FOLDER, f"{options.folder}/") for word in words]

    def run(self, *words):
        """The finished run; None: it gave no answer in time."""
        try:
            return subprocess.run([str(self.options.cli), *[str(word) for word in words], "--trust"], env=self.environment,
                                  capture_output=True, text=True, timeout=self.options.seconds, check=False)
        except subprocess.TimeoutExpired:
            return None

    def ask(self, *words):
        """The answer of the command line as JSON, the message of its error and the options it asks for."""
        ran = self.run(*words, "--json")
        if ran is None:
            return {}, f"no answer in {self.options.seconds:.0f} s", []
        try:
            answer = json.loads(ran.stdout)
        except ValueError:
            answer = {}
        if ran.returncode == 0:
            return answer, "", []
        error = answer.get("error", {})
        return {}, error.get("message", "") or ran.stderr[-500:] or f"exit code {ran.returncode}", error.get("asked", [])
