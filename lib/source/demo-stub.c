#include "source/demo.h"
const struct gsc_demo demo_table[] = {{"a","b","c",1}}; const size_t demo_count = 0;
