#!/bin/sh
# SPDX-License-Identifier: MIT
# gpu-db to the letter: every form of every subcommand, of definitions made for that, where nobody
# changes a word; and the ways in: --define, folders of definitions, sources, platforms, steppings.
. "$(dirname "$0")/../lib.sh"
needs gpu-db jq

cp "$data/browse.def" "$work/browse.def"
cd "$work" || exit 1
browse='--define browse.def'
origin='Tests of gpu-db, chapter by chapter, chapter'
none='{"schema":"gpuscope.db/1","platform":null,"device":null,"source":[]'

# browses WORD...: gpu-db with our definitions
browses() {
	# shellcheck disable=SC2086
	run gpu-db $browse "$@"
	expect_status 0
	expect_err_empty
}

title 'list: registers'
browses list BROWSE_PLAIN
expect_out 'BROWSE_PLAIN  0x4f200  rw        browse        skl, tgl        A register with fields.'
browses list -p tgl @browse
expect_out 'BROWSE_PLAIN      0x04f200  rw        browse        A register with fields.
BROWSE_LIST[3]    0x04f210  ro        browse        An array.
BROWSE_LATER      0x04f230  rw        browse        Of one platform.'
browses list -p skl 'browse_*[2]' 'brow?e_plain'
expect_out 'BROWSE_PLAIN    0x04f200  rw        browse        A register with fields.
BROWSE_LIST[2]  0x04f220  ro        browse        An array.'
browses list --json BROWSE_PLAIN
expect_out "$none,\"registers\":[
{\"name\":\"BROWSE_PLAIN\",\"aliases\":[\"BROWSE_OTHER\"],\"engine\":null,\"space\":\"mmio\",\"offset\":null,\
\"places\":[\"0x4f200\"],\"count\":null,\"size\":4,\"access\":[\"rw\"],\"group\":\"browse\",\
\"platforms\":\"skl, tgl\",\"doc\":\"A register with fields.\",\"origin\":\"$origin 1\"}
]}"
browses list --ndjson -p skl BROWSE_LIST
expect_json '[.platform, .name, .offset, .count]' '["skl",null,null,null]
[null,"BROWSE_LIST","0x4f210",3]'

title 'list: platforms'
browses list --platforms skylake
expect_out 'skl      9.00   Skylake                         DevSKL skylake'
browses -p 8086:1912 list --platforms
expect_out 'skl      9.00   Skylake                         DevSKL skylake'
browses list --platforms --json DevSKL tgl
expect_json '[.platform, (.platforms[] | [.name, .title, .graphics, .media, .display])]' \
	'[null,["skl","Skylake","9.00","9.00","9.00"],["tgl","Tiger Lake","12.00","12.00","12.00"]]'
expect_json '.platforms[0] | [.aliases, .engines]' \
	'[["DevSKL","skylake"],["rcs0","bcs0","vcs0","vcs1","vecs0"]]'
expect_json '.platforms[0].ids > 10' true
browses list --platforms -p snb --ndjson
expect_json '[.platform, .name]' '["snb",null]
[null,"snb"]'

title 'list: groups'
browses list --groups browse
expect_out 'browse                   4  skl, tgl        Made up to be browsed'
browses list --groups @BROWSE
expect_out 'browse                   4  skl, tgl        Made up to be browsed'
browses -p skl list --groups 'brow*'
expect_out 'browse                   3  skl, tgl        Made up to be browsed'
browses --color=always list --groups browse
expect_out "$(printf '\033[1mbrowse\033[0m                   4  skl, tgl        Made up to be browsed')"
browses list --groups --json browse
expect_out "$none,\"groups\":[
{\"name\":\"browse\",\"title\":\"Made up to be browsed\",\"registers\":4,\"platforms\":\"skl, tgl\"}
]}"

title 'list: commands'
browses list --commands 'BROWSE*'
expect_out 'BROWSE_COMMAND  0x1d800000/0xff800000  dw0[7:0]+2  rcs,bcs          skl             A command.'
browses list --commands --json BROWSE_COMMAND
expect_out "$none,\"commands\":[
{\"name\":\"BROWSE_COMMAND\",\"engine\":[\"rcs\",\"bcs\"],\"privileged\":false,\
\"mask\":\"0xff800000\",\"value\":\"0x1d800000\",\"length\":\"dw0[7:0]+2\",\"platforms\":\"skl\",\"doc\":\"A command.\",\"origin\":\"$origin 2\"}
]}"

