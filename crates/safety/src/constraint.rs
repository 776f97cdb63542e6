//! Constraints: read strictly, compiled for one robot, named by a hash, and compared with those before.

pub(crate) mod bound;
pub(crate) mod direction;
pub(crate) mod joints;
pub(crate) mod limits;
pub(crate) mod params;
pub(crate) mod rate;
pub(crate) mod set_hash;
