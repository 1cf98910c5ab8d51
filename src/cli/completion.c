#include "cli/completion.h"

#include <string.h>

#include "cli/flags.h"
#include "cli/key_list.h"

/* ---- parts that the shells share ---- */

/* The text up to the first ';', without characters that shells or completion systems interpret. */
static void write_description(FILE *out, const char *text)
{
    for (; *text && *text != ';'; text++)
        if (!strchr("'\"`$\\[]", *text))
            fputc(*text == ':' ? ',' : *text, out);
}

/* A list of words separated by blanks, with another separator between them. */
static void write_words(FILE *out, const char *words, const char *before, const char *separator)
{
    for (size_t i = 0; *words; i++) {
        const size_t size = strcspn(words, " ");
        fprintf(out, "%s%s%.*s", i ? separator : "", before, (int)size, words);
        words += size + strspn(words + size, " ");
    }
}

static void write_choices(FILE *out, const char *const *choices)
{
    for (size_t i = 0; choices[i]; i++)
        fprintf(out, "%s%s", i ? " " : "", choices[i]);
}

static bool is_section(const Option *option)
{
    return option->table && !option->table->short_key;
}

/* The keys that --set accepts, each followed by `after`, in list items of index 0. */
static void write_keys(FILE *out, const KeyList *keys, const char *before, const char *after)
{
    for (size_t i = 0; i < keys->count; i++) {
        if (is_section(keys->items[i].option))
            continue;
        fputs(before, out);
        for (const char *at = keys->items[i].name; *at; at++)
            fputc(*at == 'N' ? '0' : *at, out);
        fputs(after, out);
    }
}

/* One line per key with a fixed set of values: `before`, a shell pattern of the key, `between`, the
 * values, `after`. */
static void write_key_choices(FILE *out, const KeyList *keys, const char *before,
                              const char *between, const char *after)
{
    for (size_t i = 0; i < keys->count; i++) {
        const Option *option = keys->items[i].option;
        if (!option->choices && option->type != OPTION_BOOL)
            continue;
        fputs(before, out);
        for (const char *at = keys->items[i].name; *at; at++)
            fputc(*at == 'N' ? '*' : *at, out);
        fputs(between, out);
        if (option->choices)
            write_choices(out, option->choices);
        else
            fputs("true false", out);
        fputs(after, out);
    }
}

static bool takes_file(const Flag *flag)
{
    return flag->value && !strcmp(flag->value, "FILE");
}

static bool flag_repeats(const Flag *flag)
{
    return flag->type == FLAG_SET || flag->type == FLAG_LIST;
}

static bool takes_directory(const Flag *flag)
{
    return flag->value && !strcmp(flag->value, "DIR");
}

/* ---- bash ---- */

static void write_bash_flag(FILE *out, const Flag *flag)
{
    fputs("    ", out);
    if (flag->letter)
        fprintf(out, "-%c | ", flag->letter);
    fprintf(out, "--%s) ", flag->name);
    if (flag_choices(flag)) {
        fputs("_odori_words '", out);
        write_choices(out, flag_choices(flag));
        fputs("'", out);
    } else {
        fputs(takes_file(flag)         ? "_odori_files '*'"
              : takes_directory(flag)  ? "_odori_files /"
              : flag->type == FLAG_SET ? "_odori_set"
                                       : ":",
              out);
    }
    fputs("; return ;;\n", out);
}

static void write_bash_verb(FILE *out, const Verb *verb)
{
    fprintf(out, "    %s)\n        flags='", verb->name);
    for (const Flag *flag = flags; flag->name; flag++)
        if (verb_accepts(verb, flag))
            fprintf(out, "--%s ", flag->name);
    fprintf(out, "' first='%s' files='", verb->words);
    write_words(out, verb->extensions, "", "|");
    fputs("' ;;\n", out);
}

