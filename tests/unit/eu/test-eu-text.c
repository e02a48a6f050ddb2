/* SPDX-License-Identifier: MIT */
/* Instructions as text, in the syntaxes of Mesa and of IGA. */
#include "eu/program.h"
#include "test.h"

#include <stdio.h>
#include <string.h>

struct row {
	const char *platform;
	uint32_t words[4];
	const char *text;
};

static const struct row lines[] = {
	/* A bit of the message register is an option. */
	{ "i965", { 0x00802040, 0x306077be, 0x008d0080, 0x008d0180 },
	  "add(16) m3<1>F g4<8,8,1>F g12<8,8,1>F { align1 compr4 };" },
	{ "i965", { 0x00601201, 0x27c00021, 0x008d0000, 0x00000000 },
	  "mov(8) g62<1>UD g0<8,8,1>UD { align1 nomask sechalf };" },
	{ "i965", { 0x00818023, 0x34001c00, 0x00601400, 0x00000007 },
	  "(+f0.0) iff(16) Jump: 7 { align1 switch };" },
	{ "i965", { 0x00600128, 0x340f1c00, 0x006e1404, 0x0002fffa },
	  "break(8) Jump: -6 Pop: 2 { align16 };" },
	{ "i965", { 0x00608125, 0x200f1c84, 0x006e0004, 0x00010000 },
	  "endif(8) Pop: 1 { align16 switch };" },
	{ "i965", { 0x00000220, 0x34001c00, 0x00001400, 0xfffffff4 },
	  "jmpi(1) -12D { align1 nomask };" },
	/* The addresses of destinations are counted as in Mesa. */
	{ "i965", { 0x00800040, 0xb8000629, 0x00adb400, 0x00000000 },
	  "add(16) g[a0.3]<1>UW (abs)g[a0.5]<16,8,1>UB g0<0,1,0>UD { align1 };" },
	{ "i965", { 0x00000201, 0x20600109, 0x00000c00, 0x00000000 },
	  "mov(1) g3<1>UW msd0<0,1,0>UW { align1 nomask };" },
	{ "g45", { 0x8060005a, 0x20e077be, 0x000000c0, 0x008d0040 },
	  "pln.sat(8) m7<1>F g6<0,1,0>F g2<8,8,1>F { align1 };" },
	/* Compacted. */
	{ "g45", { 0x60032201, 0x00070900 },
	  "mov(8) g9<1>F g7<8,8,1>F { align1 compacted };" },
	{ "ilk", { 0x00760102, 0x21277fbd, 0x026100eb, 0x40490fdb },
	  "(-f0.1.any4h) sel(8) g9<1>.xyzF g7<4>.wzyxF 0x40490fdbF /* 3.14159F */ { align16 };" },
	{ "ilk", { 0x00600005, 0x20600c21, 0x008d4060, 0xfffffff0 },
	  "and(8) g3<1>UD -g3<8,8,1>UD 0xfffffff0UD { align1 };" },
	{ "ilk", { 0x00600127, 0x340f1c00, 0x006e1404, 0x0000fff0 },
	  "while(8) Jump: -16 { align16 };" },
	{ "snb", { 0x01600038, 0x206073bd, 0x008d0080, 0x008d0000 },
	  "math inv(8) g3<1>F g4<8,8,1>F null<8,8,1>F { align1 1Q };" },
	{ "snb", { 0x04601010, 0x20007fbc, 0x008d0080, 0x00000000 },
	  "cmp.ge.f0.0(8) null<1>F g4<8,8,1>F 0x0F /* 0F */ { align1 2Q };" },
	{ "snb", { 0x00600240, 0x20a04d29, 0x008d0080, 0x76543210 },
	  "add(8) g5<1>UW g4<8,8,1>UW 0x76543210UV { align1 WE_all 1Q };" },
	/* The jump is in the destination or in source 1. */
	{ "snb", { 0x00710022, 0x00060000, 0x02000000, 0x00000000 },
	  "(-f0.1) if(8) JIP: LABEL0 { align1 1Q };" },
	{ "snb", { 0x00600028, 0x00000000, 0x00000000, 0x00060004 },
	  "break(8) JIP: LABEL1 UIP: LABEL0 { align1 1Q };" },
	{ "snb", { 0x00600025, 0x00020000, 0x00000000, 0x00000000 },
	  "endif(8) JIP: LABEL0 { align1 1Q };" },
	{ "snb", { 0x0060015b, 0x091e0121, 0x000041c8, 0x0198040a },
	  "mad(8) m9<1>F -g4<4,4,1>F g5<4,4,1>.xF (abs)g6.3<0,1,0>F { align16 1Q };" },
	{ "snb", { 0xa0038201, 0x00070900 },
	  "mov(8) g9<1>UD g7<8,8,1>UD { align1 1Q compacted };" },
	{ "ivb", { 0x0060011a, 0x0a1e2800, 0x390041c8, 0x0187200a },
	  "bfi2(8) g10<1>UD g4<4,4,1>UD g5<4,4,1>UD g6<4,4,1>UD { align16 1Q };" },
	{ "ivb", { 0x00400001, 0x20a08339, 0x00690080, 0x00000000 },
	  "mov(4) g5<1>DF g4<4,4,1>DF { align1 2N };" },
	{ "ivb", { 0x12816001, 0x20a002ad, 0x06ae2082, 0x00000000 },
	  "(+f1.1) mov.nz.f1.1(16) g5<1>W (abs)g4.2<16,8,2>B { align1 2H atomic AccWrEnable };" },
	{ "ivb", { 0x00600022, 0x00000000, 0x00000000, 0x0004fffe },
	  "if(8) JIP: LABEL1 UIP: LABEL0 { align1 1Q };" },
	{ "ivb", { 0x00600024, 0x00000000, 0x00000000, 0x00000002 },
	  "else(8) JIP: LABEL0 { align1 1Q };" },
	/* Ternary ones have the flag elsewhere; Mesa prints f1.1. */
	{ "ivb", { 0x0061015c, 0x098e0004, 0x3fc041c8, 0x0180040a },
	  "(+f1.0) lrp(8) g9.4<1>.xyzF g4<4,4,1>F g5<4,4,1>.wF g6.0<0,1,0>F { align16 1Q };" },
	/* The manual's entry 10 for subregisters, not Mesa's. */
	{ "ivb", { 0x20290b01, 0x000709e7 },
	  "mov(8) g9<1>F g7.5<8,8,1>F { align1 1Q compacted };" },
	{ "hsw", { 0x0000020a, 0x208073f9, 0x00000000, 0x40180000 },
	  "dim(1) g4<1>DF 0x4018000000000000F /* 6F */ { align1 WE_all 1N };" },
	{ "hsw", { 0x00600014, 0x2040013d, 0x00ae0080, 0x00000000 },
	  "f16to32(8) g2<1>F g4<16,8,2>UW { align1 1Q };" },
	{ "hsw", { 0x2001cd40, 0xf40709ff },
	  "add(8) g9<1>D g7<8,8,1>D -12D { align1 WE_all 1Q compacted };" },
	{ "hsw", { 0x07600031, 0x20000d28, 0x008d0e00, 0x82000010 },
	  "send(8) null<1>UW g112<8,8,1>UW 0x82000010 thread_spawner MsgDesc: { align1 1Q EOT };" },
	/* Gen8: addresses of ten bits, immediates of eight bytes, bits of both access modes. */
	{ "bdw", { 0x00604657, 0x2b784a68, 0x0a0c0cd0, 0x002648d8 },
	  "dp2(8) g91.12<1>W g102.2<0,8,0>Q -g70.6<1,2,2>D { align1 NoDDClr,NoDDChk 1Q "
	  "atomic };" },
	{ "bdw", { 0x0a290031, 0xad55808c, 0x06204628, 0x833927c4 },
	  "(+f0.0.all8h) send(2) g[a0.6 853]<1>UB -f1.2<1,1,0>UD 0x833927c4 data MsgDesc: { "
	  "align1 WE_all 1N EOT };" },
	{ "bdw", { 0x1037182c, 0x52005102, 0x36c30e00, 0xaf1f4899 },
	  "(-f1.0.all4h) call(2) n0<2>UQ JIP: LABEL0 { align1 4N BranchCtrl };" },
	{ "bdw", { 0x00a60044, 0x662246a5, 0x00000000, 0x3ff00000 },
	  "(+f0.1.any4h) rndu(32) f1.2<4>B 0x3ff0000000000000UQ { align1 WE_all };" },
	{ "bdw", { 0x00770128, 0x00000002, 0xffffffc0, 0x000000e0 },
	  "(-f1.0.all4h) break(8) JIP: LABEL1 UIP: LABEL0 { align16 1Q };" },
	{ "bdw", { 0x1240015d, 0x3eb417c6, 0x3fca062d, 0x36a3dd87 },
	  "madm.nz.f1.0(4) g62.5<1>.ywF -g160.3<0,1,0>UD -(abs)g195.4<4,4,1>.wUD "
	  "-(abs)g218.4<0,1,0>UD { align16 WE_all 1N AccWrEnable };" },
	{ "bdw", { 0xb0bd5c4e, 0x7ddf80ea },
	  "addc.sat(16) cr0.0<1>UD g223.1<0,8,4>UD 0xfffffd7dUD { align1 1H compacted "
	  "AccWrEnable };" },
	{ "bdw", { 0x20004c5b, 0x37ecd0d8 },
	  "mad(8) g4<1>F g26.6<4,4,1>F g123.6<4,4,1>F -g27<4,4,1>F { align16 WE_all 1Q "
	  "compacted };" },
	{ "bdw", { 0x00600220, 0x12002103, 0x02ce421e, 0x00c14460 },
	  "jmpi(8) -g35<32,1,1>UD { align1 NoDDClr 1Q };" },
	{ "chv", { 0x1357014a, 0x26760aeb, 0x00012e0d, 0x00000000 },
	  "(-f1.1.all4h) lzd.g.f1.1(4) g51.4<1>.yzF (abs)g112<0>.ywyxD { align16 1N "
	  "AccWrEnable };" },
	{ "chv", { 0x00030105, 0x228512c8, 0x0a6405c9, 0x006b4aa4 },
	  "(+f0.0.y) and(1) g20<1>.xzDF g46<4>.yzxyUW ~g85<4>.xywzD { align16 1N };" },
	{ "chv", { 0xa005c312, 0x4d5ba9aa },
	  "csel.sat(16) g92<1>F g117.2<4,4,1>F g86.5<4,4,1>F g38.1<0,1,0>F { align16 2H "
	  "compacted };" },
	{ "bdw", { 0x0000007d, 0x00000000, 0x00000000, 0x00000000 },
	  "illegal" },
	{ "chv", { 0x06000231, 0x600e2a40, 0x004e04f7, 0x00000204 },
	  "send(1) null.7<4>UW g39.23<2,8,2>B a0.1<0,1,0>UD 0x00000204 urb MsgDesc: { align1 "
	  "NoDDClr 1N };" },
	{ "chv", { 0x10611801, 0x29004e8c, 0xb61c73a5, 0xce78ae5e },
	  "(+f0.0) mov(8) g72<1>UB 0xce78ae5eb61c73a5Q { align1 WE_all 4N AccWrEnable };" },
	/* A half float among floats, which Mesa prints as a float. */
	{ "chv", { 0x0060015b, 0x4f3a8072, 0x84ab7ccb, 0x5fc01c96 },
	  "mad(8) g79.1<1>.xzwUD -(abs)g183.6<0,1,0>F g75.4<0,1,0>HF g127.0<0,1,0>F { "
	  "align16 1Q };" },
	{ "chv", { 0x0060015b, 0x4f3a8562, 0x84ab7ccb, 0x5fc01c96 },
	  "mad(8) g79.1<1>.xzwUD -(abs)g183.6<0,1,0>F -g75.2<0,1,0>F -g127.0<0,1,0>F { "
	  "align16 1Q };" },
	/* Gen9: two payloads. Mesa does not scale subregisters of ternary ones. */
	{ "skl", { 0x0040204e, 0x9b4452ad, 0x33ea86bb, 0x00cc0820 },
	  "addc(4) g[a0.13 324]<0>B g[a0.3 187]<VxH,4,2>HF g65<32,8,0>DF { align1 WE_all 5N };" },
	{ "skl", { 0x83a03433, 0x00100003, 0x2c275529, 0xd4d0000f },
	  "sends(32) null.4UD g169UD nullUD 0x54d0000f 0x2c270240 gateway MsgDesc: { align1 "
	  "NoDDChk EOT };" },
	{ "skl", { 0x0a203034, 0x1c01201f, 0xaf5d6587, 0x483e9543 },
	  "sendsc(2) g224UD g44UD g18UD a0<0>UD 0xaf5d01c0 data MsgDesc: { align1 WE_all 7N };" },
	{ "skl", { 0x06806033, 0x3157001d, 0xb20b8d47, 0x6e209fd6 },
	  "sends(16) g138.4UD g[a0.6 320]UD g112UD 0x6e209fd6 a0.3<0>UD urb MsgDesc: { "
	  "align1 WE_all 2H atomic };" },
	{ "skl", { 0x00401105, 0x28f7030d, 0x066d0b15, 0x000000e4 },
	  "and(4) g71.2<1>.xyzUQ g88.4<4>.yyywUD 0x000000e4UD { align16 WE_all 3N };" },
	{ "skl", { 0x3007245b, 0xdbcfdb91 },
	  "mad(8) g114<1>F -g123.4<0,1,0>F g115.4<0,1,0>F g109.3<4,4,1>F { align16 WE_all 1Q "
	  "compacted };" },
	{ "skl", { 0xa4170b4d, 0xc623407b },
	  "cbit.ge.f0.0(8) mask0<1>D g35.1<4,1,2>D { align1 1Q compacted };" },
	/* Gen11: ternary ones in align1, whose destination is in the wrong file in Mesa. */
	{ "icl", { 0x0080005b, 0x0640400a, 0x40205601, 0x00c0840a },
	  "mad(16) g6.2<1>F g5.3<0,1,0>F g5.1<0,1,0>F g3<1,1,1>F { align1 1H };" },
	{ "icl", { 0x00637e5d, 0x9a404c2a, 0xa12566e0, 0x25300414 },
	  "(+f1.0.allv) madm(8) g154.2<1>F 0xacdcHF g10.2<2,2,0>F -g148.6<0,1,0>F { align1 "
	  "NoDDClr,NoDDChk 8N atomic };" },
	{ "cnl", { 0x0080005b, 0x06404008, 0x40205601, 0x00c0840a },
	  "mad(16) g6.2<1>F g5.3<0,1,0>F g5.1<0,1,0>F g3<1,1,1>F { align1 1H };" },
	/* A target in a register, or an address, has no label. */
	{ "icl", { 0x00200021, 0x00000280, 0x000000a0, 0x00000000 },
	  "brd(2) g5<0,1,0>UD { align1 1N };" },
	{ "icl", { 0x0060002d, 0x00000280, 0x008d00a0, 0x00000000 },
	  "ret(8) g5<8,8,1>UD { align1 1Q };" },
	{ "icl", { 0x0020002b, 0x20a00008, 0x0e000000, 0x00012340 },
	  "calla(2) g5<1>UD 74560D { align1 1N };" },
	{ "icl", { 0x0060002e, 0x00000e00, 0x00000040, 0x00000020 },
	  "goto(8) JIP: LABEL1 UIP: LABEL0 { align1 1Q };" },
	{ "icl", { 0x0060000f, 0x20a00208, 0x0e8d0080, 0x00000044 },
	  "rol(8) g5<1>UD g4<8,8,1>UD 68D { align1 1Q };" },
	{ "icl", { 0x0060000a, 0x20a00208, 0x0e8d0080, 0x00000044 },
	  "smov(8) g5<1>UD g4<8,8,1>UD 68D { align1 1Q };" },
	{ "tgl", { 0x80000261, 0x15054bb0, 0x3ff80000, 0x12345678 },
	  "mov(1) g21<1>DF 0x3ff8000012345678DF /* 1.5DF */ { align1 WE_all 1N @2 };" },
	{ "tgl", { 0x1893b540, 0x1f362550, 0x55440c56, 0x01000d04 },
	  "(-f1.0.any8h) add.l.f1.0(8) g31.3<2>W -g12.5<8,4,2>W (abs)g13<0,1,0>W { align1 2Q @3 "
	  "$5.dst };" },
	{ "tgl", { 0x00030061, 0x16050220, 0x00f130a0, 0x00000000 },
	  "mov(8) g22<1>UD g[a0.3 40]<VxH,1,0>UD { align1 1Q };" },
	/* The number of the destination's element, as IGA has it; Mesa prints none. */
	{ "tgl", { 0x0000375b, 0x174402a0, 0x028a0424, 0x06640504 },
	  "mad(1) g23.2<1>F g4.1<0,1,0>F -g5<1,1,0>F g6.3<0,1,0>F { align1 1N $7.src };" },
	{ "tgl", { 0x00030058, 0x18044560, 0x0e0e0007, 0x06050505 },
	  "dp4a(8) g24<1>D 7W g5<8,8,1>D g6<1,1,1>D { align1 1Q };" },
	{ "tgl", { 0x0003c938, 0x19050aa0, 0x40460705, 0x00000000 },
	  "math sqrt(8) g25<1>F g7<8,8,1>F null<0,1,0>UB { align1 1Q @4 $9 };" },
	{ "tgl", { 0x00000001, 0x00014200, 0x30000000, 0x00000015 },
	  "sync allwr(1) 0x00000015UD { align1 1N };" },
	{ "tgl", { 0x200a0340, 0x0e000c00 },
	  "add(16) g10<1>F g12<8,8,1>F g14<8,8,1>F { align1 1H @3 compacted };" },
	{ "tgl", { 0x610a2340, 0xff700c02 },
	  "add(8) g10<1>D g12<8,8,1>D -9W { align1 1Q $3.dst compacted };" },
	/* A distance is where others have a condition. */
	{ "tgl", { 0x80000020, 0x00004000, 0x00000000, 0x00000030 },
	  "jmpi(1) JIP: LABEL0 { align1 WE_all 1N };" },
	{ "lnl", { 0x94000020, 0x00004000, 0x00000000, 0xfffffee0 },
	  "(-f0.0) jmpi(1) JIP: LABEL0 { align1 WE_all 1N };" },
	{ "ptl", { 0x80000020, 0x00000000, 0x00000504, 0x00000000 },
	  "jmpi(1) g5<0,1,0>UB { align1 WE_all 1N };" },
	/* Xe3 has no brd and brc. */
	{ "lnl", { 0x00030021, 0x00000000, 0x00000000, 0x00000000 },
	  "brd(1) null<0,1,0>UB { align1 1N $0.dst };" },
	{ "ptl", { 0x00030021, 0x00000000, 0x00000000, 0x00000000 }, "illegal" },
	{ "cri", { 0x00030023, 0x00000000, 0x00000000, 0x00000000 }, "illegal" },
	{ "cri", { 0x0003006a, 0x00000000, 0x00000000, 0x00000000 }, "illegal" },
	{ "tgl", { 0x00040028, 0x00000000, 0xffffffe0, 0xffffff80 },
	  "break(16) JIP: LABEL1 UIP: LABEL0 { align1 1H };" },
	/* The function is where others have signs and a condition. */
	{ "dg2", { 0x0004196b, 0x1a040228, 0xc2aa0804, 0x0a050904 },
	  "bfn.0xca(16) g26<1>UD g8<1,1,0>UD g9<1,1,0>UD g10<1,1,1>UD { align1 1H I@1 };" },
	/* Its condition, of which it knows three, is elsewhere as well. */
	{ "dg2", { 0x0004006b, 0x02042228, 0xd28a0504, 0x09050704 },
	  "bfn.0xd8.g.f0.0(16) g2<1>UD g5<1,1,0>UD g7<1,1,0>UD g9<1,1,1>UD { align1 1H };" },
	{ "dg2", { 0x00035252, 0x1b248668, 0x060d0804, 0x12340904 },
	  "add3(8) g27.1<1>D g8<1,1,0>D g9<1,1,0>D 4660W { align1 1Q L@2 };" },
	{ "dg2", { 0x00034259, 0x1e071aa1, 0x05052804, 0x3c043204 },
	  "dpas.8x4(8) g30<1>F g40<1,1,0>F g50<1,1,0>BF g60<1,1,0>BF { align1 1Q $2 atomic };" },
	{ "dg2", { 0x00031959, 0x1e070e60, 0x04602804, 0x3c243204 },
	  "dpas.8x2(8) g30<1>D g40<1,1,0>D g50<1,1,0>S4 g60.16<1,1,0>U2 { align1 1Q I@1 };" },
	/* Mesa prints no stride but <1>. */
	{ "dg2", { 0x0003175b, 0x1e150990, 0x01092805, 0x3c063204 },
	  "mad(8) g30.1<2>HF g40<4,4,1>HF g50<1,1,0>HF g60<2,1,2>HF { align1 1Q F@7 };" },
	{ "dg2", { 0x00241561, 0x1c050ad0, 0x00101d04, 0x00000000 },
	  "mov(16) g28<1>BF g29<1,1,0>F { align1 2H F@5 };" },
	{ "dg2", { 0x0003b440, 0x0a050bb0, 0x0b100c04, 0x00100e04 },
	  "add(8) g10<1>DF g12<1,1,0>DF g14<1,1,0>DF { align1 1Q @3 $4.dst };" },
	{ "dg2", { 0x6f15115b, 0x1718168b },
	  "mad.sat(8) g21<1>F g22.0<0,1,0>F -g23.7<1,1,0>F g24.0<0,1,0>F { align1 1Q F@1 "
	  "compacted };" },
	/* Without a pipe for 64 bits a double is slow, and sets the token. */
	{ "mtl", { 0x0003b440, 0x0a050bb0, 0x0b100c04, 0x00100e04 },
	  "add(8) g10<1>DF g12<1,1,0>DF g14<1,1,0>DF { align1 1Q @3 $4 };" },
	{ "pvc", { 0x0013de61, 0x5041000a, 0x00712080, 0x00000000 },
	  "mov(16) g[a0.5 33]<1>UB g[a0.2 64]<VxH,1,0>UB { align1 1H A@6 $30.dst };" },
	{ "pvc", { 0x00112259, 0x1e073aa0, 0x06062804, 0x3c043204 },
	  "dpas.8x8(16) g30<1>F g40<1,1,0>F g50<1,1,0>TF32 g60<1,1,0>TF32 { align1 1H @1 $2 };" },
	{ "pvc", { 0x0010115b, 0x0a4402a8, 0x020a0c04, 0x10050e04 },
	  "mad(16) g10.4<1>F g12<1,1,0>F g14<1,1,0>F g16<1,1,1>F { align1 1H F@1 };" },
	{ "pvc", { 0x00100054, 0x0a050980, 0x09100c04, 0x00100d04 },
	  "srnd(16) g10<1>BF8 g12<1,1,0>HF g13<1,1,0>HF { align1 1H };" },
	{ "pvc", { 0x650ca561, 0x00060809 },
	  "mov(1) g9.2<1>D g8<2,1,0>D { align1 1N $5.src compacted };" },
	{ "lnl", { 0x00124331, 0x0c140000, 0xfb000d14, 0x00141124 },
	  "send(16) g12UD g13UD g17UD 0x04205580 0x00000100 ugm MsgDesc: { align1 1H F@2 $3 };" },
	{ "lnl", { 0x00114331, 0x0c160280, 0xfb000d14, 0x00141124 },
	  "send(16) g12UD g13UD g17UD 0x04205580 a0.2<0>UD ugm MsgDesc: src1_len = 4 ex_bso { "
	  "align1 1H A@2 $3 };" },
	{ "lnl", { 0x6368125b, 0x17181615 },
	  "mad.sat(16) g21<1>F a6<1,1,0>F g23<1,1,0>F -g24.6<1,1,1>F { align1 1H F@2 compacted "
	  "};" },
	{ "lnl", { 0x22e4c359, 0x30382820 },
	  "dpas.8x2(16) g32<1>BF g40<1,1,0>BF g48<1,1,0>BF g56<1,1,0>BF { align1 1H $3 compacted "
	  "atomic };" },
	{ "lnl", { 0x69e82940, 0xfd760809 },
	  "(+f1.0) add(16) g9<1>D -g8.2<1,1,0>D -41W { align1 1H M@1 compacted };" },
	/* The scalar register has the numbers of the registers. */
	{ "ptl", { 0x00124331, 0x0c140000, 0xfb006010, 0x00140018 },
	  "send(16) g12UD r[s0.6] nullUD 0x04205580 0x00000000 ugm MsgDesc: { align1 1H F@2 $3 "
	  "};" },
	{ "ptl", { 0x00103361, 0x0a050aa0, 0x00100c04, 0x00000000 },
	  "mov(16) g10<1>F g12<1,1,0>F { align1 1H S@3 };" },
	/* Xe3P, which Mesa does not know: as before, and where messages are longer, in the same way. */
	{ "cri", { 0x80012033, 0x01001006, 0xf0283f0c, 0x16800000 },
	  "sendg(1) g1UD g63UD nullUD 0x000000281680 s0.2<0>UQ ugm MsgDesc: src0_len = 1 "
	  "src1_len = 0 { align1 WE_all 1N A@1 $0 };" },
	{ "cri", { 0x00100033, 0x020010ce, 0xf0000314, 0x16800514 },
	  "sendg(16) g2UD g3UD g5UD 0x000000001680 s0.2<0>UQ s0.3<0>UQ ugm MsgDesc: src0_len = 2 "
	  "src1_len = 2 { align1 1H };" },
	{ "nvlp", { 0x8000c331, 0x00000000, 0xe000000c, 0x00000000 },
	  "send(1) nullUD g0UD nullUD 0x02000000 0x00000000 slm MsgDesc: { align1 WE_all 1N $3 };" },
	{ "nvlp", { 0x00104040, 0x3f050220, 0x02100a04, 0x04000b07 },
	  "add(16) g319<1>UD g266<1,1,0>UD g267<1,1,0>UD { align1 1H $0.inc };" },
	{ "cri", { 0x0010005c, 0x0207eaae, 0x10000505, 0x09040704 },
	  "bdpas.8x8(16) g2<1>F g5<1,1,0>F g7<1,1,0>BF8 g9<1,1,0>BF8 g11<1,1,0>UB g13<1,1,0>UB { "
	  "align1 1H fwd };" },
	{ "cri", { 0x00100055, 0x02040228, 0x52920504, 0x09050704 },
	  "dnscl.ftoe2m1.mode1.rne(16) g2<1>UD g5<1,1,0>UD g7<1,1,0>UD g9<1,1,1>UD { align1 1H };" },
	{ "cri", { 0x00100039, 0x02050220, 0x12100104, 0x00000304 },
	  "lfsr.b16v2(16) g2<1>UD g1<1,1,0>UD g3<1,1,0>UD { align1 1H };" },
	{ "cri", { 0x00100050, 0x02050220, 0x62100104, 0x00000304 },
	  "shfl.idx4(16) g2<1>UD g1<1,1,0>UD g3<1,1,0>UD { align1 1H };" },
};

