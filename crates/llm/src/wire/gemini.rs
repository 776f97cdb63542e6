//! Gemini generateContent.

mod classify;
mod decode;
mod encode;
mod partial;
mod schema;

use crate::{Caps, Decoder, EncodeError, Headers, HttpRequest, Marks, ModelError, Request, Wire};

/// Gemini generateContent for one model.
#[derive(Debug, Clone)]
pub struct Gemini {
    caps: Caps,
}

impl Gemini {
    /// For the model that `caps` describe.
    #[must_use]
    pub const fn new(caps: Caps) -> Self {
        Self { caps }
    }
}

impl Wire for Gemini {
    fn caps(&self) -> &Caps {
        &self.caps
    }

    /// Equal prefixes are found by the provider itself, so marks stay as they are.
    fn encode(&self, request: &Request, marks: &Marks) -> Result<(HttpRequest, Marks), EncodeError> {
        Ok((encode::encode(&self.caps, request)?, *marks))
    }

    fn decoder(&self, request: &Request) -> Box<dyn Decoder> {
        Box::new(decode::Contents::new(&self.caps, request))
    }

    fn classify(&self, status: u16, headers: &Headers, body: &[u8]) -> ModelError {
        classify::answer(status, headers, body)
    }
}

#[cfg(test)]
mod tests;
