# SPDX-License-Identifier: MIT
# Completion of the commands of gpuscope for fish: one file, whichever command loads it.

set -q __gpuscope_completions; and exit
set -g __gpuscope_completions

# COMMAND|WORD|LETTER|ARGUMENT|OTHERS|VALUE|HELP
set -l table '@TABLE@'

# Definitions of the platform that the words before tell: -p, or a demo.
function __gpuscope_list
    set -l words (commandline -opc)
    set -l options
    for i in (seq 2 (count $words))
        switch $words[$i]
            case -p --platform --define
                set -a options $words[$i] $words[(math $i + 1)]
            case '-p*' '--platform=*' '--define=*' --no-user-config '--from=demo:*'
                set -a options $words[$i]
            case 'demo:*'
                test $words[$i] = demo:; or set -a options -s $words[$i]
        end
    end
    command -q gpu-regdump; or return
    gpu-regdump --list -q --no-pager --color=never $options 2>/dev/null
end

# The word that is typed, without the option that it may be joined to.
function __gpuscope_token
    commandline -ct | string replace -r '^--[^=]*=' ''
end

function __gpuscope_has
    for word in $argv
        contains -- $word (commandline -opc); and return
    end
    return 1
end

# ---- what a value can be ------------------------------------------------------------------------

function __gpuscope_NONE
end

function __gpuscope_FILE
    __fish_complete_path (__gpuscope_token)
end

function __gpuscope_FOLDER
    __fish_complete_directories (__gpuscope_token) ''
end

function __gpuscope_DEFINITIONS
    __fish_complete_path (__gpuscope_token)
end

function __gpuscope_PLATFORM
    command -q gpu-db; or return
    gpu-db list --platforms -q 2>/dev/null | string match -r '^[a-z]\S*'
end

# The Intel display devices of this machine, as 00:02.0.
function __gpuscope_DEVICE
    for function in /sys/bus/pci/devices/*
        test -r $function/vendor -a -r $function/class; or continue
        string match -q 0x8086 <$function/vendor; or continue
        string match -q '0x03*' <$function/class; or continue
        string replace -r '.*/(0000:)?' '' $function
    end
end

# Numbers of the store that the words before name with -D.
function __gpuscope_HANG
    set -l words (commandline -opc)
    set -l options
    for i in (seq 2 (count $words))
        string match -qr '^(-D|--dir)$' -- $words[$i]; and set options -D $words[(math $i + 1)]
    end
    command -q gpu-collect; or return
    gpu-collect $options -q list 2>/dev/null | string match -rg '^ *(\d+) '
end

function __gpuscope_SOURCE
    set -l token (__gpuscope_token)
    set -l kind (string match -r '^(?:bar|ggtt|mem|lmem|elf|config|guc-capture):' -- $token)

    if test -n "$kind"
        for file in (__fish_complete_path (string replace $kind '' -- $token))
            echo $kind$file
        end
    else if string match -q 'hang:*' -- $token
        string replace -r '^' hang: (__gpuscope_HANG)
    else if string match -q 'demo:*' -- $token
        command -q gpu-regdump; or return
        gpu-regdump -s demo: 2>/dev/null | string replace -r '\s+' \t
    else
        printf '%s\n' live\t'the Intel GPU of this machine' none\t'definitions only' \
            bar:\t'register BAR' ggtt:\t'GGTT entries' mem:\t'physical memory' \
            lmem:\t'device-local memory' elf:\t'memory, an ELF core' \
            config:\t'PCI config space' guc-capture:\t'registers that the GuC captured' \
            hang:\t'collected hang' demo:\t'built-in capture'
        __gpuscope_DEVICE
        __fish_complete_path $token
    end
end

# NAME, rcs0.NAME and @GROUP.
function __gpuscope_REGISTER
    string match -q -- '-*' (commandline -ct); and return
    set -l lines (__gpuscope_list)
    string replace -rf '^# (\S+): (.*)' '@$1'\t'$2' $lines
    set -l names (string match -rg '^\S+\s+\d+\s+\S+\s+(\S+)' $lines)
    if string match -q '*.*' -- (commandline -ct)
        printf '%s\n' $names
    else
        string replace -rf '\..*' . $names | sort -u
        string replace -r '.*\.' '' $names | sort -u
    end
end

function __gpuscope_ENGINE
    __gpuscope_list | string match -rg '^\S+\s+\d+\s+\S+\s+([a-z]+\d)\.' | sort -u
end

function __gpuscope_ITEM
    command -q gpu-db; or return
    for what in commands structures instructions
        gpu-db list --$what -q 2>/dev/null | string match -r '^[A-Za-z]\S*'
    end
end

# ---- the words of a command ---------------------------------------------------------------------

for line in (string split \n -- $table)
    string split '|' -- $line | read -lL command word letter argument others value help
    test -n "$command"; or continue
    set -l offers
    for one in (string split -n ' ' -- $value)
        functions -q __gpuscope_$one; and set one "(__gpuscope_$one)"
        set -a offers $one
    end
    switch $word
        case '--*'
            set -l options -l (string sub -s 3 -- $word) -d $help
            test -n "$letter"; and set -a options -s (string sub -s 2 -- $letter)
            test -n "$argument"; and set -a options -x -a "$offers"
            complete -c $command $options
            if test -z "$argument" -a -n "$value"
                set -a __gpuscope_places $word
                complete -c $command -n "__gpuscope_has $word" -a "$offers"
            end
        case ''
            for one in $__gpuscope_subcommands
                set one (string split \t -- $one)
                complete -c $command -n "not __gpuscope_has $__gpuscope_places" \
                    -a $one[1] -d $one[2]
            end
            complete -c $command -f -n "not __gpuscope_has $__gpuscope_places" -a "$offers"
            set -e __gpuscope_places
            set -e __gpuscope_subcommands
        case '*'
            set -a __gpuscope_places $word
            set -a __gpuscope_subcommands $word\t$help
            complete -c $command -n "__gpuscope_has $word" -a "$offers"
    end
end

# "gpuscope regdump ..." as "gpu-regdump ..."
function __gpuscope_as
    set -l words (commandline -opc)
    complete -C "gpu-"(string join ' ' -- (string escape -- $words[2..-1]))" "(commandline -ct)
end

complete -c gpuscope -f -n 'test (count (commandline -opc)) = 1' \
    -a (string replace -a gpu- '' '@COMMANDS@')
complete -c gpuscope -f -n 'test (count (commandline -opc)) -gt 1' -a '(__gpuscope_as)'
