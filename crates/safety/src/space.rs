//! Frames, regions and the distances between them. All arithmetic rounds against the command.

pub(crate) mod frames;
pub(crate) mod geometry;
pub(crate) mod grid;
pub(crate) mod rounding;
