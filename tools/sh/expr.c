/* SPDX-License-Identifier: MIT */
/* Expressions, by precedence climbing. */
#include "expr.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "out/out.h"
#include "util/number.h"

#define DEPTH_MAX 64

struct expr {
	const char *at;
	const struct expr_names *names;
	unsigned depth, skip;		/* skip: the value does not matter, as after 0 && */
	char name[EXPR_NAME_MAX];	/* the operand just read, if it is a name alone */
	char left[EXPR_NAME_MAX];	/* the name that the next operand is compared with */
	enum gsc_status status;
	struct gsc_error *err;
};

enum operation { LOGIC_OR, LOGIC_AND, OR, XOR, AND, EQUAL, UNEQUAL, LESS_EQUAL, GREATER_EQUAL,
		 SHIFT_LEFT, SHIFT_RIGHT, LESS, GREATER, ADD, SUBTRACT, MULTIPLY, DIVIDE, REST };

/* Among operators that begin alike the longer ones come first. */
static const struct operator {
	const char *text;
	enum operation operation;
	unsigned level;
} operators[] = {
	{ "||", LOGIC_OR, 1 }, { "&&", LOGIC_AND, 2 }, { "|", OR, 3 }, { "^", XOR, 4 },
	{ "&", AND, 5 }, { "==", EQUAL, 6 }, { "!=", UNEQUAL, 6 }, { "<=", LESS_EQUAL, 7 },
	{ ">=", GREATER_EQUAL, 7 }, { "<<", SHIFT_LEFT, 8 }, { ">>", SHIFT_RIGHT, 8 },
	{ "<", LESS, 7 }, { ">", GREATER, 7 }, { "+", ADD, 9 }, { "-", SUBTRACT, 9 },
	{ "*", MULTIPLY, 10 }, { "/", DIVIDE, 10 }, { "%", REST, 10 },
};

#define OPERATORS (sizeof(operators) / sizeof(*operators))

const char *expr_operator(size_t i)
{
	return i < OPERATORS ? operators[i].text : NULL;
}

static uint64_t fail(struct expr *e, const char *what, const char *why)
{
	if (e->status)
		return 0;
	e->status = e->err->status = GSC_USAGE;
	snprintf(e->err->what, sizeof(e->err->what), "%.60s", *what ? what : "the end");
	snprintf(e->err->why, sizeof(e->err->why), "%s", why);
	return 0;
}

static void skip_blanks(struct expr *e)
{
	e->at += strspn(e->at, " \t");
}

/* ---- operands ------------------------------------------------------------------------------- */

/* "mmio-sr:" has a - that does not subtract. */
static size_t prefix_length(const char *text)
{
	size_t length = strspn(text, "abcdefghijklmnopqrstuvwxyz-0123456789");
	const char *prefix;

	for (size_t i = 0; text[length] == ':' && (prefix = gsc_prefix_at(i)); i++)
		if (strlen(prefix) == length && !strncasecmp(prefix, text, length))
			return length + 1;
	return 0;
}

/* "rcs0.NAME[3]:FIELD" */
static size_t name_length(const char *text)
{
	size_t length = prefix_length(text);

	for (;;) {
		if (isalnum((unsigned char)text[length]) || (text[length] &&
							     strchr("_.:", text[length])))
			length++;
		else if (text[length] == '[' && strchr(text + length, ']'))
			length += strcspn(text + length, "]") + 1;
		else
			return length;
	}
}

static uint64_t name_value(struct expr *e, const char *left)
{
	bool needed = !e->names->check && !e->skip;
	uint64_t value = 0;

	if (e->status)
		return 0;
	e->status = e->names->value(e->names->context, e->name, left, needed, &value, e->err);
	return needed && !e->status ? value : 0;
}

/* "invalid PDE": the word for a value, which may have blanks. */
static size_t quoted_length(const char *text)
{
	const char *end = strchr(text + 1, *text);

	return end ? (size_t)(end - text) + 1 : 0;
}

static uint64_t operand(struct expr *e)
{
	bool quoted = *e->at == '"' || *e->at == '\'';
	size_t length = quoted ? quoted_length(e->at) : name_length(e->at), cut = quoted;
	char left[EXPR_NAME_MAX];
	uint64_t value;

	memcpy(left, e->left, sizeof(left));
	*e->left = 0;
	if (!length || length - cut >= sizeof(e->name))
		return fail(e, e->at, "expected a number, a register or a parenthesis");
	snprintf(e->name, sizeof(e->name), "%.*s", (int)(length - 2 * cut), e->at + cut);
	e->at += length;
	if (quoted && !*left)
		return fail(e, e->name, "the name of a value is compared with a field, by == or "
					"!=");
	if (gsc_parse_number(e->name, &value)) {
		*e->name = 0;
		return value;
	}
	if (*e->name == '0' && !strpbrk(e->name, ":."))
		return fail(e, e->name, "not a number");
	return name_value(e, *left ? left : NULL);
}

