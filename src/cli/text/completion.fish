# fish completion for odori, written by 'odori completion fish'

# True if the verb is the argument; without one, if there is no verb yet.
# A second argument: only for the first operand, or only for later ones.
function __odori_verb
    set -l words (commandline -opc)
    test "$words[2]" = "$argv[1]"; or return
    switch "$argv[2]"
        case first
            test (count $words) -eq 2
        case later
            test (count $words) -gt 2
    end
end

# Directories, and files by extension.
function __odori_files
    for file in (__fish_complete_path (commandline -ct))
        string match -q '*.odori/*' -- $file; and continue # a checkpoint
        string match -qr "(/|\.($argv[1]))(\t|\$)" -- $file; and echo $file
    end
end

function __odori_set
    set -l key (string replace -r '=.*' '' -- (commandline -ct))
    switch $key
@{key_choices}
        case '*'
            printf '%s=\n'@{keys}
    end
end

complete -c odori -f
@{fish_verbs}
