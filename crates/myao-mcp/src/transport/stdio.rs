//! Lines on standard input and output.