/* ---- operators ------------------------------------------------------------------------------ */

static uint64_t binary(struct expr *e, unsigned level);

static uint64_t parenthesis(struct expr *e)
{
	uint64_t value;

	e->at++;
	value = binary(e, 1);
	*e->name = 0;
	skip_blanks(e);
	if (!e->status && *e->at != ')')
		return fail(e, e->at, "expected a ) or an operator");
	e->at += *e->at == ')';
	return value;
}

static uint64_t unary(struct expr *e)
{
	uint64_t value;
	char sign;

	skip_blanks(e);
	if (e->status)
		return 0;
	sign = *e->at;
	if (!sign || !strchr("-+~!(", sign))
		return operand(e);
	if (++e->depth > DEPTH_MAX)
		return fail(e, "(", "more than 64 nested parentheses and signs");
	*e->left = 0;
	if (sign == '(') {
		value = parenthesis(e);
	} else {
		e->at++;
		value = unary(e);
		*e->name = 0;
		value = sign == '-' ? -value : sign == '~' ? ~value : sign == '!' ? !value : value;
	}
	e->depth--;
	return value;
}

static const struct operator *operator_at(const char *text)
{
	for (size_t i = 0; i < OPERATORS; i++)
		if (!strncmp(text, operators[i].text, strlen(operators[i].text)))
			return &operators[i];
	return NULL;
}

static uint64_t divided(struct expr *e, const struct operator *operator, uint64_t a, uint64_t b)
{
	if (!b)
		return fail(e, operator->text, "division by zero");
	return operator->operation == DIVIDE ? a / b : a % b;
}

static uint64_t shifted(struct expr *e, const struct operator *operator, uint64_t a, uint64_t b)
{
	if (b > 63)
		return fail(e, operator->text, "a shift is by 0 to 63 bits");
	return operator->operation == SHIFT_LEFT ? a << b : a >> b;
}

static uint64_t applied(struct expr *e, const struct operator *operator, uint64_t a, uint64_t b)
{
	/* What is skipped or only checked has no values. */
	if (e->status || e->skip || e->names->check)
		return 0;
	switch (operator->operation) {
	case LOGIC_OR:		return a || b;
	case LOGIC_AND:		return a && b;
	case OR:		return a | b;
	case XOR:		return a ^ b;
	case AND:		return a & b;
	case EQUAL:		return a == b;
	case UNEQUAL:		return a != b;
	case LESS_EQUAL:	return a <= b;
	case GREATER_EQUAL:	return a >= b;
	case LESS:		return a < b;
	case GREATER:		return a > b;
	case ADD:		return a + b;
	case SUBTRACT:		return a - b;
	case MULTIPLY:		return a * b;
	case SHIFT_LEFT:
	case SHIFT_RIGHT:	return shifted(e, operator, a, b);
	case DIVIDE:
	case REST:		return divided(e, operator, a, b);
	}
	return 0;
}

static uint64_t binary(struct expr *e, unsigned level)
{
	uint64_t a = unary(e), b;
	const struct operator *operator;
	bool skip;

	for (;;) {
		skip_blanks(e);
		operator = operator_at(e->at);
		if (e->status || !operator || operator->level < level)
			return a;
		e->at += strlen(operator->text);
		if (*e->at == '=' && operator->level < 6)
			return fail(e, e->at - 1, "expected an expression, not a write");
		*e->left = 0;
		if (operator->level == 6)
			memcpy(e->left, e->name, sizeof(e->left));
		skip = !e->names->check && ((operator->operation == LOGIC_AND && !a) ||
					    (operator->operation == LOGIC_OR && a));
		e->skip += skip;
		b = binary(e, operator->level + 1);
		e->skip -= skip;
		*e->name = 0;
		a = applied(e, operator, a, b);
	}
}

enum gsc_status expr_value(const char *text, const struct expr_names *names, uint64_t *value,
			   struct gsc_error *err)
{
	struct expr e = { .at = text, .names = names, .err = err };
	uint64_t result = binary(&e, 1);

	skip_blanks(&e);
	if (!e.status && *e.at)
		fail(&e, e.at, *e.at == '=' ? "unexpected: == compares"
					    : "unexpected");
	if (!e.status)
		*value = result;
	return e.status;
}
