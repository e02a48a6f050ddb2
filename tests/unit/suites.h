/* The suites, by the name of their register_ function. */
X(db)