static void write_bash(FILE *out, const Verb *verbs, const KeyList *keys)
{
    fputs("# bash completion for odori, written by 'odori completion bash'\n\n"
          "_odori_words() { mapfile -t COMPREPLY < <(compgen -W \"$1\" -- \"$cur\"); }\n\n"
          "# Files by extension, '*' for all, '/' for none; always directories.\n"
          "_odori_files() {\n    local file\n    compopt -o filenames 2>/dev/null\n"
          "    while IFS= read -r file; do\n"
          "        if [[ -d $file || $1 == '*' || \"|$1|\" == *\"|${file##*.}|\"* ]]; then\n"
          "            COMPREPLY+=(\"$file\")\n        fi\n"
          "    done < <(compgen -f -- \"$cur\")\n}\n\n"
          "_odori_set() {\n    local key=${cur%%=*}\n    if [[ $cur != *=* ]]; then\n"
          "        compopt -o nospace 2>/dev/null\n        _odori_words '",
          out);
    write_keys(out, keys, "", "= ");
    fputs("'\n        return\n    fi\n    cur=${cur#*=}\n    case $key in\n", out);
    write_key_choices(out, keys, "    ", ") _odori_words '", "' ;;\n");
    fputs("    esac\n}\n\n_odori() {\n"
          "    local line=${COMP_LINE:0:COMP_POINT} cur prev words flags first files\n"
          "    cur=${line##*[[:space:]]}\n    read -ra words <<<\"${line%\"$cur\"}\"\n"
          "    prev=${words[${#words[@]}-1]}\n    COMPREPLY=()\n"
          "    if ((${#words[@]} == 1)); then\n        _odori_words '",
          out);
    for (const Verb *verb = verbs; verb->name; verb++)
        fprintf(out, "%s ", verb->name);
    fputs("'\n        return\n    fi\n"
          "    case $cur in --*=*) prev=${cur%%=*} cur=${cur#*=} ;; esac\n    case $prev in\n",
          out);
    for (const Flag *flag = flags; flag->name; flag++)
        if (flag_takes_value(flag))
            write_bash_flag(out, flag);
    fputs("    esac\n    case ${words[1]} in\n", out);
    for (const Verb *verb = verbs; verb->name; verb++)
        write_bash_verb(out, verb);
    fputs("    esac\n    if [[ $cur == -* ]]; then\n        _odori_words \"$flags\"\n"
          "    elif [[ -n $first && ${#words[@]} == 2 ]]; then\n        _odori_words \"$first\"\n"
          "    elif [[ -n $files ]]; then\n        _odori_files \"$files\"\n    fi\n}\n\n"
          "complete -F _odori odori\n",
          out);
}

/* ---- zsh ---- */

static void write_zsh_flag(FILE *out, const Flag *flag)
{
    fprintf(out, " \\\n            '%s--%s%s[", flag_repeats(flag) ? "*" : "", flag->name,
            flag_takes_value(flag) ? "="
            : flag->value          ? "=-"
                                   : "");
    write_description(out, flag->help);
    fputs("]", out);
    if (flag_choices(flag)) {
        fprintf(out, ":%s:(", flag->value);
        write_choices(out, flag_choices(flag));
        fputs(")", out);
    } else if (flag->value) {
        fprintf(out, "%s:%s:%s", flag_takes_value(flag) ? "" : ":", flag->value,
                takes_file(flag)         ? "_files"
                : takes_directory(flag)  ? "_files -/"
                : flag->type == FLAG_SET ? "_odori_set"
                                         : " ");
    }
    fputs("'", out);
    if (flag->letter)
        fprintf(out, " '-%c%s[--%s]%s'", flag->letter, flag->value ? "+" : "", flag->name,
                !flag->value       ? ""
                : takes_file(flag) ? ":FILE:_files"
                                   : ":value: ");
}

static void write_zsh_verb(FILE *out, const Verb *verb)
{
    fprintf(out, "    %s)\n        _arguments -s", verb->name);
    for (const Flag *flag = flags; flag->name; flag++)
        if (verb_accepts(verb, flag))
            write_zsh_flag(out, flag);
    if (verb->words[0])
        fprintf(out, " \\\n            '1:word:(%s)'", verb->words);
    if (!strcmp(verb->extensions, "*"))
        fputs(" \\\n            '*:file:_files'", out);
    else if (verb->extensions[0]) {
        fputs(" \\\n            '*:file:_files -g \"*.(", out);
        write_words(out, verb->extensions, "", "|");
        fputs(")(-.)\"'", out);
    }
    fputs(" ;;\n", out);
}