title 'list and show: instructions'
browses list --instructions browse_op
expect_out 'browse_op  0x7c  basic   2  skl             An instruction.'
browses list --instructions --json browse_op
expect_out "$none,\"instructions\":[
{\"name\":\"browse_op\",\"opcode\":\"0x7c\",\"form\":\"basic\",\"sources\":2,\"platforms\":\"skl\",\
\"doc\":\"An instruction.\",\"origin\":\"$origin 4\"}
]}"
browses show browse_op
expect_out_has '^browse_op  yours, instruction of the execution units$'
expect_out_has '^  opcode      0x7c$'
expect_out_has '^  structures  EU_INSTRUCTION, EU_DESTINATION, '
browses show --json browse_op
expect_json '.definitions[] | [.kind, .opcode, .form, .sources, .size, .structures[0]]' \
	'["instruction","0x7c","basic",2,null,"EU_INSTRUCTION"]'
browses which -p skl browse_op
expect_out_has '^  yes   instruction$'
browses export -p skl --json
expect_json '.instructions[] | select(.name == "browse_op") | [.kind, .opcode]' '["instruction","0x7c"]'
refused 3 'gpu-db: rcs0.add: exists, but not with this engine or index' \
	gpu-db show rcs0.add

title 'list: structures, and entries of page tables'
browses list --structures BROWSE_STRUCT
expect_out 'BROWSE_STRUCT                        8 bytes     skl             A structure.'
browses list --structures GEN4_GGTT_PTE
expect_out 'GEN4_GGTT_PTE  pte ggtt              4 bytes     g33..ilk        Entry of the global table: one page of 4 KB.'
browses list --structures --json BROWSE_STRUCT
expect_out "$none,\"structures\":[
{\"name\":\"BROWSE_STRUCT\",\"size\":8,\"mode\":null,\"level\":null,\"platforms\":\"skl\",\
\"doc\":\"A structure.\",\"origin\":\"$origin 3\"}
]}"

title 'list: documents'
browses list --documents browse
expect_out 'browse          Tests of gpu-db, chapter by chapter'
browses list --documents --json browse
expect_out "$none,\"documents\":[
{\"key\":\"browse\",\"title\":\"Tests of gpu-db, chapter by chapter\"}
]}"

title 'list: properties of platforms'
browses list --properties -p skl eot-bit
expect_out 'eot-bit               127    which bit of a SEND ends the thread'
browses list --properties same-address
expect_out 'same-address          snb                   TLBs do not distinguish an address of a process from the same global one'
browses list --properties -p tgl --json eot-bit
expect_json '.properties[] | [.name, .value, .platforms, .text, .origin]' \
	'["eot-bit",34,"all","which bit of a SEND ends the thread","Mesa 3D, src/intel/compiler/brw_inst.h eot"]'
browses list --properties --json execlists
expect_json '.properties[] | [.value, .platforms]' '[null,"bdw+"]'
browses list --properties -p snb execlists
[ ! -s "$out" ] || fail 'a property that the platform has not is listed'

title 'list: PCI ids'
browses list --ids 0x1912
expect_out '0x1912  skl   GT2 desktop, HD Graphics 530'
browses list --ids --json 0x1912
expect_out "$none,\"ids\":[
{\"id\":\"0x1912\",\"platform\":\"skl\",\"text\":\"GT2 desktop, HD Graphics 530\"}
]}"
browses list --ids skl
cp "$out" skl-ids
browses list --ids -p skl
cmp -s skl-ids "$out" || fail 'the ids of a platform by its name are not those by -p'
browses list --ids -p snb --ndjson
expect_json 'select(.id) | .platform' "$(tail -n +2 "$out" | sed 's/.*/"snb"/')"

