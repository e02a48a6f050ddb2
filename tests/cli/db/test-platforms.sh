#!/bin/sh
# SPDX-License-Identifier: MIT
# What is special about some platforms: those without display or render engine, those whose
# graphics addresses have 57 bits.
. "$(dirname "$0")/../lib.sh"
needs gpu-db gpu-batch gpu-pte gpu-regdump jq

title 'cnl: between Gen9 and Gen11'
for word in 8086:5a52 CannonLake DevCNL; do
	run gpu-db -p "$word" list --platforms --json
	expect_json '.platforms[0] | [.name, .graphics, .media, .display, .engines[0]]' \
		'["cnl","10.00","10.00","10.00","rcs0"]'
done
run gpu-regdump -p cnl --list
expect_status 0
expect_out_lacks 'GT_INTR_DW0|EXECLIST_SQ_CONTENTS|FORCEWAKE_MEDIA_VDBOX|HDC_MODE|PLANE_CTL_5_'
for register in EXECLIST_SUBMIT_PORT GT_IIR0 PLANE_COLOR_CTL_4_C DPF_AUX_CH_CTL DPCLKA_CFGCR0 \
	DPLL2_CFGCR1 PORT_TX_DW4_LN3_F EU_DISABLE3 SLICE_PGCTL_ACK_5 MEDIA_WAKE_RATE_LIMIT; do
	expect_out_has "$register"
done
run gpu-db -p cnl show --json AUX_ANAOVRD1_D PORT_TX_DW7_GRP_C SS23_EU_PGCTL_ACK_5 HDC_CHICKEN0 \
	DPLL2_CFGCR0 DSSM UNSLICE_UNIT_LEVEL_CLKGATE
expect_json '[.definitions[].registers[].offset] | sort' \
	'["0x1622d0","0x162b5c","0x51004","0x6c100","0x80a0","0x9434","0xe5f0"]'
printf '0x%x : 0x%x\n' 0 0x78810001 4 0 8 0 12 0x61010014 >cnl.txt
for dword in $(seq 1 21); do
	printf '0x%x : 0x%x\n' $((12 + dword * 4)) $((dword == 19 ? 0x1001 : 0))
done >>cnl.txt
run gpu-batch -p cnl cnl.txt
expect_out_has 'STATE_BASE_ADDRESS'
expect_out_has 'BINDLESS_SAMPLER_STATE_BASE_ADDRESS_MODIFY_ENABLE *0x1'
expect_out_lacks 'bad-length'

title 'lakefield: an Elkhart Lake'
for word in 8086:9840 lkf Lakefield; do
	run gpu-db -p "$word" list --platforms --json
	expect_json '.platforms[0].name' '"ehl"'
done

title 'xehpsdv: engines of a big GPU, no display'
for word in 8086:0202 ArcticSound XE_HP_SDV; do
	run gpu-db -p "$word" list --platforms --json
	expect_json '.platforms[0] | [.name, .graphics, .media, .display, (.engines | length)]' \
		'["xehpsdv","12.50","12.50",null,18]'
done
run gpu-regdump -p xehpsdv --list
expect_status 0
expect_out_lacks 'TRANS_CONF|PLANE_|DDI_BUF|PWR_WELL_CTL|DPCLKA|GFX_AUX_TABLE|rcs0.INSTDONE_GEOM|GAM_MCR'
for register in vcs7.RING_BUFFER_TAIL vecs3.RING_BUFFER_TAIL ccs3.RING_BUFFER_TAIL \
	FLAT_CCS_BASE_ADDR TILE_ADDR_RANGE MTCFG_ADDR VCS6_VCS7_INTR_MASK PACKAGE_RAPL_LIMIT; do
	expect_out_has "$register"
done
run gpu-db -p xehpsdv show --json RP_STATE_CAP MLTICTXCTL vcs5.RING_BUFFER_TAIL
expect_json '[.definitions[].registers[] | select(.engine == null or .engine == "vcs5") | [.offset, .wake]] | sort' \
	'[["0x1e4030","vdbox5"],["0x250014",null],["0xb170","gt"]]'
