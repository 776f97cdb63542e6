//! Model providers: types of a request and a reply, and the built-in command model.
//! Nothing here knows the turn loop: a model gets one [`Request`] and makes one attempt at a [`Reply`].

mod caps;
mod catalogue;
mod commands;
mod driver;
mod embed;
pub mod http;
mod id;
pub mod local;
mod model;
mod parameters;
mod price;
mod request;
mod served;
mod sidecar;
mod wire;

pub use caps::{
    Api, Cache, Capability, Caps, Choice, EmbeddingForm, IdShape, ModelKind, PrefixBound, ReasoningBack, Schema,
    ServerKind, ServerProfile, Thinking, ThinkingOff,
};
pub use catalogue::{caps, cost_micros, price};
pub use commands::{CommandModel, SideCall, StopAsked, StopDone, stop_asked};
pub use driver::{HttpModel, ModelSettings, SetupError, Times, http_model};
pub use embed::{Embedder, EmbeddingSettings, Embeddings, embedder};
pub use id::CallId;
pub use model::{
    BoxFuture, Delta, DeltaSink, Model, ModelError, ModelErrorKind, PromptRead, Reply, ReplyBlock, Stop, Usage,
};
pub use price::{Band, LongBand, Price, Tariff};
pub use request::{
    Block, Effort, MarkWish, Request, RequestMessage, Sampling, Speaker, ThinkingWish, ToolChoice, ToolDecl,
    TransientMark,
};
pub use served::served_models;
pub use sidecar::{Sidecar, SidecarBlock};
pub use wire::{
    Anthropic, Auth, BlockKey, Chat, Decoder, EncodeError, Gemini, Headers, HttpRequest, Marks, Ollama, Wire,
};