/* Runs of blanks as one. */
static void squeeze(char *text)
{
	char *to = text;

	for (const char *from = text; *from; from++)
		if (*from != ' ' || to == text || to[-1] != ' ')
			*to++ = *from;
	*to = '\0';
}

static void check_syntax(const struct gsc_view *view, const struct row *row, bool iga)
{
	struct eu_labels labels = { .by_place = iga };
	struct eu_instruction in;
	struct gsc_error err;
	struct eu_isa *isa;
	char line[256];
	struct text text = text_of(line);

	CU_ASSERT_EQUAL_FATAL(eu_isa_open(view, &isa, &err), GSC_OK);
	CU_ASSERT_TRUE(labels_find(&labels, isa, row->words, sizeof(row->words)));
	CU_ASSERT_TRUE_FATAL(eu_decode(isa, row->words, sizeof(row->words), 0, &in));
	(iga ? eu_print_iga : eu_print)(&in, &labels, &text);
	squeeze(line);
	if (strcmp(line, row->text))
		fprintf(stderr, "\n%s: %s\n", row->platform, line);
	CU_ASSERT_STRING_EQUAL(line, row->text);
	labels_free(&labels);
	eu_isa_free(isa);
}

static void check_text(const struct gsc_view *view, const struct row *row)
{
	check_syntax(view, row, false);
}