title 'list: rules, each with the command that applies it'
browses list --rules region-crosses
expect_out 'region-crosses  gpu-eu --lint  ivb+            a row lies in two registers  (ivb-v4p3, 3.3.9 Register Region Restrictions, 2.H)'
browses list --rules ring-wrap --json
expect_json '.rules[] | [.name, .command, .about, .text]' \
	'["ring-wrap","gpu-batch --lint",null,"the ring wraps around inside a command"]'
expect_json '.rules[0].origin | type' '"string"'
browses list --rules null-tiles display-w -p snb
expect_out_has '^null-tiles  gpu-tile --check  null and invalid tiles .*[(]icl-vol6, '
browses list --rules -p snb 'needs-*'
expect_out_has '^needs-noop *gpu-batch --lint  MI_SET_CONTEXT: must be followed by MI_NOOP  [(]snb-p3, '
grep -q 'TLBs without CS stall' "$out" && fail 'rules of Gen7 are listed for snb'
browses list --rules --json
expect_json '[.rules[] | select(.platforms == "" or .text == null)]' '[]'
expect_json '[.rules[].command] | unique | length >= 4' true

title 'list: caches, and what invalidates them'
browses list --tlbs -p icl L3_TLB BLT_TLB PML4_CACHE
expect_out 'L3_TLB      tlb      768 entries  rcs                  L3 TLB: data port, instructions, constants, state, sampler
BLT_TLB     tlb      32 entries   bcs                  Blitter TLB
PML4_CACHE  walk     4K           rcs, vcs             PML4 cache: one for render, one for media; the whole table at its first use, never replaced'
browses list --tlbs '?_TLB'
expect_out_has '^Z_TLB *tlb *448 entries *rcs *skl *Depth TLB'
browses list --tlbs -p skl --json L3_TLB
expect_json '.tlbs[] | [.name, .kind, .entries, .bytes, .engine, .client, .levels, .platforms]' \
	'["L3_TLB","tlb",640,null,["rcs"],null,null,"skl"]'
browses list --tlbs --json
expect_json '[.tlbs[] | select(.origin == null or (.kind != "data" and .modes == null))]' '[]'
browses list --invalidations -p snb 'MI_FLUSH*'
expect_out_has '^MI_FLUSH_DW.TLB_INVALIDATE *command *bcs, vcs, vecs *tlb: once the flush is done'
browses list --invalidations -p bdw 'm1tcr.*' 'context switch' --json
expect_json '.invalidations[] | [.name, .by, .engine, .takes]' '["M1TCR.INVALIDATE_VCS0","register",["vcs0"],"tlb"]
["context switch","event",["rcs","bcs","vcs","vecs"],"tlb,walk,pasid"]'
browses list --messages xe harmless reset-failed 'no progress on ' 'Request device ['
expect_out_has 'Timedout job:  *xe  *hang  *-  *a job timed out'
expect_out_has 'skipping PXP init  *-  *harmless  *-  *only protected content'
expect_out_has 'GPU recovery failed  *i915  *error  *reset-failed  *the recovery of the GPU failed'
expect_out_has 'no progress on  *i915  *hang  *stuck '
browses list -v --messages 'Parity error: '
expect_out 'Parity error:   i915   error  parity            a row of the L3 cache has a parity error  (i915, i915_irq.c ivb_parity_work)'
browses list --messages --json
expect_json '[.messages[] | select(.origin == null or (.name | length) < 8 or .text == "")]' '[]'
expect_json '.messages[] | select(.name == "callbacks suppressed") | [.driver, .kind, .rank, .type, .by]' \
	'[null,"error","aside",null,"hw_suppressed"]'
browses search timed out job
expect_out_has 'Timedout job:  message'
browses list --invalidations --json
expect_json '[.invalidations[] | select(.origin == null or .platforms == "")]' '[]'

