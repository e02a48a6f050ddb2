# SPDX-License-Identifier: MIT
# Completion of the commands of gpuscope for fish: one file, whichever command loads it.

set -q __gpuscope_completions; and exit
set -g __gpuscope_completions

# The Intel display devices of this machine, as 00:02.0.
function __gpuscope_devices
    for function in /sys/bus/pci/devices/*
        test -r $function/vendor -a -r $function/class; or continue
        string match -q 0x8086 <$function/vendor; or continue
        string match -q '0x03*' <$function/class; or continue
        string replace -r '.*/(0000:)?' '' $function
    end
end

function __gpuscope_sources
    set -l token (commandline -ct | string replace -r '^--from=' '')
    set -l kind (string match -r '^(?:bar|ggtt|mem|lmem|elf|config):' -- $token)

    if test -n "$kind"
        for file in (__fish_complete_path (string replace $kind '' -- $token))
            echo $kind$file
        end
    else if string match -q 'demo:*' -- $token
        command -q gpu-regdump; or return
        gpu-regdump -s demo: 2>/dev/null | string replace -r '\s+' \t
    else
        printf '%s\n' live\t'the Intel GPU of this machine' none\t'definitions only' \
            bar:\t'register BAR' ggtt:\t'GGTT entries' mem:\t'physical memory' \
            lmem:\t'device-local memory' elf:\t'memory, an ELF core' \
            config:\t'PCI config space' demo:\t'built-in capture'
        __gpuscope_devices
        __fish_complete_path $token
    end
end

# A source as an operand: mostly a dump.
function __gpuscope_operands
    if string match -qr '^(demo|bar|ggtt|mem|lmem|elf):' -- (commandline -ct)
        __gpuscope_sources
    else
        echo demo:\t'built-in capture'
        __fish_complete_path (commandline -ct)
    end
end

function __gpuscope_platforms
    command -q gpu-db; or return
    gpu-db list --platforms -q 2>/dev/null | string match -r '^[a-z]\S*'
end

# What the names of registers depend on, from the words before: the platform, or a demo.
function __gpuscope_platform_options
    set -l words (commandline -opc)
    for i in (seq 2 (count $words))
        switch $words[$i]
            case -p --platform --define
                printf '%s\n' $words[$i] $words[(math $i + 1)]
            case '-p*' '--platform=*' '--define=*' --no-user-config '--from=demo:*'
                echo $words[$i]
            case 'demo:?*'
                printf '%s\n' -s $words[$i]
        end
    end
end

# NAME, rcs0.NAME and @GROUP.
function __gpuscope_registers
    command -q gpu-regdump; and not string match -q -- '-*' (commandline -ct); or return
    set -l lines (gpu-regdump --list -q --no-pager --color=never (__gpuscope_platform_options) 2>/dev/null)
    string replace -rf '^# (\S+): (.*)' '@$1'\t'$2' $lines
    set -l names (string match -rg '^\S+\s+\d+\s+\S+\s+(\S+)' $lines)
    if string match -q '*.*' -- (commandline -ct)
        printf '%s\n' $names
    else
        string replace -rf '\..*' . $names | sort -u
        string replace -r '.*\.' '' $names | sort -u
    end
end

# The engines of the platform that the words before tell.
function __gpuscope_engines
    command -q gpu-regdump; or return
    gpu-regdump --list -q --no-pager --color=never (__gpuscope_platform_options) 2>/dev/null |
        string match -rg '^\S+\s+\d+\s+\S+\s+([a-z]+\d)\.' | sort -u
end

function __gpuscope_command
    __fish_seen_subcommand_from $argv
end