static void write_zsh(FILE *out, const Verb *verbs, const KeyList *keys)
{
    fputs("#compdef odori\n# zsh completion for odori, written by 'odori completion zsh'\n\n"
          "_odori_set() {\n    if ! compset -P '*='; then\n        compadd -S = --",
          out);
    write_keys(out, keys, " ", "");
    fputs("\n        return\n    fi\n    case ${IPREFIX##*--set=} in\n", out);
    write_key_choices(out, keys, "    ", "=) compadd -- ", " ;;\n");
    fputs("    esac\n}\n\n_odori() {\n    if ((CURRENT == 2)); then\n        local -a verbs\n"
          "        verbs=(\n",
          out);
    for (const Verb *verb = verbs; verb->name; verb++) {
        fprintf(out, "            '%s:", verb->name);
        write_description(out, verb->summary);
        fputs("'\n", out);
    }
    fputs("        )\n        _describe verb verbs\n        return\n    fi\n"
          "    shift words\n    ((CURRENT--))\n    case $words[1] in\n",
          out);
    for (const Verb *verb = verbs; verb->name; verb++)
        write_zsh_verb(out, verb);
    fputs("    esac\n}\n\n"
          "if [[ $funcstack[1] == _odori ]]; then _odori \"$@\"; else compdef _odori odori; fi\n",
          out);
}

/* ---- fish ---- */

static void write_fish_flag(FILE *out, const Verb *verb, const Flag *flag)
{
    fprintf(out, "complete -c odori -n '__odori_verb %s' -l %s", verb->name, flag->name);
    if (flag->letter)
        fprintf(out, " -s %c", flag->letter);
    if (flag_choices(flag)) {
        fputs(" -x -a '", out);
        write_choices(out, flag_choices(flag));
        fputs("'", out);
    } else if (flag_takes_value(flag)) {
        fputs(takes_file(flag)         ? " -r -F"
              : takes_directory(flag)  ? " -x -a '(__fish_complete_directories)'"
              : flag->type == FLAG_SET ? " -x -a '(__odori_set)'"
                                       : " -x",
              out);
    }
    fputs(" -d '", out);
    write_description(out, flag->help);
    fputs("'\n", out);
}

static void write_fish_verb(FILE *out, const Verb *verb)
{
    fprintf(out, "complete -c odori -n '__odori_verb' -a %s -d '", verb->name);
    write_description(out, verb->summary);
    fputs("'\n", out);
    if (verb->words[0])
        fprintf(out, "complete -c odori -n '__odori_verb %s first' -a '%s'\n", verb->name,
                verb->words);
    if (!strcmp(verb->extensions, "*"))
        fprintf(out, "complete -c odori -n '__odori_verb %s' -F\n", verb->name);
    else if (verb->extensions[0]) {
        fprintf(out, "complete -c odori -n '__odori_verb %s%s' -a '(__odori_files \"", verb->name,
                verb->words[0] ? " later" : "");
        write_words(out, verb->extensions, "", "|");
        fputs("\")'\n", out);
    }
    for (const Flag *flag = flags; flag->name; flag++)
        if (verb_accepts(verb, flag))
            write_fish_flag(out, verb, flag);
}

static void write_fish(FILE *out, const Verb *verbs, const KeyList *keys)
{
    fputs("# fish completion for odori, written by 'odori completion fish'\n\n"
          "# True if the verb is the argument; without one, if there is no verb yet.\n"
          "# A second argument: only for the first operand, or only for later ones.\n"
          "function __odori_verb\n    set -l words (commandline -opc)\n"
          "    test \"$words[2]\" = \"$argv[1]\"; or return\n"
          "    switch \"$argv[2]\"\n        case first\n            test (count $words) -eq 2\n"
          "        case later\n            test (count $words) -gt 2\n    end\nend\n\n"
          "# Directories, and files by extension.\n"
          "function __odori_files\n"
          "    for file in (__fish_complete_path (commandline -ct))\n"
          "        string match -qr \"(/|\\.($argv[1]))(\\t|\\$)\" -- $file; and echo $file\n"
          "    end\nend\n\n"
          "function __odori_set\n    set -l key (string replace -r '=.*' '' -- (commandline -ct))\n"
          "    switch $key\n",
          out);
    write_key_choices(out, keys, "        case '", "'\n            printf \"$key=%s\\n\" ", "\n");
    fputs("        case '*'\n            printf '%s=\\n'", out);
    write_keys(out, keys, " ", "");
    fputs("\n    end\nend\n\ncomplete -c odori -f\n", out);
    for (const Verb *verb = verbs; verb->name; verb++)
        write_fish_verb(out, verb);
}

bool completion_write(FILE *out, const Verb *verbs, const char *shell, Arena *arena)
{
    const KeyList keys = key_list_of(&option_job, arena);
    if (!strcmp(shell, "bash"))
        write_bash(out, verbs, &keys);
    else if (!strcmp(shell, "zsh"))
        write_zsh(out, verbs, &keys);
    else if (!strcmp(shell, "fish"))
        write_fish(out, verbs, &keys);
    else
        return false;
    return true;
}
