//! ROS 2 as it goes over the wire: names of topics in Zenoh, definitions of messages and their hashes, and CDR. Pure.

mod cdr;
mod definition;
mod hash;
mod token;
mod topic;

pub use cdr::{CdrError, read};
pub use definition::{Definition, DefinitionError, Definitions, built_in};
pub use token::{TOKENS, Token, TokenKind};
pub use topic::{Topic, UnknownMessage};