title 'list: firmware, and packages that have it'
browses list --firmware -p lnl '*lnl_guc*'
expect_out 'xe/lnl_guc_70.bin  70.53.0  xe    7.0..7.3
xe/lnl_guc_70.bin  70.45.2  xe    6.16..6.19
xe/lnl_guc_70.bin  70.29.2  xe    6.12..6.15'
browses list --firmware '*cml_guc_70*'
expect_out_has '^i915/cml_guc_70.1.1.bin *70.1.1 *i915 *5.19..7.3 *cml  from revision 5 on$'
browses list --firmware --json '*mtl_huc_gsc*' intel-gpu-firmware
expect_json '.firmware[] | [.kind, .driver, .wants, .kernel, .platforms]' '["huc","i915",null,"6.5..7.3","mtl, arl"]
["huc","xe",null,"6.12..7.3","mtl, arl"]
["package",null,null,".fc","all"]'
browses list --firmware --json
expect_json '[.firmware[] | select(.origin == null or .platforms == "")]' '[]'

title 'list: what is not there, and what goes with nothing'
for what in platforms properties groups commands structures instructions topics documents ids rules ranges tlbs \
	invalidations messages firmware; do
	refused 3 'gpu-db: nosuch: unknown name*' gpu-db list --$what nosuch
	refused 2 "gpu-db: show: only list takes an option that says what to list*" gpu-db show --$what BROWSE_PLAIN
done
previous=
for what in platforms properties groups commands structures instructions topics documents ids rules ranges tlbs \
	invalidations messages firmware; do
	[ -z "$previous" ] ||
		refused 2 "gpu-db: --$previous: cannot be combined with --$what*" \
			gpu-db list --$what --$previous
	previous=$what
done

title 'show: a register'
register="BROWSE_PLAIN  yours, register of 32 bits
  A register with fields.
  also        BROWSE_OTHER
  on          skl, tgl
  at          0x4f200
  access      read and write
  reset       0x80000001, documented for bits 0x800000ff
  hazard      writing: it is a test
  group       browse: Made up to be browsed
  origin      browse: $origin 1
  file        browse.def:7
  fields
    31          READY                         ro
    7:4         LEVEL
                  0       none: nothing at all
                  1..3    low
                  15      full
    1:0         MODE
                  0       off
                  1       on"
browses show BROWSE_PLAIN
expect_out "$register"
browses show browse_other
expect_out "$register"
browses show -p skl 'BROWSE_LIST[1]'
expect_out "BROWSE_LIST  yours, register of 32 bits
  An array.
  on          skl, tgl
  at          0x04f210 [0] to 0x04f220 [2]
  access      read only
  group       browse: Made up to be browsed
  origin      browse: $origin 1
  file        browse.def:19"
browses show -p skl --json BROWSE_PLAIN
expect_json '.definitions[] | [.kind, .name, .aliases, .platforms, .user, .access, .reset, .reset_mask]' \
	'["register","BROWSE_PLAIN",["BROWSE_OTHER"],["skl","tgl"],true,["rw"],"0x80000001","0x800000ff"]'
expect_json '.definitions[].hazards' \
	'[{"kind":"write","text":"it is a test","bits":null,"platforms":["skl","tgl"],"revisions":null}]'
expect_json '.definitions[].registers' '[{"engine":null,"index":null,"space":"mmio","offset":"0x4f200","wake":null,"owner":"display engine (north)"}]'
expect_json '.definitions[].fields[1] | [.name, .hi, .lo, .type, .values]' \
	'["LEVEL",7,4,"dec",[{"first":"0x0","last":"0x0","name":"none","doc":"nothing at all"},'\
'{"first":"0x1","last":"0x3","name":"low","doc":null},{"first":"0xf","last":"0xf","name":"full","doc":null}]]'
expect_json '.definitions[] | [.file, .line]' '["browse.def",7]'

title 'show: a command'
browses show BROWSE_COMMAND
expect_out "BROWSE_COMMAND  yours, command
  A command.
  on          skl
  engines     rcs, bcs
  match       dw0 & 0xff800000 = 0x1d800000
  length      dw0[7:0]+2 dwords
  origin      browse: $origin 2
  file        browse.def:26
  fields
    dw1.31:0    COLOUR
  POINT: from dw2 on, every 1 dwords
    dw0.15:0    X"
browses show --json BROWSE_COMMAND
expect_json '.definitions[] | [.kind, .engine, .mask, .value, .length, [.fields[].name]]' \
	'["command",["rcs","bcs"],"0xff800000","0x1d800000","dw0[7:0]+2",["COLOUR"]]'
