/* SPDX-License-Identifier: MIT */
/*
 * How much memory the elements of surface formats take: mesa isl_format_layout.csv, columns bpb, bw
 * and bh. R64G64B64_FLOAT has 196 bits there, which does not match its channels. Planar and raw
 * formats have no elements of one size, and are not here.
 */
#include "tile/tile.h"

#include <strings.h>

/* Formats whose elements have this many bits, and are blocks of this many pixels. */
static const struct {
	struct gsc_format format;
	const char *names;		/* separated by blanks */
} groups[] = {
	{ { .bits = 1, .width = 1, .height = 1 }, " R1_UNORM MONO8 " },
	{ { .bits = 2, .width = 1, .height = 1 }, " P2_UNORM_PALETTE0 P2_UNORM_PALETTE1 " },
	{ { .bits = 8, .width = 1, .height = 1 },
	  " R8_UNORM R8_SNORM R8_SINT R8_UINT A8_UNORM I8_UNORM L8_UNORM P4A4_UNORM_PALETTE0 "
	  "A4P4_UNORM_PALETTE0 R8_SSCALED R8_USCALED P8_UNORM_PALETTE0 L8_UNORM_SRGB "
	  "P8_UNORM_PALETTE1 P4A4_UNORM_PALETTE1 A4P4_UNORM_PALETTE1 Y8_UNORM L8_UINT "
	  "L8_SINT I8_UINT I8_SINT " },
	{ { .bits = 16, .width = 1, .height = 1 },
	  " B5G6R5_UNORM B5G6R5_UNORM_SRGB B5G5R5A1_UNORM B5G5R5A1_UNORM_SRGB B4G4R4A4_UNORM "
	  "B4G4R4A4_UNORM_SRGB R8G8_UNORM R8G8_SNORM R8G8_SINT R8G8_UINT R16_UNORM R16_SNORM "
	  "R16_SINT R16_UINT R16_FLOAT A8P8_UNORM_PALETTE0 A8P8_UNORM_PALETTE1 I16_UNORM "
	  "L16_UNORM A16_UNORM L8A8_UNORM I16_FLOAT L16_FLOAT A16_FLOAT L8A8_UNORM_SRGB "
	  "R5G5_SNORM_B6_UNORM B5G5R5X1_UNORM B5G5R5X1_UNORM_SRGB R8G8_SSCALED R8G8_USCALED "
	  "R16_SSCALED R16_USCALED P8A8_UNORM_PALETTE0 P8A8_UNORM_PALETTE1 A1B5G5R5_UNORM "
	  "A4B4G4R4_UNORM L8A8_UINT L8A8_SINT YCRCB_NORMAL YCRCB_SWAPUVY YCRCB_SWAPUV "
	  "YCRCB_SWAPY " },
	{ { .bits = 24, .width = 1, .height = 1 },
	  " R8G8B8_UNORM R8G8B8_SNORM R8G8B8_SSCALED R8G8B8_USCALED R8G8B8_UNORM_SRGB "
	  "R8G8B8_UINT R8G8B8_SINT " },
	{ { .bits = 32, .width = 1, .height = 1 },
	  " B8G8R8A8_UNORM B8G8R8A8_UNORM_SRGB R10G10B10A2_UNORM R10G10B10A2_UNORM_SRGB "
	  "R10G10B10A2_UINT R10G10B10_SNORM_A2_UNORM R8G8B8A8_UNORM R8G8B8A8_UNORM_SRGB "
	  "R8G8B8A8_SNORM R8G8B8A8_SINT R8G8B8A8_UINT R16G16_UNORM R16G16_SNORM R16G16_SINT "
	  "R16G16_UINT R16G16_FLOAT B10G10R10A2_UNORM B10G10R10A2_UNORM_SRGB R11G11B10_FLOAT "
	  "R10G10B10_FLOAT_A2_UNORM R32_SINT R32_UINT R32_FLOAT R24_UNORM_X8_TYPELESS "
	  "X24_TYPELESS_G8_UINT L32_UNORM A32_UNORM L16A16_UNORM I24X8_UNORM L24X8_UNORM "
	  "A24X8_UNORM I32_FLOAT L32_FLOAT A32_FLOAT X8B8_UNORM_G8R8_SNORM "
	  "A8X8_UNORM_G8R8_SNORM B8X8_UNORM_G8R8_SNORM B8G8R8X8_UNORM B8G8R8X8_UNORM_SRGB "
	  "R8G8B8X8_UNORM R8G8B8X8_UNORM_SRGB R9G9B9E5_SHAREDEXP B10G10R10X2_UNORM "
	  "L16A16_FLOAT R32_UNORM R32_SNORM R10G10B10X2_USCALED R8G8B8A8_SSCALED "
	  "R8G8B8A8_USCALED R16G16_SSCALED R16G16_USCALED R32_SSCALED R32_USCALED R32_SFIXED "
	  "R10G10B10A2_SNORM R10G10B10A2_USCALED R10G10B10A2_SSCALED R10G10B10A2_SINT "
	  "B10G10R10A2_SNORM B10G10R10A2_USCALED B10G10R10A2_SSCALED B10G10R10A2_UINT "
	  "B10G10R10A2_SINT " },
	{ { .bits = 48, .width = 1, .height = 1 },
	  " R16G16B16_FLOAT R16G16B16_UNORM R16G16B16_SNORM R16G16B16_SSCALED "
	  "R16G16B16_USCALED R16G16B16_UINT R16G16B16_SINT " },
	{ { .bits = 64, .width = 1, .height = 1 },
	  " R16G16B16A16_UNORM R16G16B16A16_SNORM R16G16B16A16_SINT R16G16B16A16_UINT "
	  "R16G16B16A16_FLOAT R32G32_FLOAT R32G32_SINT R32G32_UINT R32_FLOAT_X8X24_TYPELESS "
	  "X32_TYPELESS_G8X24_UINT L32A32_FLOAT R32G32_UNORM R32G32_SNORM R64_FLOAT "
	  "R16G16B16X16_UNORM R16G16B16X16_FLOAT A32X32_FLOAT L32X32_FLOAT I32X32_FLOAT "
	  "R16G16B16A16_SSCALED R16G16B16A16_USCALED R32G32_SSCALED R32G32_USCALED "
	  "R32G32_FLOAT_LD R32G32_SFIXED R64_PASSTHRU " },
	{ { .bits = 96, .width = 1, .height = 1 },
	  " R32G32B32_FLOAT R32G32B32_SINT R32G32B32_UINT R32G32B32_UNORM R32G32B32_SNORM "
	  "R32G32B32_SSCALED R32G32B32_USCALED R32G32B32_SFIXED " },
	{ { .bits = 128, .width = 1, .height = 1 },
	  " R32G32B32A32_FLOAT R32G32B32A32_SINT R32G32B32A32_UINT R32G32B32A32_UNORM "
	  "R32G32B32A32_SNORM R64G64_FLOAT R32G32B32X32_FLOAT R32G32B32A32_SSCALED "
	  "R32G32B32A32_USCALED R32G32B32A32_SFIXED R64G64_PASSTHRU " },
	{ { .bits = 192, .width = 1, .height = 1 }, " R64G64B64_FLOAT R64G64B64_PASSTHRU " },
	{ { .bits = 256, .width = 1, .height = 1 }, " R64G64B64A64_FLOAT R64G64B64A64_PASSTHRU " },
	{ { .bits = 64, .width = 4, .height = 4 },
	  " DXT1_RGB_SRGB BC1_UNORM BC4_UNORM BC1_UNORM_SRGB DXT1_RGB BC4_SNORM ETC1_RGB8 "
	  "ETC2_RGB8 EAC_R11 EAC_SIGNED_R11 ETC2_SRGB8 ETC2_RGB8_PTA ETC2_SRGB8_PTA " },
	{ { .bits = 128, .width = 4, .height = 4 },
	  " BC2_UNORM BC3_UNORM BC5_UNORM BC2_UNORM_SRGB BC3_UNORM_SRGB BC5_SNORM BC6H_SF16 "
	  "BC7_UNORM BC7_UNORM_SRGB BC6H_UF16 EAC_RG11 EAC_SIGNED_RG11 ETC2_EAC_RGBA8 "
	  "ETC2_EAC_SRGB8_A8 " },
	{ { .bits = 128, .width = 8, .height = 4 }, " FXT1 " },
	{ { .bits = 128, .width = 4, .height = 4 },
	  " ASTC_LDR_2D_4X4_U8SRGB ASTC_LDR_2D_4X4_FLT16 ASTC_HDR_2D_4X4_FLT16 " },
	{ { .bits = 128, .width = 5, .height = 4 },
	  " ASTC_LDR_2D_5X4_U8SRGB ASTC_LDR_2D_5X4_FLT16 ASTC_HDR_2D_5X4_FLT16 " },
	{ { .bits = 128, .width = 5, .height = 5 },
	  " ASTC_LDR_2D_5X5_U8SRGB ASTC_LDR_2D_5X5_FLT16 ASTC_HDR_2D_5X5_FLT16 " },
	{ { .bits = 128, .width = 6, .height = 5 },
	  " ASTC_LDR_2D_6X5_U8SRGB ASTC_LDR_2D_6X5_FLT16 ASTC_HDR_2D_6X5_FLT16 " },
	{ { .bits = 128, .width = 6, .height = 6 },
	  " ASTC_LDR_2D_6X6_U8SRGB ASTC_LDR_2D_6X6_FLT16 ASTC_HDR_2D_6X6_FLT16 " },
	{ { .bits = 128, .width = 8, .height = 5 },
	  " ASTC_LDR_2D_8X5_U8SRGB ASTC_LDR_2D_8X5_FLT16 ASTC_HDR_2D_8X5_FLT16 " },
	{ { .bits = 128, .width = 8, .height = 6 },
	  " ASTC_LDR_2D_8X6_U8SRGB ASTC_LDR_2D_8X6_FLT16 ASTC_HDR_2D_8X6_FLT16 " },
	{ { .bits = 128, .width = 8, .height = 8 },
	  " ASTC_LDR_2D_8X8_U8SRGB ASTC_LDR_2D_8X8_FLT16 ASTC_HDR_2D_8X8_FLT16 " },
	{ { .bits = 128, .width = 10, .height = 5 },
	  " ASTC_LDR_2D_10X5_U8SRGB ASTC_LDR_2D_10X5_FLT16 ASTC_HDR_2D_10X5_FLT16 " },
	{ { .bits = 128, .width = 10, .height = 6 },
	  " ASTC_LDR_2D_10X6_U8SRGB ASTC_LDR_2D_10X6_FLT16 ASTC_HDR_2D_10X6_FLT16 " },
	{ { .bits = 128, .width = 10, .height = 8 },
	  " ASTC_LDR_2D_10X8_U8SRGB ASTC_LDR_2D_10X8_FLT16 ASTC_HDR_2D_10X8_FLT16 " },
	{ { .bits = 128, .width = 10, .height = 10 },
	  " ASTC_LDR_2D_10X10_U8SRGB ASTC_LDR_2D_10X10_FLT16 ASTC_HDR_2D_10X10_FLT16 " },
	{ { .bits = 128, .width = 12, .height = 10 },
	  " ASTC_LDR_2D_12X10_U8SRGB ASTC_LDR_2D_12X10_FLT16 ASTC_HDR_2D_12X10_FLT16 " },
	{ { .bits = 128, .width = 12, .height = 12 },
	  " ASTC_LDR_2D_12X12_U8SRGB ASTC_LDR_2D_12X12_FLT16 ASTC_HDR_2D_12X12_FLT16 " },
};

