/* SPDX-License-Identifier: MIT */
/* The suites, by the name of their register_ function; tests/meson.build lists them too. */
X(db)
X(util)
X(source)
X(readers)
X(register_text)
X(source_corpus)
X(device)
X(memory)
X(stolen)
X(demo)
X(regs)
X(out)
