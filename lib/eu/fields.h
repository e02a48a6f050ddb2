/* SPDX-License-Identifier: MIT */
/*
 * The fields that the decoder reads, as structure and field of data/isa. A field that a platform's
 * structure lacks reads as 0. Operands have the same fields in the same order, so that the same
 * code serves all of them.
 */
#ifndef GSC_EU_FIELDS_H
#define GSC_EU_FIELDS_H

/* FIELD(structure, name) */
#define EU_SOURCE_FIELDS(FIELD, SOURCE)                                                            \
	FIELD(SOURCE, FILE)                                                                        \
	FIELD(SOURCE, IMMEDIATE)                                                                   \
	FIELD(SOURCE, TYPE)                                                                        \
	FIELD(SOURCE, IMMEDIATE_TYPE)                                                              \
	FIELD(SOURCE, ADDRESS_MODE)                                                                \
	FIELD(SOURCE, NEGATE)                                                                      \
	FIELD(SOURCE, ABSOLUTE)                                                                    \
	FIELD(SOURCE##_ALIGN1, REGISTER)                                                           \
	FIELD(SOURCE##_ALIGN1, SUBREGISTER)                                                        \
	FIELD(SOURCE##_ALIGN1, VERTICAL_STRIDE)                                                    \
	FIELD(SOURCE##_ALIGN1, WIDTH)                                                              \
	FIELD(SOURCE##_ALIGN1, HORIZONTAL_STRIDE)                                                  \
	FIELD(SOURCE##_ALIGN1, SCALAR)                                                             \
	FIELD(SOURCE##_ALIGN16, REGISTER)                                                          \
	FIELD(SOURCE##_ALIGN16, SUBREGISTER)                                                       \
	FIELD(SOURCE##_ALIGN16, VERTICAL_STRIDE)                                                   \
	FIELD(SOURCE##_ALIGN16, SWIZZLE)                                                           \
	FIELD(SOURCE##_INDIRECT, ADDRESS_SUBREGISTER)                                              \
	FIELD(SOURCE##_INDIRECT, ADDRESS_IMMEDIATE)                                                \
	FIELD(SOURCE##_INDIRECT, VERTICAL_STRIDE)                                                  \
	FIELD(SOURCE##_INDIRECT, WIDTH)                                                            \
	FIELD(SOURCE##_INDIRECT, HORIZONTAL_STRIDE)                                                \
	FIELD(SOURCE##_INDIRECT, SCALAR)                                                           \
	FIELD(SOURCE##_INDIRECT16, ADDRESS_SUBREGISTER)                                            \
	FIELD(SOURCE##_INDIRECT16, ADDRESS_IMMEDIATE)                                              \
	FIELD(SOURCE##_INDIRECT16, VERTICAL_STRIDE)                                                \
	FIELD(SOURCE##_INDIRECT16, SWIZZLE)

/* TYPE is that of whole numbers where there are two. */
#define EU_TERNARY_SOURCE_FIELDS(FIELD, FORM, SOURCE)                                              \
	FIELD(FORM, SOURCE##_FILE)                                                                 \
	FIELD(FORM, SOURCE##_IMMEDIATE)                                                            \
	FIELD(FORM, SOURCE##_TYPE)                                                                 \
	FIELD(FORM, SOURCE##_FLOAT_TYPE)                                                           \
	FIELD(FORM, SOURCE##_HALF)                                                                 \
	FIELD(FORM, SOURCE##_NEGATE)                                                               \
	FIELD(FORM, SOURCE##_ABSOLUTE)                                                             \
	FIELD(FORM, SOURCE##_REGISTER)                                                             \
	FIELD(FORM, SOURCE##_SUBREGISTER)                                                          \
	FIELD(FORM, SOURCE##_VERTICAL_STRIDE)                                                      \
	FIELD(FORM, SOURCE##_HORIZONTAL_STRIDE)                                                    \
	FIELD(FORM, SOURCE##_SCALAR)                                                               \
	FIELD(FORM, SOURCE##_REPLICATE)                                                            \
	FIELD(FORM, SOURCE##_SWIZZLE)                                                              \
	FIELD(FORM, SOURCE##_VALUE)                                                                \
	FIELD(FORM, SOURCE##_SUBBYTE)

#define EU_TERNARY_FIELDS(FIELD, FORM)                                                             \
	FIELD(FORM, FLOAT)                                                                         \
	FIELD(FORM, FLAG_REGISTER)                                                                 \
	FIELD(FORM, FLAG_SUBREGISTER)                                                              \
	FIELD(FORM, DESTINATION_FILE)                                                              \
	FIELD(FORM, DESTINATION_TYPE)                                                              \
	FIELD(FORM, DESTINATION_FLOAT_TYPE)                                                        \
	FIELD(FORM, DESTINATION_REGISTER)                                                          \
	FIELD(FORM, DESTINATION_SUBREGISTER)                                                       \
	FIELD(FORM, DESTINATION_HORIZONTAL_STRIDE)                                                 \
	FIELD(FORM, DESTINATION_MACRO)                                                             \
	FIELD(FORM, WRITE_MASK)                                                                    \
	FIELD(FORM, SYSTOLIC_DEPTH)                                                                \
	FIELD(FORM, REPEAT_COUNT)                                                                  \
	FIELD(FORM, FORWARD)                                                                       \
	EU_TERNARY_SOURCE_FIELDS(FIELD, FORM, SOURCE0)                                             \
	EU_TERNARY_SOURCE_FIELDS(FIELD, FORM, SOURCE1)                                             \
	EU_TERNARY_SOURCE_FIELDS(FIELD, FORM, SOURCE2)

#define EU_SEND_FIELDS(FIELD, FORM)                                                                \
	FIELD(FORM, SHARED_FUNCTION)                                                               \
	FIELD(FORM, END_OF_THREAD)                                                                 \
	FIELD(FORM, NO_SOURCE_DEPENDENCY)                                                          \
	FIELD(FORM, SERIALIZED)                                                                    \
	FIELD(FORM, COARSE)                                                                        \
	FIELD(FORM, BASE_MESSAGE_REGISTER)                                                         \
	FIELD(FORM, DESTINATION_FILE)                                                              \
	FIELD(FORM, DESTINATION_TYPE)                                                              \
	FIELD(FORM, DESTINATION_ADDRESS_MODE)                                                      \
	FIELD(FORM, DESTINATION_REGISTER)                                                          \
	FIELD(FORM, DESTINATION_SUBREGISTER)                                                       \
	FIELD(FORM, DESTINATION_ADDRESS_SUBREGISTER)                                               \
	FIELD(FORM, DESTINATION_ADDRESS_IMMEDIATE)                                                 \
	FIELD(FORM, SOURCE0_FILE)                                                                  \
	FIELD(FORM, SOURCE0_ADDRESS_MODE)                                                          \
	FIELD(FORM, SOURCE0_REGISTER)                                                              \
	FIELD(FORM, SOURCE0_SUBREGISTER)                                                           \
	FIELD(FORM, SOURCE0_ADDRESS_SUBREGISTER)                                                   \
	FIELD(FORM, SOURCE0_ADDRESS_IMMEDIATE)                                                     \
	FIELD(FORM, SOURCE0_LENGTH)                                                                \
	FIELD(FORM, SOURCE1_FILE)                                                                  \
	FIELD(FORM, SOURCE1_REGISTER)                                                              \
	FIELD(FORM, SOURCE1_LENGTH)                                                                \
	FIELD(FORM, DESCRIPTOR)                                                                    \
	FIELD(FORM, DESCRIPTOR_IN_REGISTER)                                                        \
	FIELD(FORM, EXTENDED_DESCRIPTOR)                                                           \
	FIELD(FORM, EXTENDED_DESCRIPTOR_IN_REGISTER)                                               \
	FIELD(FORM, EXTENDED_DESCRIPTOR_SUBREGISTER)                                               \
	FIELD(FORM, BINDLESS_OFFSET)                                                               \
	FIELD(FORM, INDIRECT_DESCRIPTOR_0)                                                         \
	FIELD(FORM, INDIRECT_DESCRIPTOR_1)                                                         \
	FIELD(FORM, DESCRIPTOR_0_SUBREGISTER)                                                      \
	FIELD(FORM, DESCRIPTOR_1_SUBREGISTER)

/* The highest bits of registers' numbers, where they are apart. */
#define EU_HIGH_FIELDS(FIELD, HIGH)                                                                \
	FIELD(HIGH, DESTINATION)                                                                   \
	FIELD(HIGH, SOURCE0)                                                                       \
	FIELD(HIGH, SOURCE1)

#define EU_FIELDS(FIELD)                                                                           \
	FIELD(INSTRUCTION, OPCODE)                                                                 \
	FIELD(INSTRUCTION, DEBUG)                                                                  \
	FIELD(INSTRUCTION, COMPACTED)                                                              \
	FIELD(INSTRUCTION, ACCESS_MODE)                                                            \
	FIELD(INSTRUCTION, MASK_CONTROL)                                                           \
	FIELD(INSTRUCTION, DEPENDENCY_CONTROL)                                                     \
	FIELD(INSTRUCTION, COMPRESSION_CONTROL)                                                    \
	FIELD(INSTRUCTION, QUARTER_CONTROL)                                                        \
	FIELD(INSTRUCTION, NIBBLE_CONTROL)                                                         \
	FIELD(INSTRUCTION, THREAD_CONTROL)                                                         \
	FIELD(INSTRUCTION, PREDICATE_CONTROL)                                                      \
	FIELD(INSTRUCTION, PREDICATE_CONTROL_ALIGN16)                                              \
	FIELD(INSTRUCTION, PREDICATE_INVERSE)                                                      \
	FIELD(INSTRUCTION, EXECUTION_SIZE)                                                         \
	FIELD(INSTRUCTION, CONDITION_MODIFIER)                                                     \
	FIELD(INSTRUCTION, ACCUMULATOR_WRITE)                                                      \
	FIELD(INSTRUCTION, BRANCH_CONTROL)                                                         \
	FIELD(INSTRUCTION, SATURATE)                                                               \
	FIELD(INSTRUCTION, FLAG_REGISTER)                                                          \
	FIELD(INSTRUCTION, FLAG_SUBREGISTER)                                                       \
	FIELD(INSTRUCTION, SCOREBOARD)                                                             \
	FIELD(ARCHITECTURE_REGISTER, KIND)                                                         \
	FIELD(DESTINATION, FILE)                                                                   \
	FIELD(DESTINATION, TYPE)                                                                   \
	FIELD(DESTINATION, ADDRESS_MODE)                                                           \
	FIELD(DESTINATION, HORIZONTAL_STRIDE)                                                      \
	FIELD(DESTINATION_ALIGN1, REGISTER)                                                        \
	FIELD(DESTINATION_ALIGN1, SUBREGISTER)                                                     \
	FIELD(DESTINATION_ALIGN16, REGISTER)                                                       \
	FIELD(DESTINATION_ALIGN16, SUBREGISTER)                                                    \
	FIELD(DESTINATION_ALIGN16, WRITE_MASK)                                                     \
	FIELD(DESTINATION_INDIRECT, ADDRESS_SUBREGISTER)                                           \
	FIELD(DESTINATION_INDIRECT, ADDRESS_IMMEDIATE)                                             \
	FIELD(DESTINATION_INDIRECT16, ADDRESS_SUBREGISTER)                                         \
	FIELD(DESTINATION_INDIRECT16, ADDRESS_IMMEDIATE)                                           \
	FIELD(DESTINATION_INDIRECT16, WRITE_MASK)                                                  \
	EU_SOURCE_FIELDS(FIELD, SOURCE0)                                                           \
	EU_SOURCE_FIELDS(FIELD, SOURCE1)                                                           \
	FIELD(IMMEDIATE, VALUE)                                                                    \
	FIELD(IMMEDIATE_WIDE, VALUE)                                                               \
	EU_HIGH_FIELDS(FIELD, HIGH)                                                                \
	EU_HIGH_FIELDS(FIELD, HIGH_ONE)                                                            \
	EU_HIGH_FIELDS(FIELD, HIGH_TWO)                                                            \
	EU_HIGH_FIELDS(FIELD, HIGH_BRANCH)                                                         \
	FIELD(TWO, SOURCE0_TYPE)                                                                   \
	FIELD(MATH, FUNCTION)                                                                      \
	FIELD(BFN, FUNCTION)                                                                       \
	FIELD(BFN, CONDITION_MODIFIER)                                                             \
	FIELD(SYNC, FUNCTION)                                                                      \
	FIELD(SHFL, FUNCTION)                                                                      \
	FIELD(LFSR, FUNCTION)                                                                      \
	FIELD(DNSCL, FROM)                                                                         \
	FIELD(DNSCL, TO)                                                                           \
	FIELD(DNSCL, MODE)                                                                         \
	FIELD(DNSCL, ROUNDING)                                                                     \
	FIELD(BRANCH, JIP)                                                                         \
	FIELD(BRANCH, UIP)                                                                         \
	FIELD(BRANCH, CALL)                                                                        \
	FIELD(BRANCH, JUMP_COUNT)                                                                  \
	FIELD(BRANCH, POP_COUNT)                                                                   \
	FIELD(IGA, CONDITION)                                                                      \
	FIELD(IGA, MATH_FUNCTION)                                                                  \
	FIELD(IGA, SHARED_FUNCTION)                                                                \
	FIELD(IGA, REGISTER)                                                                       \
	FIELD(IGA, ACCUMULATOR)                                                                    \
	FIELD(IGA, PIPES)                                                                          \
	FIELD(IGA, OFFSET)                                                                         \
	FIELD(IGA, SYSTOLIC_DEPTH)                                                                 \
	FIELD(IGA, SOURCE1_LENGTH)                                                                 \
	EU_TERNARY_FIELDS(FIELD, THREE_ALIGN1)                                                     \
	EU_TERNARY_FIELDS(FIELD, THREE_ALIGN16)                                                    \
	EU_TERNARY_FIELDS(FIELD, DPAS)                                                             \
	EU_TERNARY_FIELDS(FIELD, BDPAS)                                                            \
	FIELD(BDPAS, SCALE_TYPE)                                                                   \
	FIELD(BDPAS, SOURCE3_FILE)                                                                 \
	FIELD(BDPAS, SOURCE3_REGISTER)                                                             \
	FIELD(BDPAS, SOURCE3_SUBREGISTER)                                                          \
	FIELD(BDPAS, SOURCE4_FILE)                                                                 \
	FIELD(BDPAS, SOURCE4_REGISTER)                                                             \
	FIELD(BDPAS, SOURCE4_SUBREGISTER)                                                          \
	EU_SEND_FIELDS(FIELD, SEND)                                                                \
	EU_SEND_FIELDS(FIELD, SENDS)                                                               \
	EU_SEND_FIELDS(FIELD, SENDG)                                                               \
	EU_SEND_FIELDS(FIELD, SENDGX)

#endif
