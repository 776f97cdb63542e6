//! The context that a model is shown: of its conversation, of what the agent remembers and of the robots.

pub(in crate::turn_runner) mod aside;
pub(in crate::turn_runner) mod forget;
pub(in crate::turn_runner) mod recall;
pub(in crate::turn_runner) mod robots_block;
pub(in crate::turn_runner) mod summary;
