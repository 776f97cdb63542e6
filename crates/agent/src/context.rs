//! The context of a model: the view of a transcript, and how room is made in it.

pub(crate) mod aside;
pub(crate) mod compact;
pub(crate) mod context_relief;
pub(crate) mod estimate;
pub(crate) mod mask;
pub(crate) mod stable;
pub(crate) mod view;
pub(crate) mod visible;
