// SPDX-License-Identifier: MIT
#include "app/cli_completion.h"

namespace tessera::app {
namespace {

std::string optionsOf(const CLI::App &app) {
  std::string words;
  for (const CLI::Option *option : app.get_options())
    for (const std::string &name : option->get_lnames())
      words += (words.empty() ? "--" : " --") + name;
  return words;
}

// What an option takes, where that is a word and not only a file.
struct Values {
  const char *option, *words;
  bool orFile;
};
constexpr Values kValues[] = {{"--schedule", "default manual", true},
                              {"--format", "h py json", false},
                              {"--target", "opencl host cuda", false},
                              {"--size", "target paper-small paper-large", false}};

std::string valueCases() {
  std::string cases;
  for (const Values &values : kValues) {
    cases += std::string("    ") + values.option + ") COMPREPLY=($(compgen -W \"" + values.words +
             "\" -- \"$current\")";
    if (values.orFile) cases += " $(compgen -f -- \"$current\")";
    cases += "); return 0 ;;\n";
  }
  return cases;
}

} // namespace

std::string bashCompletion(const CLI::App &cli) {
  std::string commands;
  std::string cases;
  for (const CLI::App *command : cli.get_subcommands([](const CLI::App *) { return true; })) {
    commands += (commands.empty() ? "" : " ") + command->get_name();
    cases += "    " + command->get_name() + ") words=\"" + optionsOf(*command) + "\" ;;\n";
  }
  return "# bash completion for tessera-cli; made by: tessera-cli completion\n"
         "_tessera_cli() {\n"
         "  local current=\"${COMP_WORDS[COMP_CWORD]}\" words\n"
         "  case \"${COMP_WORDS[COMP_CWORD-1]}\" in\n" +
         valueCases() +
         "  esac\n"
         "  case \"${COMP_WORDS[1]}\" in\n" +
         cases + "    *) words=\"" + commands + " " + optionsOf(cli) +
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
