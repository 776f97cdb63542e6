//! Model providers: types of a request and a reply, and the built-in command model.
//! Nothing here knows the turn loop: a model gets one [`Request`] and makes one attempt at a [`Reply`].

mod commands;
mod id;
mod model;
mod request;

pub use commands::CommandModel;
pub use id::{CallId, SessionId};
pub use model::{BoxFuture, Caps, Model, ModelError, ModelKind, Reply, ReplyBlock, Stop, Usage};
pub use request::{Block, Request, RequestMessage, Speaker, ToolChoice, ToolDecl};
