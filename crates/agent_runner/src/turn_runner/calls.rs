//! Calls of models: the one that a turn waits for, and those beside it.

pub(in crate::turn_runner) mod background_call;
pub(in crate::turn_runner) mod model;
pub(in crate::turn_runner) mod prompt_cache_warmup;
pub(in crate::turn_runner) mod reader;