run gpu-db -p xehpsdv list --commands
for name in COMPUTE_WALKER CFE_STATE 3DSTATE_3D_MODE AVP_PIC_STATE XY_BLOCK_COPY_BLT; do
	expect_out_has "^$name "
done
expect_out_lacks '^MEM_COPY|^GPGPU_WALKER'
run gpu-pte -p xehpsdv -m pml4 -l pte 0x80123456803
expect_out_has 'lmem:0x80123456000'

title 'pvc: no display, no render engine'
run gpu-db -p 8086:0bd5 list --platforms --json pvc
expect_status 0
expect_json '.platforms[0] | [.name, .graphics, .display, .engines[0]]' '["pvc","12.60",null,"ccs0"]'
run gpu-regdump -p pvc --list
expect_status 0
expect_out_lacks 'rcs0|TRANS_CONF|PLANE_|DDI_BUF'
for register in bcs8.RING_BUFFER_TAIL ccs3.RING_BUFFER_TAIL vcs2.RING_BUFFER_TAIL \
	GUC_TLB_INV_DESC0 ERR_STAT_GT_FATAL RP_STATE_CAP; do
	expect_out_has "$register"
done
run gpu-db -p pvc show --json ccs0.EUSTALL_BASE
expect_json '[.definitions[].registers[] | .wake]' '["render"]'

title 'pvc: what slices share is with the compute engine, what its SoC reports has names'
run gpu-regdump -p pvc --list @instdone
expect_out_has 'ccs0.ROW_INSTDONE'
expect_out_has 'ccs0.SC_INSTDONE'
run gpu-regdump -p pvc --decode SOC_MASTER_GCOERRSTS=2 SOC_SLAVE_GCOERRSTS=2
expect_out_has 'SLAVE_IEH *0x1'
expect_out_has 'HBM_SS2_CHANNEL0 *0x1'

title 'a platform has the commands of its engines, and of its display'
run gpu-db -p pvc list --commands --json
expect_json '[.commands[] | select(.engine | any(. == "bcs" or . == "ccs" or . == "vcs") | not)]' '[]'
expect_out_lacks MI_DISPLAY_FLIP
run gpu-db -p pvc which 3DSTATE_PS
expect_status 3
expect_out_has 'no *pvc has no rcs'
run gpu-db -p dg2 list --commands
expect_out_has '^3DPRIMITIVE'
expect_out_has '^MI_DISPLAY_FLIP'

title 'pvc: the first engine is meant where none is named'
printf '0x%x : 0x%x\n' 0 0x72000004 4 0 8 0 12 0x1000 16 0 20 0 >walk.txt
run gpu-batch -p pvc walk.txt
expect_status 0
expect_out_has 'ccs0 dwords'
expect_out_has 'CFE_STATE'
expect_out_has 'COMPUTE_DISPATCH_ALL_WALKER_ENABLE *0x1'
printf '0x%x : 0x%x\n' 0 0x78120000 4 0 >draw.txt
run gpu-batch -p pvc draw.txt
expect_out_has 'UNKNOWN'
printf '0x%x : 0x%x\n' 0 0x56820008 4 0xff 8 0 12 0 16 0 20 0x1000 24 0 28 0x2000 32 0 \
	36 0x04000002 >copy.txt
run gpu-batch -p pvc -e bcs1 copy.txt
expect_status 0
expect_out_has 'MEM_COPY'
expect_out_has 'COPY_TYPE *0x1 *matrix'
expect_out_has 'SOURCE_MOCS_INDEX *0x1'

title 'pvc: five levels, 52 bits'
run gpu-pte -p pvc -m pml4 -l pml5e 0x8001234000003
expect_out_has 'lmem:0x8001234000000'
run gpu-pte -p pvc -m pml4 -l pte 0x80001234568b3
expect_out_has 'PAT index: 6'
expect_out_has 'lmem:0x8000123456000'

title 'nvls, nvlp: registers, commands of video and computing, none that nobody has published'
for word in 8086:d741 novalake_s NVL-S; do
	run gpu-db -p "$word" list --platforms --json
	expect_json '.platforms[0] | [.name, .graphics, .media, .display]' '["nvls","30.04","35.00","35.00"]'
