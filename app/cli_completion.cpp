// SPDX-License-Identifier: MIT
#include "app/cli_completion.h"

#include "engine/search/algorithms.h"

#include <algorithm>
#include <string>
#include <vector>

namespace tessera::app {
namespace {

void addOptions(const CLI::App &app, std::vector<std::string> &names) {
  for (const CLI::Option *option : app.get_options())
    for (const std::string &name : option->get_lnames())
      if (std::ranges::find(names, name) == names.end()) names.push_back(name);
}

std::string wordsOf(const std::vector<std::string> &options) {
  std::string words;
  for (const std::string &name : options)
    words += (words.empty() ? "--" : " --") + name;
  return words;
}

// The options of a command, including those of its subcommands.
std::string optionsOf(const CLI::App &app) {
  std::vector<std::string> names;
  addOptions(app, names);
  for (const CLI::App *command : app.get_subcommands([](const CLI::App *) { return true; }))
    addOptions(*command, names);
  return wordsOf(names);
}

// An option and the words that it accepts. `orFile`: the option accepts the name of a file as well.
struct Values {
  const char *option, *words;
  bool orFile;
};
constexpr Values kValues[] = {
    {"--schedule", "default manual", true},
    {"--freeze", "default manual", true},
    {"--format", "h py json", false},
    {"--only",
     "li2018 mullapudi2016 mullapudi2016-4096 anderson2021 anderson2021-default adams2019", false},
    {"--with",
     "default manual auto refined li2018 mullapudi2016 mullapudi2016-4096 anderson2021 "
     "anderson2021-default anderson2021-top5",
     true},
    {"--target", "opencl host cuda", false},
    {"--over", "threads registers shared_bytes", false},
    {"--size", "target paper-small paper-large", false},
    {"--sizes", "target paper-small paper-large", false}};

std::string valueCase(const std::string &option, const std::string &words, bool orFile) {
  return "    " + option + ") COMPREPLY=($(compgen -W \"" + words + "\" -- \"$current\")" +
         (orFile ? " $(compgen -f -- \"$current\")" : "") + "); return 0 ;;\n";
}

std::string valueCases() {
  std::string cases, algorithms;
  for (const Values &values : kValues)
    cases += valueCase(values.option, values.words, values.orFile);
  for (const search::Algorithm &algorithm : search::algorithms())
    algorithms += (algorithms.empty() ? "" : " ") + std::string(algorithm.name);
  return cases + valueCase("--algorithm", algorithms, false);
}

std::string namesOf(const CLI::App &cli) {
  std::string names;
  for (const CLI::App *command : cli.get_subcommands([](const CLI::App *) { return true; }))
    names += (names.empty() ? "" : " ") + command->get_name();
  return names;
}

// The part of the script for one command: its options, and its subcommands, which complete only the
// word right after the command.
std::string caseOf(const CLI::App &command) {
  const std::string own = namesOf(command);
  std::string text = "    " + command.get_name() + ") words=\"" + optionsOf(command) + "\"";
  if (!own.empty())
    text += "; if ((COMP_CWORD == 2)); then COMPREPLY=($(compgen -W \"" + own +
            "\" -- \"$current\")); return 0; fi";
  return text + " ;;\n";
}

} // namespace

std::string bashCompletion(const CLI::App &cli) {
  const std::string commands = namesOf(cli);
  std::vector<std::string> ownOptions;
  addOptions(cli, ownOptions);
  std::string cases;
  for (const CLI::App *command : cli.get_subcommands([](const CLI::App *) { return true; }))
    cases += caseOf(*command);
  return "# bash completion for tessera-cli; made by: tessera-cli completion\n"
         "_tessera_cli() {\n"
         "  local current=\"${COMP_WORDS[COMP_CWORD]}\" words\n"
         "  case \"${COMP_WORDS[COMP_CWORD-1]}\" in\n" +
         valueCases() +
         "  esac\n"
         "  case \"${COMP_WORDS[1]}\" in\n" +
         cases + "    *) words=\"" + commands + " " + wordsOf(ownOptions) +
         "\" ;;\n"
         "  esac\n"
         "  if [[ $current != -* && $COMP_CWORD -gt 1 ]]; then\n"
         "    COMPREPLY=($(compgen -f -- \"$current\"))\n"
         "  else\n"
         "    COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
         "  fi\n"
         "}\n"
         "complete -o filenames -F _tessera_cli tessera-cli\n";
}

} // namespace tessera::app
