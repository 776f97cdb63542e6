//! Ollama's own chat interface. Unlike its copy of Chat Completions it takes the window that the operator has set.

mod decode;
mod encode;

use super::chat;
use crate::{Auth, Caps, Decoder, EncodeError, Headers, HttpRequest, Marks, ModelError, Request, Wire};

/// Ollama's own chat interface for one model.
#[derive(Debug, Clone)]
pub struct Ollama {
    caps: Caps,
}

impl Ollama {
    /// For the model that `caps` describe.
    #[must_use]
    pub const fn new(caps: Caps) -> Self {
        Self { caps }
    }
}

impl Wire for Ollama {
    fn caps(&self) -> &Caps {
        &self.caps
    }

    fn encode(&self, request: &Request, marks: &Marks) -> Result<(HttpRequest, Marks), EncodeError> {
        let body = encode::body(&self.caps, request)?;
        let headers = vec![("content-type", "application/json".to_owned())];
        Ok((HttpRequest { path: "/api/chat".to_owned(), headers, auth: Auth::Bearer, body }, *marks))
    }

    fn decoder(&self, request: &Request) -> Box<dyn Decoder> {
        Box::new(decode::OllamaDecoder::new(self.caps.clone(), request))
    }

    fn classify(&self, status: u16, headers: &Headers, body: &[u8]) -> ModelError {
        chat::classify(&self.caps, status, headers, body)
    }
}

#[cfg(test)]
mod tests;