done
run gpu-db list --platforms NOVALAKE_P
expect_out_has '^nvlp *35.10'
run gpu-db -p nvlp list bcs8.RING_BUFFER_TAIL FBC_SYS_CACHE_USAGE_CFG HCP_SFC_LOCK_STATUS
expect_status 0
run gpu-db -p nvlp list --commands
expect_out_has '^MI_BATCH_BUFFER_START'
expect_out_has '^COMPUTE_WALKER_2'
expect_out_lacks '^COMPUTE_WALKER |^3DSTATE_PS|^MFX_VP8_ENC'
expect_out_has '^AVP_PIC_STATE'
run gpu-db -p nvls list --commands
expect_out_has '^COMPUTE_WALKER'
expect_out_has '^MFX_AVC_IMG_STATE'
printf '0x%x : 0x%x\n' 0 0x77880098 >rdoq.txt
run gpu-batch -p nvls -e vcs0 rdoq.txt
expect_out_has 'HEVC_VP9_RDOQ_STATE'
run gpu-batch -p ptl -e vcs0 rdoq.txt
expect_out_has 'UNKNOWN'
printf '0x%x : 0x%x\n' 0 0x74040017 >vebox.txt
run gpu-batch -p nvlp -e vecs0 vebox.txt
expect_out_has 'VEBOX_STATE'
run gpu-db -p nvlp show VEBOX_STATE
expect_out_has 'documented  25 on nvls+'
expect_out_lacks 'on none'
run gpu-batch -p nvl x
expect_status 3
expect_err_line '*nvls and nvlp*'

title 'cri: copies and computes, no display, no render engine, no compression'
for word in 8086:674c crescent-island CRI; do
	run gpu-db -p "$word" list --platforms --json
	expect_json '.platforms[0] | [.name, .graphics, .media, .display, .engines[0]]' \
		'["cri","35.11","35.03",null,"ccs0"]'
done
run gpu-regdump -p cri --list
expect_status 0
expect_out_lacks 'rcs0|bcs0|TRANS_CONF|PLANE_|FLAT_CCS_BASE|FORCEWAKE_DISPLAY'
for register in bcs8.RING_BUFFER_TAIL vecs3.RING_BUFFER_TAIL OAMERT_CONTROL \
	ccs0.OAG_OACONTROL SG_TILE_ADDR_RANGE PCODE_SCRATCH7 SG_REMAP_INDEX1; do
	expect_out_has "$register"
done
run gpu-db -p cri show --json IDLEDLY ccs0.RT_CTRL SG_TILE_ADDR_RANGE
expect_json '[.definitions[].registers[] | select(.engine // "bcs7" | test("bcs7|ccs0")) | .wake]' \
	'["render","render","gt,render",null]'
run gpu-batch -p cri -e bcs1 copy.txt
expect_status 0
expect_out_has 'TRANSFER_WIDTH *0xff *256'
expect_out_has 'SOURCE_MOCS_INDEX *0x0'
for dword in $(seq 0 63); do
	case $dword in
	0) value=0x7220003e ;;
	19) value=0x1000 ;;
	20) value=0x7f ;;
	24) value=0x30004 ;;
	27) value=0x10080 ;;
	28) value=0x2000 ;;
	*) value=0 ;;
	esac
	printf '0x%x : %s\n' $((dword * 4)) $value
done >walk.txt
run gpu-batch -p cri walk.txt
expect_status 0
expect_out_has '^0x00000000: .*COMPUTE_WALKER_2'
expect_out_has 'KERNEL_START_POINTER .* 0x7f00001000'
expect_out_has 'SHARED_LOCAL_MEMORY_SIZE *0x3 *4 KB'
expect_out_has 'POST_SYNC_OPERATION *0x1 *Write Immediate Data'
expect_out_lacks 'UNKNOWN|bad-length'
run gpu-pte -p cri -m pml4 -l pml5e 0x8001234000003
expect_out_has 'lmem:0x8001234000000'
run gpu-pte -p cri -m ggtt 0x8001234567003
expect_out_has 'lmem:0x8001234567000'

finish