/*
 * Codes with bit 9, on Gen9 to Gen12: six bits are the sides of a block, those above are the kind.
 * As in mesa isl.h enum isl_format, and in gmmlib GmmFormatTable.h, which has bit 9 apart.
 */
bool astc_name(uint64_t code, char *buf, size_t size)
{
	static const struct {
		unsigned code;
		const char *range, *channels;
	} kinds[] = { { 0x200, "LDR", "U8SRGB" }, { 0x240, "LDR", "FLT16" },
		      { 0x340, "HDR", "FLT16" } };
	static const struct {
		unsigned code, width, height;
	} blocks[] = {
		{ 0x00, 4, 4 }, { 0x08, 5, 4 }, { 0x09, 5, 5 }, { 0x11, 6, 5 }, { 0x12, 6, 6 },
		{ 0x21, 8, 5 }, { 0x22, 8, 6 }, { 0x24, 8, 8 }, { 0x31, 10, 5 }, { 0x32, 10, 6 },
		{ 0x34, 10, 8 }, { 0x36, 10, 10 }, { 0x3e, 12, 10 }, { 0x3f, 12, 12 },
	};

	for (size_t k = 0; k < ARRAY_SIZE(kinds); k++)
		for (size_t b = 0; b < ARRAY_SIZE(blocks); b++)
			if (code == (kinds[k].code | blocks[b].code)) {
				snprintf(buf, size, "ASTC_%s_2D_%uX%u_%s", kinds[k].range,
					 blocks[b].width, blocks[b].height, kinds[k].channels);
				return true;
			}
	return false;
}

/* A whole word of a group, in any case. */
bool format_by_name(const char *name, struct gsc_format *format)
{
	size_t length = strlen(name);

	for (size_t i = 0; !strchr(name, ' ') && i < ARRAY_SIZE(groups); i++)
		for (const char *at = groups[i].names + 1; *at; at = strchr(at, ' ') + 1)
			if (!strncasecmp(at, name, length) && at[length] == ' ') {
				*format = groups[i].format;
				return true;
			}
	return false;
}
