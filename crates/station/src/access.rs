//! Access to the station: the tokens that sign people and programs in, and the PIN of Admins.

mod pin;
mod tokens;

pub(crate) use pin::Pin;
pub use tokens::fresh_token;
pub(crate) use tokens::{NewToken, Tokens};