expect_json '.definitions[].repeats[] | [.name, .dword, .dwords, .count, [.fields[] | [.name, .type]]]' \
	'["POINT",2,1,null,[["X","dec"]]]'

title 'show: a structure, an entry'
browses show BROWSE_STRUCT
expect_out "BROWSE_STRUCT  yours, structure of 8 bytes
  A structure.
  on          skl
  origin      browse: $origin 3
  file        browse.def:35
  fields
    dw0.63:12   ADDRESS                       address in gfx, value << 12
    dw0.0       VALID                         bool"
browses show --json BROWSE_STRUCT
expect_json '.definitions[] | [.kind, .size, (.fields[0] | [.type, .address_space, .shift])]' \
	'["structure",8,["addr","gfx",12]]'
browses show GEN4_GGTT_PTE
for line in 'mode        ggtt' 'level       pte' 'index       address bits 31:12' \
	'valid       VALID is 1' 'leads to    page of 4 KB'; do
	expect_out_has "^  $line\$"
done
browses show --json GEN4_GGTT_PTE
expect_json '.definitions[] | [.kind, .mode, .level, .index_bits, .valid, .leads]' \
	'["entry","ggtt","pte",{"hi":31,"lo":12,"every":1},{"field":"VALID","value":"0x1"},'\
'[{"field":null,"value":null,"page_size":4096,"level":null}]]'

title 'which'
browses which -p skl BROWSE_OTHER
expect_out 'BROWSE_OTHER on skl
  yes   0x04f200
        BROWSE_PLAIN, browse.def:7, browse chapter 1'
browses which -p skl @browse
expect_out '@browse on skl
  yes   0x04f200
        BROWSE_PLAIN, browse.def:7, browse chapter 1
  yes   0x04f210 [0] to 0x04f220 [2]
        BROWSE_LIST, browse.def:19, browse chapter 1
  no    it is for tgl
        BROWSE_LATER, browse.def:21, browse chapter 1
  no    it is for revisions 0x00 to 0x02; the latest is assumed (see
        --revision)
        BROWSE_STEP, browse.def:23, browse chapter 1'
browses which -p skl 'BROWSE_ST*'
expect_out 'BROWSE_ST* on skl
  no    it is for revisions 0x00 to 0x02; the latest is assumed (see
        --revision)
        BROWSE_STEP, browse.def:23, browse chapter 1
  yes   structure
        BROWSE_STRUCT, browse.def:35, browse chapter 3'
browses which -p skl:b0 BROWSE_STEP
expect_out 'BROWSE_STEP on skl, revision 0x01
  yes   0x04f234
        BROWSE_STEP, browse.def:23, browse chapter 1'
browses which -p skl --revision 1 --json BROWSE_STEP BROWSE_COMMAND
expect_json '.definitions[] | [.asked, .kind, .applies, .reason, .platforms, .user]' \
	'["BROWSE_STEP","register",true,null,"skl revisions 0x00 to 0x02",true]
["BROWSE_COMMAND","command",true,null,"skl",true]'
expect_json '.definitions[0].registers' '[{"engine":null,"index":null,"space":"mmio","offset":"0x4f234","wake":null,"owner":"display engine (north)"}]'

title 'which: nothing applies'
# shellcheck disable=SC2086
run gpu-db $browse which -p skl:g0 BROWSE_STEP
expect_status 3
expect_err_line 'gpu-db: BROWSE_STEP: no definition of this name on skl'
expect_out 'BROWSE_STEP on skl, revision 0x06
  no    it is for revisions 0x00 to 0x02
        BROWSE_STEP, browse.def:23, browse chapter 1'
# shellcheck disable=SC2086
run gpu-db $browse which -p skl --json BROWSE_LATER
expect_status 3
expect_json '.definitions[] | [.applies, .reason, .registers]' '[false,"it is for tgl",[]]'

title 'which: a built-in one that one of ours takes the place of, by name and by address'
cat >taken.def <<'END'
format 1
group taken "In the place of others" on=skl
	origin snb-p3 "made up"
	reg TRANS_CONF_A @0x4f300 rw
	reg TAKEN_PLACE @0x71008 rw
