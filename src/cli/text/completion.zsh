#compdef odori
# zsh completion for odori, written by 'odori completion zsh'

_odori_set() {
    if ! compset -P '*='; then
        compadd -S = --@{keys}
        return
    fi
    case ${IPREFIX##*--set=} in
@{key_choices}
    esac
}

_odori() {
    if ((CURRENT == 2)); then
        local -a verbs
        verbs=(
@{zsh_verbs}
        )
        _describe verb verbs
        return
    fi
    shift words
    ((CURRENT--))
    case $words[1] in
@{zsh_verb_cases}
    esac
}

if [[ $funcstack[1] == _odori ]]; then _odori "$@"; else compdef _odori odori; fi
