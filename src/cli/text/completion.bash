# bash completion for odori, written by 'odori completion bash'

_odori_words() { mapfile -t COMPREPLY < <(compgen -W "$1" -- "$cur"); }

# Files by extension, '*' for all, '/' for none; always directories.
_odori_files() {
    local file
    compopt -o filenames 2>/dev/null
    while IFS= read -r file; do
        [[ -d $file && $file == *.odori ]] && continue # a checkpoint
        if [[ -d $file || $1 == '*' || "|$1|" == *"|${file##*.}|"* ]]; then
            COMPREPLY+=("$file")
        fi
    done < <(compgen -f -- "$cur")
}

_odori_set() {
    local key=${cur%%=*}
    if [[ $cur != *=* ]]; then
        compopt -o nospace 2>/dev/null
        _odori_words '@{keys}'
        return
    fi
    cur=${cur#*=}
    case $key in
@{key_choices}
    esac
}

_odori() {
    local line=${COMP_LINE:0:COMP_POINT} cur prev words flags first files
    cur=${line##*[[:space:]]}
    read -ra words <<<"${line%"$cur"}"
    prev=${words[${#words[@]}-1]}
    COMPREPLY=()
    if ((${#words[@]} == 1)); then
        _odori_words '@{bash_verbs}'
        return
    fi
    case $cur in
    --strict=*) prev=--strict= cur=${cur#*=} ;;
    --*=*) prev=${cur%%=*} cur=${cur#*=} ;;
    esac
    case $prev in
@{bash_flag_values}
    esac
    case ${words[1]} in
@{bash_verb_cases}
    esac
    if [[ $cur == -* ]]; then
        _odori_words "$flags"
    elif [[ -n $first && ${#words[@]} == 2 ]]; then
        _odori_words "$first"
    elif [[ -n $files ]]; then
        _odori_files "$files"
    fi
}

complete -F _odori odori
