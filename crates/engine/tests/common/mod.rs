//! What the tests of the engines share.

pub(crate) use program::testing::parse as program;