static void check_iga(const struct gsc_view *view, const struct row *row)
{
	check_syntax(view, row, true);
}

/* Calls `check` with each row and the view of its platform. */
static void each(const struct row *rows, size_t count,
		 void (*check)(const struct gsc_view *view, const struct row *row))
{
	struct gsc_platform platform;
	struct gsc_error err;
	struct gsc_view *view;
	struct gsc_db *db;
	int device;

	CU_ASSERT_EQUAL_FATAL(gsc_db_new(&db, &err), GSC_OK);
	for (const struct row *row = rows; row < rows + count; row++) {
		CU_ASSERT_EQUAL_FATAL(gsc_platform_find(db, row->platform, &platform, &device,
							&err), GSC_OK);
		CU_ASSERT_EQUAL_FATAL(gsc_view_new(&view, db, platform.index, -1, &err), GSC_OK);
		check(view, row);
		gsc_view_free(view);
	}
	gsc_db_free(db);
}

static void texts(void)
{
	each(lines, ARRAY_SIZE(lines), check_text);
}

/* As IGA takes it. */
static const struct row iga_lines[] = {
	{ "hsw", { 0x15761a40, 0x41862ead, 0x04ae60e8, 0x12341234 },
	  "(W&~f1.0.any4h) add (8|M8) (lt)f1.0 r12.3<2>:w -(abs)r7.8<16;8,2>:b 0x1234:uw "
	  "{AccWrEn,NoDDChk}" },
	{ "hsw", { 0x0b600038, 0x21400421, 0x008d0120, 0x00000168 },
	  " math.idiv (8|M0) r10.0<1>:ud r9.0<8;8,1>:ud r11.2<0;1,0>:ud" },
	{ "hsw", { 0x02800031, 0x22800c29, 0x000000a0, 0x02840001 },
	  " send (16|M0) r20:uw r5 0x2 0x02840001" },
	{ "hsw", { 0x00000030, 0x32040084, 0x00001204, 0x00000000 },
	  " wait n0.1<0;1,0>:d" },
	{ "hsw", { 0x8060015b, 0x041e0180, 0x390053c9, 0x01c7200c },
	  " mad (8|M0) (sat)r4.0<1>:f r5.1<0;0>:f -r6.0<2;1>:f (abs)r7.0<1>:f" },
	{ "bdw", { 0x00600003, 0x21c01a68, 0x808d87fa, 0x00000000 },
	  " movi (8|M0) r14.0<1>:w r[a0.3,-6]<8;8,1>:w" },
	{ "bdw", { 0x0280a005, 0x20000201, 0x028d4040, 0x028d87f0 },
	  " and (16|M16) (ne)f0.1 null<1>:ud ~r2.0<8;8,1>:ud r[a0.3,-16]<8;8,1>:ud {Switch}" },
	{ "bdw", { 0x00400801, 0x206012e8, 0x01e08410, 0x00000000 },
	  " mov (4|M4) r3.0<1>:f r[a0.2,16]<1,0>:uw" },
	{ "bdw", { 0x0e604138, 0x01023aeb, 0x3a600048, 0x00600081 },
	  " math.invm (8|M0) (eo)f1.1 r8.mme2:f r2.nomme:f r4.mme1:f {Atomic}" },
	{ "bdw", { 0x0040015d, 0x08000000, 0x00c02010, 0x01802008 },
	  " madm (4|M0) r8.mme0:f r2.nomme:f r4.mme3:f r6.mme4:f" },
	{ "bdw", { 0x00600101, 0x04430200, 0x006e0124, 0x00000000 },
	  " mov (8|M0) mme3.0<1>:ud r9.0<1;1,0>:ud" },
	{ "skl", { 0x0060015b, 0x061e2000, 0xb920b1c8, 0x01c72008 },
	  " mad (8|M0) r6.0<1>:f r11.0<2;1>:hf r4.2<0;0>:f r7.0<1>:f" },
	{ "skl", { 0x1c800033, 0x01206018, 0x00000042, 0x0420a201 },
	  " sends (16|M0) r9:ud r2 r6 0x8C 0x0420A201 {NoSrcDepSet}" },
	{ "skl", { 0x00600034, 0x20077010, 0x00022f20, 0x80000000 },
	  " sendsc (8|M0) null:ud r121 r119 a0.2 a0.0 {EOT}" },
	{ "skl", { 0x02600031, 0x20001ae0, 0x068d02c0, 0x0442000c },
	  " send (8|M0) null:f r22:w 0x4D00002 0x0442000C" },
	{ "skl", { 0x00600041, 0x20403ae8, 0x3e8d0060, 0x40440000 },
	  " mul (8|M0) r2.0<1>:f r3.0<8;8,1>:f 3.0625:f" },
	{ "skl", { 0x00600041, 0x20403ae8, 0x3e8d0060, 0x3dcccccd },
	  " mul (8|M0) r2.0<1>:f r3.0<8;8,1>:f 0.1:f" },
	{ "skl", { 0x00600041, 0x20403ae8, 0x3e8d0060, 0x40490fdb },
	  " mul (8|M0) r2.0<1>:f r3.0<8;8,1>:f 0x40490FDB:f" },
	{ "skl", { 0x00600041, 0x20403ae8, 0x3e8d0060, 0xffc00001 },
	  " mul (8|M0) r2.0<1>:f r3.0<8;8,1>:f -qnan(0x1):f" },
	{ "skl", { 0x00600041, 0x20405348, 0x5e8d0060, 0xb800b800 },
	  " mul (8|M0) r2.0<1>:hf r3.0<8;8,1>:hf -0.5:hf" },
	{ "skl", { 0x00400001, 0x204056c8, 0xc2f8f359, 0x01a56e1f },
	  " mov (4|M0) r2.0<1>:df 1e-300:df" },
	{ "skl", { 0x00600001, 0x20404f28, 0xfffffffb, 0xffffffff },
	  " mov (8|M0) r2.0<1>:q -5:q" },
	{ "icl", { 0x0060005d, 0x0e604008, 0x66203831, 0x01448408 },
	  " madm (8|M0) r14.mme6:f r3.nomme:f r4.mme3:f r5.mme1:f" },
	{ "icl", { 0x00600003, 0x21c01a68, 0x808d87fb, 0x00000000 },
	  " movi (8|M0) r14.0<1>:w r[a0.3,-5]<8;8,1>:w null<0;1,0>:ud" },
	{ "icl", { 0x0060005b, 0x1502c008, 0x00611039, 0x00d8040a },
	  " mad (8|M0) r21.0<2>:nf r17.0<8;1>:f r5.0<0;0>:nf r3.3<0>:f" },
	{ "icl", { 0x00600018, 0x15004800, 0x0727ffdb, 0x00d80422 },
	  " bfe (8|M0) r21.0<1>:d -5:w r17.0<8;1>:d r3.3<0>:d" },
	{ "icl", { 0x06800012, 0x15004029, 0x00205601, 0x0158840a },
	  " csel (16|M0) (le)f0.1 r21.0<1>:f (abs)r5.3<0;0>:f r5.0<0;0>:f r5.3<1>:f" },
	{ "icl", { 0x8a600038, 0x21604b28, 0x4e8d0140, 0x42fc6666 },
	  " math.pow (8|M0) (sat)r11.0<1>:f r10.0<8;8,1>:f 126.2:f" },
	{ "icl", { 0x00600219, 0x21800208, 0x028d0160, 0x008d0140 },
	  " bfi1 (8|M0) r12.0<1>:ud r11.0<8;8,1>:ud r10.0<8;8,1>:ud {NoDDClr}" },
	{ "tgl", { 0x80000001, 0x00014200, 0x20000000, 0x0000000a },
	  "(W) sync.allrd ($1,$3)" },
	{ "tgl", { 0x80003201, 0x00010000, 0xe0000000, 0x00000000 },
	  "(W) sync.bar null {$2.src}" },
	{ "tgl", { 0x00049031, 0x0c440002, 0x20021524, 0x01001e9c },
	  " send.smpl (16|M0) r12 r21 r30 0x4C0 0x08840001 {Serialize,@1,$0}" },
	{ "tgl", { 0x00039258, 0x0a040e6c, 0x0e0a0505, 0x07050605 },
	  " dp4a (8|M0) (sat)r10.0<1>:d r5.0<8;1>:d r6.0<8;1>:d r7.0<1>:ud {@1,$2.dst}" },
	{ "tgl", { 0x40000061, 0x03050220, 0x00002940, 0x00000000 },
	  " mov (1|M0) r3.0<1>:ud mme1.2<0;1,0>:ud {Breakpoint}" },
	{ "tgl", { 0x0003002d, 0x00000000, 0x00000944, 0x00000000 },
	  " ret (8|M0) r9.2" },
	{ "dg2", { 0x00030059, 0x21042aa0, 0x01010000, 0x23042204 },
	  " dpas.1x6 (8|M0) r33:f null:f r34:hf r35.0:hf" },
	{ "dg2", { 0x00049031, 0x0c040004, 0xfa0a1516, 0x01001e24 },
	  " send.ugm (16|M0) r12 r21 r30:4 0x2000000 0x04040505 {EOT,A@1,$0}" },
	{ "dg2", { 0x00034731, 0x0c070288, 0xc0001504, 0x00001e14 },
	  " send.dc1 (8|M0) r12 r21 r30:2 a0.2 a0.0 {ExBSO,CPS,$7}" },
	{ "dg2", { 0x00041a6b, 0x04048228, 0xc2a10504, 0x00ff0604 },
	  " bfn.0xCA (16|M0) r4.0<1>:ud r5.0<1;0>:ud r6.0<0;0>:ud 0xFF:uw {I@2}" },
	{ "dg2", { 0x00241352, 0x37044160, 0x0e1e0008, 0x41053505 },
	  " add3 (16|M16) r55.0<1>:d 0x8:uw r53.0<8;1>:d (abs)r65.0<1>:d {F@3}" },
	{ "dg2", { 0x00039559, 0x0a071aa0, 0x05050000, 0x1e041404 },
	  " dpas.8x4 (8|M0) r10:f null:f r20:bf r30.0:bf {@1,$5}" },
	{ "dg2", { 0x00034659, 0x0a073e60, 0x00640b04, 0x1e041404 },
	  " dpas.8x8 (8|M0) r10:d r11:d r20:u4 r30.0:s2 {$6}" },
	{ "dg2", { 0x00045261, 0x04050bb0, 0x00340805, 0x00000000 },
	  " mov (16|M0) r4.0<1>:df r8.0<4;4,1>:df {L@2}" },
	{ "pvc", { 0x0010f061, 0x03050aa0, 0x00100404, 0x00000000 },
	  " mov (16|M0) r3.0<1>:f r4.0<1;1,0>:f {NoAccSBSet}" },
	{ "pvc", { 0x00153f31, 0x0c040000, 0xea0a1514, 0x01000000 },
	  " send.slm (32|M0) r12 r21 null:0 0x0 0x04040505 {A@1,$31}" },
	{ "pvc", { 0x00132461, 0x04462942, 0x003208fd, 0x00000000 },
	  " mov (16|M0) r4.17<2>:b -r8.31<4;2,1>:hf {A@1,$4.dst}" },
	{ "pvc", { 0x08f42962, 0x04050330, 0x03100804, 0x00000924 },
	  "(f3.1.any) sel (32|M0) r4.0<1>:uq r8.0<1;1,0>:uq r9.1<0;1,0>:uq {M@1}" },
	{ "pvc", { 0x0011e938, 0x08150aa0, 0xf0100244, 0x00000000 },
	  " math.rsqtm (16|M0) (eo)f0.0 r8.mme2:f r2.nomme<1;1,0>:f {@7,$9.dst}" },
	{ "lnl", { 0x00100938, 0x18050bb0, 0xeb102244, 0x00101e44 },
	  " math.invm (16|M0) (eo)f0.0 r24.mme0:df r34.nomme<1;1,0>:df r30.nomme<1;1,0>:df {A@1}" },
	{ "pvc", { 0x80000001, 0x00010200, 0xe0003100, 0x00000000 },
	  "(W) sync.bar f1.0:ud" },
	{ "lnl", { 0x0010006b, 0x02041228, 0xd2820504, 0x09050704 },
	  " bfn.0xD8 (16|M0) (eq)f0.0 r2.0<1>:ud r5.0<1;0>:ud r7.0<0;0>:ud r9.0<1>:ud" },
	{ "ptl", { 0x0010006b, 0x02043228, 0xd2820504, 0x09050704 },
	  " bfn.0xD8 (16|M0) (lt)f0.0 r2.0<1>:ud r5.0<1;0>:ud r7.0<0;0>:ud r9.0<1>:ud" },
	{ "pvc", { 0x00100061, 0x29010aa0, 0x00100304, 0x00000000 },
	  " mov (16|M0) acc9.0<1>:f r3.0<1;1,0>:f" },
	{ "pvc", { 0x00080061, 0x030501a0, 0x00f12fdc, 0x00000000 },
	  " mov (4|M0) r3.0<1>:f r[a0.2,-17]<1,0>:uw" },
	{ "pvc", { 0x00100054, 0x03050a90, 0x0a100404, 0x00100504 },
	  " srnd (16|M0) r3.0<1>:hf r4.0<1;1,0>:f r5.0<1;1,0>:f" },
	{ "lnl", { 0x00100054, 0x03050a90, 0x0a100404, 0x00100504 },
	  " srnd (16|M0) r3.0<1>:hf r4.0<1;1,0>:f r5.0<1;1,0>:f" },
	{ "lnl", { 0x0014df31, 0x0c060200, 0xfa0a1515, 0x01001e24 },
	  " send.ugm (32|M0) r12 r21 r30:4 0x1000000:a0.2 0x04040505 {$31}" },
	{ "ptl", { 0x0014df31, 0x0c060200, 0xfa0a6010, 0x01000020 },
	  " send.ugm (32|M0) r12 r[s0.8] a0.2 0x04040505 {$31}" },
	/* Xe3P: a sample of what a compiler made of OpenCL. */
	{ "cri", { 0xe0a02240, 0x04231a04 },
	  " add (32|M0) r4.0<1>:df r26.4<0;1,0>:df -r4.0<1;1,0>:df {Compacted,L@2}" },
	{ "cri", { 0x14d41140, 0xc8058660, 0x05102000, 0xff6aff6a },
	  "(~f3.0) add (32|M0) r200.0<1>:d acc0.0<1;1,0>:d -150:w {F@1}" },
	{ "nvlp", { 0x00101e40, 0x23050660, 0x06101b04, 0x00005b04 },
	  " add (16|M0) r35.0<1>:d r27.0<1;1,0>:d r91.0<1;1,0>:d {I@6}" },
	{ "cri", { 0x00140040, 0xea050190, 0x09102000, 0x00000404 },
	  " add (32|M0) r234.0<1>:hf acc0.0<1;1,0>:hf r4.0<1;1,0>:hf" },
	{ "cri", { 0x00141b52, 0x20000668, 0x06064a04, 0x59054e04 },
	  " add3 (32|M0) acc0.0<1>:d r74.0<1;0>:d r78.0<1;0>:d r89.0<1>:d {I@3}" },
	{ "nvlp", { 0xac200065, 0x0700165c },
	  " and (32|M0) r92.0<1>:d r22.0<1;1,0>:d r7.0<1;1,0>:d {Compacted}" },
	{ "cri", { 0x0014006c, 0x20018660, 0x05102000, 0x00170017 },
	  " asr (32|M0) acc0.0<1>:d acc0.0<1;1,0>:d 23:w" },
	{ "nvlp", { 0x0010916b, 0x20000228, 0x82020804, 0x0c051c04 },
	  " bfn.0x80 (16|M0) acc0.0<1>:ud r8.0<1;0>:ud r28.0<1;0>:ud r12.0<1>:ud {$17.dst}" },
	{ "cri", { 0x3c200077, 0x000023da },
	  " bfrev (32|M0) r218.0<1>:d r35.0<1;1,0>:d {Compacted}" },
	{ "cri", { 0x28201f4d, 0x0000161e },
	  " cbit (32|M0) r30.0<1>:ud r22.0<1;1,0>:ud {Compacted,I@7}" },
	{ "nvlp", { 0x84540970, 0x000103b0, 0x1b000204, 0x00100204 },
	  "(W&f1.0) cmp (32|M0) (eq)f1.0 null<1>:df r2.0<0;1,0>:df r2.0<0;1,0>:df {A@1}" },
	{ "cri", { 0x00101970, 0x0c050190, 0x29101c04, 0x00001c04 },
	  " cmp (16|M0) (ne)f0.0 r12.0<1>:hf r28.0<1;1,0>:hf r28.0<1;1,0>:hf {I@1}" },
	{ "cri", { 0x00140058, 0x20000668, 0x02022000, 0x1a052104 },
	  " dp4a (32|M0) acc0.0<1>:d acc0.0<1;0>:d r33.0<1;0>:ud r26.0<1>:ud" },
	{ "nvlp", { 0x2268c359, 0x24110a0a },
	  " dpas.8x2 (16|M0) r10:f r10:f r36:bf r17.0:bf {Compacted,$3}" },
	{ "cri", { 0x0010c259, 0x05071e60, 0x04040504, 0x12041404 },
	  " dpas.8x4 (16|M0) r5:d r5:d r20:b r18.0:b {$2}" },
	{ "nvlp", { 0x0010c059, 0x08073e60, 0x04001004, 0x2c043004 },
	  " dpas.8x8 (16|M0) r8:d r16:d r48:b r44.0:ub {$0}" },
	{ "nvlp", { 0x0010194a, 0x2c050220, 0x00102804, 0x00000000 },
	  " lzd (16|M0) r44.0<1>:ud r40.0<1;1,0>:ud {I@1}" },
	{ "nvlp", { 0x221c175b, 0x201a0814 },
	  " mad (32|M0) r20.0<1>:f r8.0<1;0>:f acc0.0<1;0>:f r26.0<1>:f {Compacted,F@7}" },
	{ "cri", { 0x8000215b, 0x200203b0, 0x0323c564, 0x03040604 },
	  "(W) mad (1|M0) acc0.0<1>:df r197.3<0;0>:df r6.0<0;0>:df -r3.0<0>:df {L@1}" },
	{ "cri", { 0x8000005b, 0x2002c120, 0x02010000, 0x00402000 },
	  "(W) mad (1|M0) acc0.0<1>:ud 0x0:uw acc0.0<0;0>:ud 0x40:uw" },
	{ "cri", { 0x0014005b, 0x12040668, 0x06260b04, 0x03142000 },
	  " mad (32|M0) r18.0<1>:d r11.0<1;0>:d acc0.0<1;0>:d -r3.1<0>:d" },
	{ "nvlp", { 0x0210215d, 0x16440bb0, 0x03031635, 0x122d0e0c },
	  " madm (16|M16) r22.nomme:df r22.mme6:df r14.mme1:df r18.mme5:df {L@1}" },
	{ "nvlp", { 0x80001a38, 0x266502a0, 0x10002644, 0x00000000 },
	  "(W) math.inv (1|M0) r38.6<1>:f r38.4<0;1,0>:f {I@2}" },
	{ "nvlp", { 0x00108538, 0x100512a0, 0x20102004, 0x00000000 },
	  " math.log (16|M0) r16.0<1>:f (abs)r32.0<1;1,0>:f {$5.dst}" },
	{ "cri", { 0x0010b638, 0x280502a0, 0x50102000, 0x00000000 },
	  " math.rsqt (16|M0) r40.0<1>:f acc0.0<1;1,0>:f {$22.src}" },
	{ "cri", { 0x00140038, 0x7e0502a0, 0x6010da04, 0x00000000 },
	  " math.sin (32|M0) r126.0<1>:f r218.0<1;1,0>:f" },
	{ "cri", { 0xa4840061, 0x00000633 },
	  "(W) mov (1|M0) f3.0<1>:ud r6.0<0;1,0>:ud {Compacted}" },
	{ "cri", { 0x78a00061, 0x00000217 },
	  " mov (32|M0) r23.0<1>:df r2.0<0;1,0>:df {Compacted}" },
	{ "cri", { 0x80000061, 0x30014210, 0x00000000, 0xffffffff },
	  "(W) mov (1|M0) f0.0<1>:uw 0xFFFFFFFF:ud" },
	{ "nvlp", { 0x80000061, 0x1ce54bb0, 0x3d2ef357, 0x93c76730 },
	  "(W) mov (1|M0) r28.7<1>:df 0x3D2EF35793C76730:df" },
	{ "cri", { 0x04101961, 0x08052660, 0x00100804, 0x00000000 },
	  "(f0.0) mov (16|M0) r8.0<1>:d -r8.0<1;1,0>:d {I@1}" },
	{ "nvlp", { 0x80001941, 0x07058110, 0x01000604, 0x00040004 },
	  "(W) mul (1|M0) r7.0<1>:uw r6.0<0;1,0>:uw 0x4:uw {I@1}" },
	{ "cri", { 0x00100041, 0x200102a0, 0x0a101c04, 0x02002504 },
	  " mul (16|M0) acc0.0<1>:f r28.0<1;1,0>:f -r37.0<1;1,0>:f" },
	{ "cri", { 0x0210a45f, 0x12058660, 0x06104c04, 0x4ec4ec4f },
	  " mullh (16|M16) r18.0<1>:d r76.0<1;1,0>:d 1321528399:d {$4.src}" },
	{ "cri", { 0x00101964, 0x21010660, 0x00101c04, 0x00000000 },
	  " not (16|M0) acc1.0<1>:d r28.0<1;1,0>:d {I@1}" },
	{ "cri", { 0xac801a66, 0x0a01070c },
	  " or (16|M0) r12.0<1>:d r7.1<0;1,0>:d r10.0<1;1,0>:d {Compacted,I@2}" },
	{ "cri", { 0x0010092d, 0x00000000, 0x00007f44, 0x00000000 },
	  " ret (16|M0) r127.4 {A@1}" },
	{ "nvlp", { 0x24201c45, 0x00006120 },
	  " rndd (32|M0) acc0.0<1>:f r97.0<1;1,0>:f {Compacted,I@4}" },
	{ "nvlp", { 0x20200046, 0x00006a28 },
	  " rnde (32|M0) r40.0<1>:f r106.0<1;1,0>:f {Compacted}" },
	{ "cri", { 0x20200044, 0x00001406 },
	  " rndu (32|M0) r6.0<1>:f r20.0<1;1,0>:f {Compacted}" },
	{ "nvlp", { 0x00100047, 0x21010aa0, 0x00102100, 0x00000000 },
	  " rndz (16|M0) acc1.0<1>:f acc1.0<1;1,0>:f" },
	{ "nvlp", { 0x0011256f, 0x03050220, 0x02100404, 0x00000304 },
	  " rol (16|M0) r3.0<1>:ud r4.0<1;1,0>:ud r3.0<1;1,0>:ud {@1,$5.dst}" },
	{ "cri", { 0x00100062, 0x10050190, 0x49102404, 0x00002000 },
	  " sel (16|M0) (ge)f0.0 r16.0<1>:hf r36.0<1;1,0>:hf acc0.0<1;1,0>:hf" },
	{ "nvlp", { 0x00140062, 0x1e050220, 0x42101704, 0x00001a04 },
	  " sel (32|M0) (ge)f0.0 r30.0<1>:ud r23.0<1;1,0>:ud r26.0<1;1,0>:ud" },
	{ "cri", { 0x8000c333, 0x00000000, 0xe000000c, 0x001f0000 },
	  "(W) sendg.slm (1|M0) null r0:1 null:0 0x1F {$3}" },
	{ "cri", { 0x0014d233, 0x30000002, 0xe0006030, 0x10120000 },
	  " sendg.slm (32|M0) r48 r[s0.0]:6 0x1012 {$18}" },
	{ "nvlp", { 0x00152c33, 0x00002004, 0xd0006060, 0x07860000 },
	  " sendg.tgm (32|M0) null r[s0.0]:12 s0.32 0x786 {A@1,$12}" },
	{ "nvlp", { 0x00132933, 0x20000002, 0xf0001c14, 0x91800000 },
	  " sendg.ugm (16|M0) r32 r28:2 null:0 0x9180 {I@1,$9}" },
	{ "cri", { 0x00152433, 0x00001904, 0xf0006050, 0x51840000 },
	  " sendg.ugm (32|M0) null r[s0.0]:10 s0.24 0x100000005184 {A@1,$4}" },
	{ "cri", { 0x00174535, 0x10001006, 0xfce90811, 0x1000ff05 },
	  " sendgx.ugm (32|M0) r272 r8:2 null:0 s0.16 0x5CE91000 {I@2,$5}" },
	{ "cri", { 0x00172735, 0x8c000002, 0xfa691820, 0x9080ff05 },
	  " sendgx.ugm (32|M0) r396 r24:4 null:0 0x1A699080 {I@1,$7}" },
	{ "cri", { 0x00100069, 0x23018660, 0x05102100, 0x00170017 },
	  " shl (16|M0) acc3.0<1>:d acc1.0<1;1,0>:d 23:w" },
	{ "nvlp", { 0x80001a68, 0x02958220, 0x01000294, 0x00040004 },
	  "(W) shr (1|M0) r2.9<1>:ud r2.9<0;1,0>:ud 0x4:uw {I@2}" },
	{ "nvlp", { 0x80000001, 0x00014200, 0xe0000000, 0x00000000 },
	  "(W) sync.bar 0x0" },
	{ "nvlp", { 0x00009801, 0x00010000, 0x00000000, 0x00000000 },
	  " sync.nop null {$24.dst}" },
	{ "cri", { 0x80000067, 0x10050660, 0x06002000, 0x00100904 },
	  "(W) xor (1|M0) r16.0<1>:d acc0.0<0;1,0>:d r9.0<0;1,0>:d" },
	/* The ninth bits of registers, in all places; a0 from 16 on; tokens that count. */
	{ "cri", { 0x00104040, 0x3f050220, 0x02100a04, 0x04000b07 },
	  " add (16|M0) r319.0<1>:ud r266.0<1;1,0>:ud r267.0<1;1,0>:ud {$0.inc}" },
	{ "cri", { 0x00100061, 0x02055220, 0x00000000, 0x00000123 },
	  " mov (16|M0) r258.0<1>:ud 0x123:ud" },
	{ "cri", { 0x00100040, 0x0205ca20, 0x02100504, 0x00000123 },
	  " add (16|M0) r258.0<1>:ud r261.0<1;1,0>:ud 0x123:ud" },
	{ "cri", { 0x00100040, 0x40810228, 0x02115040, 0x00100b07 },
	  " add (16|M0) r[a0.20,64]<1>:ud r[a0.21,32]<1;1,0>:ud r11.0<0;1,0>:ud" },
	{ "cri", { 0x0010005b, 0x02040228, 0x0a0a0504, 0x09050707 },
	  " mad (16|M0) r258.0<1>:ud r261.0<1;0>:ud r263.0<1;0>:ud r265.0<1>:ud" },
	{ "cri", { 0x0010002c, 0x03043000, 0x00000504, 0x00000000 },
	  " call (16|M0) r259.0 r261.0" },
	{ "nvlp", { 0x00100035, 0xff001006, 0xf0280314, 0x16800514 },
	  " sendgx.ugm (16|M0) null r259:2 r261:2 s0.16 0x281680" },
	{ "nvlp", { 0x00100033, 0x020010ce, 0xf0000314, 0x16800514 },
	  " sendg.ugm (16|M0) r2 r3:2 r5:2 s0.16 s0.24 0x1680" },
	/* What compilers do not make yet. */
	{ "cri", { 0x0010005c, 0x0207eaae, 0x10000505, 0x09040704 },
	  " bdpas.8x8 (16|M0) r2:f r5:f r7:bf8 r9.0:bf8 r11.0:ub r13.0:ub {Fwd}" },
	{ "cri", { 0x00100055, 0x02040228, 0x52920504, 0x09050704 },
	  " dnscl.ftoe2m1.mode1.rne (16|M0) r2.0<1>:ud r5.0<1;0>:ud r7.0<1;0>:ud r9.0<1>:ud" },
	{ "cri", { 0x00100039, 0x02050220, 0x12100104, 0x00000304 },
	  " lfsr.b16v2 (16|M0) r2.0<1>:ud r1.0<1;1,0>:ud r3.0<1;1,0>:ud" },
	{ "cri", { 0x00100050, 0x02050220, 0x62100104, 0x00000304 },
	  " shfl.idx4 (16|M0) r2.0<1>:ud r1.0<1;1,0>:ud r3.0<1;1,0>:ud" },
	{ "cri", { 0x00100059, 0x02073aa2, 0x00a00504, 0x09040704 },
	  " dpas.8x8 (16|M0) r2:f r5:f r7:e2m1 r9.0:e2m1 {Fwd}" },
	{ "cri", { 0x80000001, 0x00010000, 0xc0000000, 0x00000000 },
	  "(W) sync.flush null" },
	{ "hsw", { 0x00000020, 0x34001c00, 0x00001400, 0x00000020 },
	  " jmpi L48" },
	{ "ivb", { 0x00000020, 0x34001c00, 0x00001400, 0x00000004 },
	  " jmpi L48" },
	/* From Gen12 on its distance is that of other jumps, in bytes from this instruction. */
	{ "tgl", { 0x80000020, 0x00004000, 0x00000000, 0x00000030 },
	  "(W) jmpi L48" },
	{ "lnl", { 0x94000020, 0x00004000, 0x00000000, 0xfffffee0 },
	  "(W&~f0.0) jmpi L_N288" },
	{ "ptl", { 0x80000020, 0x00000000, 0x00000504, 0x00000000 },
	  "(W) jmpi r5.0" },
	{ "skl", { 0x00600027, 0x20000000, 0x00000000, 0xfffffff0 },
	  " while (8|M0) L_N16" },
	{ "tgl", { 0x10840022, 0x0000c000, 0x00000030, 0x00000020 },
	  " if (16|M0) L32 L48" },
	{ "tgl", { 0x00000060, 0x00000000, 0x00000000, 0x00000000 },
	  " nop" },
	{ "skl", { 0x00000000, 0x00000000, 0x00000000, 0x00000000 },
	  " illegal" },
	{ "bdw", { 0x00600101, 0x240600e5, 0x003a0024, 0x00000000 },
	  " illegal // no IGA syntax has: mov(8) acc0<1>.yzF null<1>.xyzzUD { align16 WE_all "
	  "1Q };" },
};