for command in gpu-regdump gpu-batch gpu-db gpu-fault gpu-pte gpu-ptwalk gpu-report gpu-sh gpu-snap gpu-tile
    complete -c $command -f
    complete -c $command -s s -l from -x -a '(__gpuscope_sources)' -d 'Where to read'
    complete -c $command -s p -l platform -x -a '(__gpuscope_platforms)' -d 'Platform or PCI device id'
    if test $command != gpu-report
        complete -c $command -s j -l json -d 'Write one JSON document'
        complete -c $command -l ndjson -d 'Write JSON, one element a line'
    end
    complete -c $command -l define -r -F -d 'Definitions before the built-in ones'
    complete -c $command -l no-user-config -d 'Leave out ~/.config/gpuscope'
    complete -c $command -l wake -x -a 'auto driver registers none' -d 'How to hold forcewake'
    complete -c $command -l color -x -a 'auto always never' -d 'When to use colour'
    complete -c $command -l no-pager -d 'Do not page the output'
    complete -c $command -s v -l verbose -d 'Show more'
    complete -c $command -s q -l quiet -d 'Show less'
    complete -c $command -s h -l help -d 'Display help'
    complete -c $command -s V -l version -d 'Display the version'
end

complete -c gpu-regdump -l list -d 'Show definitions, read nothing'
complete -c gpu-regdump -l decode -d 'Decode given values'
complete -c gpu-regdump -l diff -d 'Compare two sources'
complete -c gpu-regdump -l watch -x -d 'Read again after so many seconds'
complete -c gpu-regdump -l count -x -d 'Stop watching after so many readings'
complete -c gpu-regdump -l devices -d 'Show the GPUs of this machine'
complete -c gpu-regdump -l unsafe -d 'Also read what may hang or change by it'
complete -c gpu-regdump -l write -d 'Reads may write an index or a doorbell first'
complete -c gpu-regdump -n 'not __fish_contains_opt diff devices' -a '(__gpuscope_operands) (__gpuscope_registers)'
complete -c gpu-regdump -n '__fish_contains_opt diff' -a 'reset (__gpuscope_sources) (__gpuscope_registers)'

set -l subcommands check list show which stats export
complete -c gpu-db -n "not __gpuscope_command $subcommands" -a check -d 'Find errors in definitions'
complete -c gpu-db -n "not __gpuscope_command $subcommands" -a list -d 'List definitions'
complete -c gpu-db -n "not __gpuscope_command $subcommands" -a show -d 'Show definitions in full'
complete -c gpu-db -n "not __gpuscope_command $subcommands" -a which -d 'Say which variant applies'
complete -c gpu-db -n "not __gpuscope_command $subcommands" -a stats -d 'Count definitions'
complete -c gpu-db -n "not __gpuscope_command $subcommands" -a export -d 'Write all definitions'
complete -c gpu-db -n '__gpuscope_command list show which export' -a '(__gpuscope_registers)'
complete -c gpu-db -n '__gpuscope_command list show which stats export' -a '(__gpuscope_operands)'
complete -c gpu-db -n '__gpuscope_command check' -F

for what in platforms groups commands structures documents ids
    complete -c gpu-db -n '__gpuscope_command list' -l $what -d "List $what"
end
complete -c gpu-db -l revision -x -d 'PCI revision of the device'

for command in gpu-pte gpu-ptwalk gpu-tile
    complete -c $command -s m -l mode -x -a 'ggtt flat 2level pdp32 pml4 ia32e vtd' -d 'Kind of tables'
end
complete -c gpu-pte -s m -l mode -x -a trtt -d 'Kind of tables'
complete -c gpu-pte -s l -l level -x -d 'Which table' -a 'pte pte64k pde pde2m pdpe pdpe1g pml4e
    trtt-l1 trtt-l2 trtt-l3 vtd-root vtd-context vtd-pasid vtd-sl'

for command in gpu-pte gpu-ptwalk gpu-report
    complete -c $command -a '(__gpuscope_operands)'
end