command TAKEN_COMMAND engine=ccs on=skl
	origin snb-p3 "made up"
	match 31:29=0 28:23=0x3b
	length 1
END
run gpu-db --define taken.def which -p skl --json TRANS_CONF_A TRANS_CONF_B TAKEN_COMMAND
expect_status 3
expect_json '[.definitions[] | select(.user == false and (.platforms | startswith("skl"))) | [.name, .reason]]' \
	'[["TRANS_CONF_A","TRANS_CONF_A of taken.def:4 overrides it"],'\
'["TRANS_CONF_B","TAKEN_PLACE of taken.def:5 overrides it"]]'
expect_json '[.definitions[] | select(.name == "TAKEN_COMMAND") | .reason]' '["skl has no ccs"]'

title 'which: not of this engine, several that are not there'
run gpu-db which -p skl ccs0.RING_BUFFER_TAIL
expect_status 3
expect_out_has '^  no    skl has no ccs$'
run gpu-db --define browse.def which -p skl BROWSE_LATER BROWSE_STEP
expect_status 3
expect_err_line 'gpu-db: 2 of 2 names: no definition of this name on skl'

title 'names that are none, or elsewhere'
refused 3 'gpu-db: BROWSE_LATER: not on skl, but on tgl' gpu-db --define browse.def list -p skl BROWSE_LATER
refused 3 'gpu-db: BROWSE_STEP: not on this revision of skl; to see why: gpu-db -p skl --define browse.def which BROWSE_STEP' \
	gpu-db --define browse.def show -p skl BROWSE_STEP
refused 3 'gpu-db: foo0.FENCE: unknown engine before the dot' gpu-db list -p skl foo0.FENCE
refused 3 'gpu-db: FENCE\[99\]: exists, but not with this engine or index' \
	gpu-db list -p skl 'FENCE[99]'
refused 2 'gpu-db: FENCE\[: expected a number between \[ and \]*' gpu-db list -p skl 'FENCE['
refused 2 'gpu-db: rcs0.: expected a register name*' gpu-db list -p skl rcs0.
refused 2 "gpu-db: '': expected a register name*" gpu-db list ''

title 'stats, with definitions of ours'
run gpu-db stats -p tgl --json
jq '.platforms[0] | [.registers, .definitions, .fields, .enums, .resets, .hazards]' "$out" >before
browses stats -p tgl --json
jq -c --slurpfile before before '.platforms[0] | [[.registers, .definitions, .fields, .enums, .resets,
	.hazards], $before[0]] | transpose | map(.[0] - .[1])' "$out" >stats-diff
same 'what five registers add' "$(cat stats-diff)" '[5,3,1,1,1,1]'
browses stats -p tgl
expect_out_has '^platform +regs +defs +fields +enums +reset +origin +hazard +moving +cmds +structs +insn$'
expect_out_has '^tgl +[0-9]+ +[0-9]+ +'
same 'lines' "$(wc -l <"$out")" 2

title 'export, with definitions of ours'
browses export -p skl --json
expect_json '[.registers[] | select(.name | startswith("BROWSE")) | [.name, .offset, .access]]' \
	'[["BROWSE_PLAIN","0x4f200",["rw"]],["BROWSE_LIST[0]","0x4f210",["ro"]],'\
'["BROWSE_LIST[1]","0x4f218",["ro"]],["BROWSE_LIST[2]","0x4f220",["ro"]]]'
expect_json '.commands[] | select(.name == "BROWSE_COMMAND") | [.mask, .value, .length, [.fields[].name]]' \
	'["0xff800000","0x1d800000","dw0[7:0]+2",["COLOUR","X"]]'
expect_json '.structures[] | select(.name == "BROWSE_STRUCT") | [.size, [.fields[].name]]' \
	'[8,["ADDRESS","VALID"]]'
browses export -p skl --ndjson
expect_json 'select((.name // "") | startswith("BROWSE_S")) | .kind' '"structure"'
browses export -p skl
expect_out_has 'BROWSE_PLAIN'

