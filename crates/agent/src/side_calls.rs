//! Calls of a model beside the conversation.

pub(crate) mod micro_turn;
pub(crate) mod reader;
pub(crate) mod recall;
pub(crate) mod side;