complete -c gpu-ptwalk -l root -x -d 'Where the tables of the mode begin'
complete -c gpu-ptwalk -l context -x -d 'Begin where a logical context says'
complete -c gpu-ptwalk -l engine -x -a '(__gpuscope_engines)' -d 'Begin where an engine\'s registers say'
complete -c gpu-ptwalk -l pasid -x -d 'Begin where the PASID tables say'
complete -c gpu-ptwalk -l rtaddr -x -d 'RTADDR_REG, where those are found'
complete -c gpu-ptwalk -l bdf -x -a '(__gpuscope_devices)' -d 'Function in them, if not 00:02.0'
complete -c gpu-ptwalk -l vtd -x -d 'Second-level tables below everything'
complete -c gpu-ptwalk -l trtt -x -a none -d 'Tiled-resource tables in front; or none'
complete -c gpu-ptwalk -l trtt-null -x -d 'L1 entry of a null tile'
complete -c gpu-ptwalk -l trtt-invalid -x -d 'L1 entry of an invalid tile'
complete -c gpu-ptwalk -l trtt-va -x -d 'Address bits 47:44 of tiled resources'
complete -c gpu-ptwalk -l access -x -a 'read write atomic' -d 'What is to be permitted'
complete -c gpu-ptwalk -l map -d 'Show every mapped range'
complete -c gpu-ptwalk -l flat -d 'Show every page'
complete -c gpu-ptwalk -l pages -d 'Show every page'
complete -c gpu-ptwalk -l all -d 'Also those of long constant runs'
complete -c gpu-ptwalk -l reverse -d 'Show what addresses reach a physical one'
complete -c gpu-ptwalk -l check -d 'Look for mistakes in the tables'
complete -c gpu-ptwalk -l spaces -d 'Show the windows of the device'
complete -c gpu-ptwalk -l svg -d 'Draw the map'
complete -c gpu-ptwalk -l unsafe -d 'Also read what may hang or change by it'

complete -c gpu-report -s o -l output -r -F -d 'Where to write the page'
complete -c gpu-report -l unsafe -d 'Also read what may hang or change by it'

complete -c gpu-batch -a '(__gpuscope_operands)'
complete -c gpu-batch -s e -l engine -x -a '(__gpuscope_engines)' -d 'Whose commands'
complete -c gpu-batch -s a -l address -x -d 'Where the file lies, or which buffer'
complete -c gpu-batch -l process -d 'That address is a per-process one'
complete -c gpu-batch -l format -x -a 'auto text bin' -d 'What the file is'
complete -c gpu-batch -l headers -d 'A line for each command'
complete -c gpu-batch -l follow -d 'Into the batches that are started'
complete -c gpu-batch -l no-follow -d 'Not into the batches that are started'
complete -c gpu-batch -l past-end -d 'Also what lies behind the end'
complete -c gpu-batch -l state -d 'Show the state that commands point to'
complete -c gpu-batch -l mark -x -d 'Mark this address'
complete -c gpu-batch -l query -x -a '(__gpuscope_registers)' -d 'Show where a register is loaded'
complete -c gpu-batch -l kernels -x -a '(__fish_complete_directories)' -d 'Write the shader kernels'
complete -c gpu-batch -l lint -d 'Look for what the documents forbid'
complete -c gpu-batch -l unsafe -d 'Also read what may hang or change by it'

complete -c gpu-sh -s c -l command -x -d 'Do these'
complete -c gpu-sh -l write -d 'Registers may be written'
complete -c gpu-sh -s n -l dry-run -d 'Show the accesses of a write, do none'
complete -c gpu-sh -l force -d 'Write also where that is a hazard'
complete -c gpu-sh -l undo-on-exit -d 'Put back at the end what was written'
complete -c gpu-sh -a '(__gpuscope_operands)'

complete -c gpu-snap -s o -l output -r -F -d 'Where to save'
complete -c gpu-snap -l no-ggtt -d 'Leave out the GGTT'
complete -c gpu-snap -l mem -x -d 'Of memory save this stretch'
complete -c gpu-snap -l tables -d 'Save the page tables of all contexts'
complete -c gpu-snap -l redact -d 'Leave out memory and names'
complete -c gpu-snap -l to -x -a 'capture aub bar' -d 'What to convert to'
complete -c gpu-snap -l compress -x -a 'auto zstd gzip none' -d 'How a capture is packed'
complete -c gpu-snap -l unsafe -d 'Also read what may hang or change by it'
set -l verbs convert extract info save
complete -c gpu-snap -n "not __gpuscope_command $verbs" -a convert -d 'Write a capture in another form'
complete -c gpu-snap -n "not __gpuscope_command $verbs" -a extract -d 'Take a part out of a capture'
complete -c gpu-snap -n "not __gpuscope_command $verbs" -a info -d 'Say what is in a capture'
complete -c gpu-snap -n "not __gpuscope_command $verbs" -a save -d 'Capture a GPU'
complete -c gpu-snap -n '__gpuscope_command convert extract info save' -a '(__gpuscope_operands)'

