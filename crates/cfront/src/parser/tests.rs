//! Small texts and what becomes of them.