title 'check: findings as text and as JSON'
run gpu-db check browse.def
expect_status 0
expect_out 'browse.def: 4 registers, 1 command, 1 structure, 1 instruction: sound'
run gpu-db check
expect_status 0
expect_out 'you have no definitions in ~/.config/gpuscope; the built-in ones were checked when gpuscope was built'
printf 'format 1\norigin snb-p3 "1"\nreg HALF @0x4f203 rw\n' >half.def
run gpu-db check half.def
expect_status 1
expect_out_has '^half\.def:3:'
run gpu-db check --json half.def
expect_status 1
expect_json '.findings[] | [.rule, (.where | startswith("half.def:3:"))]' '["alignment",true]'

title 'definitions in the folder of the user'
mkdir -p "$HOME/.config/gpuscope"
cp browse.def "$HOME/.config/gpuscope/"
run gpu-db list BROWSE_PLAIN
expect_status 0
expect_out 'BROWSE_PLAIN  0x4f200  rw        browse        skl, tgl        A register with fields.'
run gpu-db check
expect_status 0
expect_out_has '/browse\.def: 4 registers, 1 command, 1 structure, 1 instruction: sound$'
refused 3 'gpu-db: BROWSE_PLAIN: unknown name*' gpu-db --no-user-config list BROWSE_PLAIN
rm -r "$HOME/.config"

title 'a platform by its ways, a stepping, a revision'
for platform in SKL skylake DevSKL 0x1912 8086:1912 skl:b0; do
	browses -p $platform list BROWSE_PLAIN
	expect_out 'BROWSE_PLAIN  0x04f200  rw        browse        A register with fields.'
done
for revision in 0 0x2; do
	browses -p skl --revision $revision list BROWSE_STEP
	expect_out 'BROWSE_STEP  0x04f234  rw        browse        Of early steppings.'
done
refused 3 'gpu-db: skl:zz: unknown stepping; skl has a0, *' gpu-db show -p skl:zz BROWSE_PLAIN
refused 3 'gpu-db: snb:b2: its steppings are unknown: give --revision' gpu-db stats -p snb:b2
refused 2 'gpu-db: skl:b0: names one stepping, --revision another*' \
	gpu-db list -p skl:b0 --revision 1 FENCE
refused 2 'gpu-db: skl:: expected PLATFORM:STEPPING*' gpu-db list -p skl: FENCE
refused 2 'gpu-db: --revision: expected 0 to 255*' gpu-db stats -p skl --revision 0x100

title 'a source as an operand, and as -s'
for source in demo:snb-hang '-s demo:snb-hang'; do
	# shellcheck disable=SC2086
	run gpu-db list $source rcs0.RING_BUFFER_TAIL
	expect_status 0
	expect_out 'rcs0.RING_BUFFER_TAIL  0x002030  rw        ring          Where software has stopped writing commands.'
	# shellcheck disable=SC2086
	run gpu-db list --platforms $source
	expect_out 'snb      6.00   Sandy Bridge                    DevSNB sandybridge'
	# shellcheck disable=SC2086
	run gpu-db which $source --json GEN6_PTE
	expect_json '[.platform, .source[0], .definitions[0].applies]' '["snb","demo:snb-hang",true]'
	# shellcheck disable=SC2086
	run gpu-db stats $source --json
	expect_json '[.platform, .platforms[].name]' '["snb","snb"]'
	# shellcheck disable=SC2086
	run gpu-db export $source --json
	expect_json .platform '"snb"'
done

title 'operands that are none'
refused 2 'gpu-db: command: expected check, list, show, which, search, stats or export*' gpu-db
refused 2 'gpu-db: frob: expected check, list, show, which, search, stats or export*' gpu-db frob
for subcommand in show which; do
	refused 2 "gpu-db: $subcommand: needs a NAME*" gpu-db $subcommand -p skl
done
for subcommand in stats export; do
	refused 2 'gpu-db: foo: unexpected argument*' gpu-db $subcommand -p skl foo
done
refused 3 'gpu-db: BROWSE_PLAN: unknown name; did you mean *BROWSE_PLAIN*' \
	gpu-db --define browse.def show BROWSE_PLAN
finish