complete -c gpu-tile -a '(__gpuscope_operands)'
complete -c gpu-tile -s f -l tiling -x -a 'x y w yf ys tile4 tile64 linear' -d 'How it is tiled'
complete -c gpu-tile -l pitch -x -d 'From a row to the next'
complete -c gpu-tile -l bpp -x -a '8 16 32 64 128' -d 'Bits of an element'
complete -c gpu-tile -l samples -x -a '1 2 4 8 16' -d 'Of each element'
complete -c gpu-tile -l sample -x -d 'Which of them'
complete -c gpu-tile -l dim -x -a '2d 3d' -d 'Tiles with depth'
complete -c gpu-tile -l slice -x -d 'Of an image with depth'
complete -c gpu-tile -l width -x -d 'Elements of a row'
complete -c gpu-tile -l height -x -d 'Rows'
complete -c gpu-tile -l swizzle -x -a 'none 9 9/10 9/11 9/10/11 9/17 9/10/17' -d 'How bit 6 is exchanged'
complete -c gpu-tile -l offset -d 'Operands are offsets'
complete -c gpu-tile -l fence -x -d 'Value of a fence register'
complete -c gpu-tile -l detile -d 'A surface to rows'
complete -c gpu-tile -l tile -d 'Rows to a surface'
complete -c gpu-tile -s o -l output -r -F -d 'Where to write'
complete -c gpu-tile -l png -d 'Write a picture'
complete -c gpu-tile -l pixels -x -a 'B8G8R8A8 B8G8R8X8 R8G8B8A8 R8G8B8X8 R10G10B10A2 R10G10B10X2 B10G10R10A2 B10G10R10X2 B5G6R5 B5G5R5A1 B5G5R5X1 B4G4R4A4 A1B5G5R5 A4B4G4R4 L16A16 L8A8 L16 I16 A16 R16 R8 L8 I8 A8' -d 'Of a picture'
complete -c gpu-tile -l surface -x -d 'The surface at this address'
complete -c gpu-tile -l state -x -d 'The one of a surface state'
complete -c gpu-tile -l submission -x -d 'Of a trace, as it was then'
complete -c gpu-tile -l root -x -d 'Where the tables of the mode begin'
complete -c gpu-tile -l context -x -d 'Begin where a logical context says'
complete -c gpu-tile -l engine -x -a '(__gpuscope_engines)' -d 'Begin where an engine\'s registers say'
complete -c gpu-tile -l check -d 'Look for rules that are broken'
complete -c gpu-tile -l base -x -d 'Where the surface to check begins'
complete -c gpu-tile -l client -x -a 'any display render depth stencil sampler blitter sparse' -d 'Who is to use it'
complete -c gpu-tile -l remapped -d 'Processor and client have tables of their own'
complete -c gpu-tile -l aux -x -a 'hiz ccs mcs all' -d 'What sampling gives'
complete -c gpu-tile -l aux-table -d 'Where the auxiliary data of addresses is'
complete -c gpu-tile -l aux-root -x -d 'Graphics address of the auxiliary table'
complete -c gpu-tile -l unsafe -d 'Also read what may hang or change by it'

complete -c gpu-fault -a '(__gpuscope_operands)'
complete -c gpu-fault -l walk -d 'Show how faulting addresses are translated'
complete -c gpu-fault -l no-walk -d 'Do not'
complete -c gpu-fault -l dmesg -d 'Read a kernel log'
complete -c gpu-fault -l decode -x -a 'hwsp context oa ring' -d 'Decode a page of memory'
complete -c gpu-fault -l ecode -x -d 'What the code of a hang says'
complete -c gpu-fault -s e -l engine -x -a '(__gpuscope_engines)' -d 'Whose page that is'
complete -c gpu-fault -l format -x -a 'lrc state pphwsp probe-list' -d 'Layout of a context, or of performance reports'
complete -c gpu-fault -l unsafe -d 'Also read what may hang or change by it'