static void iga_texts(void)
{
	each(iga_lines, ARRAY_SIZE(iga_lines), check_iga);
}

/* How far jumps go: the text has the number of bytes, or nothing if a register has it. */
static const struct row jumps[] = {
	{ "snb", { 0x00710022, 0x00060000, 0x02000000, 0x00000000 }, "48" },
	{ "ivb", { 0x00600022, 0x00000000, 0x00000000, 0x0004fffe }, "-16" },
	{ "ivb", { 0x0020002c, 0x21601c01, 0x00490000, 0x00000010 }, "128" },
	/* Haswell's calls count bytes. */
	{ "hsw", { 0x0020002c, 0x21601c01, 0x00490000, 0x00000460 }, "1120" },
	{ "hsw", { 0x00600021, 0x00000020, 0x00000080, 0x00000000 }, "" },
	{ "tgl", { 0x80000020, 0x00004000, 0x00000000, 0x00000030 }, "48" },
	{ "nvls", { 0x94000020, 0x00004000, 0x00000000, 0xfffffee0 }, "-288" },
	{ "ptl", { 0x80000020, 0x00000000, 0x00000504, 0x00000000 }, "" },
	{ "cri", { 0x84000020, 0x00004000, 0x00000000, 0x00000028 }, "40" },
};

static void check_jump(const struct gsc_view *view, const struct row *row)
{
	struct eu_instruction in;
	struct gsc_error err;
	struct eu_isa *isa;
	char bytes[16] = "";

	CU_ASSERT_EQUAL_FATAL(eu_isa_open(view, &isa, &err), GSC_OK);
	CU_ASSERT_TRUE_FATAL(eu_decode(isa, row->words, sizeof(row->words), 0, &in));
	if (in.has_jip)
		snprintf(bytes, sizeof(bytes), "%d", in.jip);
	CU_ASSERT_STRING_EQUAL(bytes, row->text);
	eu_isa_free(isa);
}

static void distances(void)
{
	each(jumps, ARRAY_SIZE(jumps), check_jump);
}

SUITE(eu_text, { "texts", texts }, { "texts of IGA", iga_texts }, { "distances", distances })
