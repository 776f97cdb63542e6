//! Anthropic Messages.

mod classify;
mod decode;
mod encode;
mod wishes;

use crate::{Caps, Decoder, EncodeError, Headers, HttpRequest, Marks, ModelError, Request, Wire};

/// Anthropic Messages for one model.
#[derive(Debug, Clone)]
pub struct Anthropic {
    caps: Caps,
}

impl Anthropic {
    /// For the model that `caps` describe.
    #[must_use]
    pub const fn new(caps: Caps) -> Self {
        Self { caps }
    }
}

impl Wire for Anthropic {
    fn caps(&self) -> &Caps {
        &self.caps
    }

    fn encode(&self, request: &Request, marks: &Marks) -> Result<(HttpRequest, Marks), EncodeError> {
        encode::encode(&self.caps, request, marks)
    }

    fn decoder(&self, request: &Request) -> Box<dyn Decoder> {
        Box::new(decode::Messages::new(&self.caps, request))
    }

    fn classify(&self, status: u16, headers: &Headers, body: &[u8]) -> ModelError {
        classify::answer(status, headers, body)
    }
}

#[cfg(test)]
mod tests;
