//! Chat Completions: OpenAI's form, and that of the servers that speak it.

mod answer;
mod calls;
mod classify;
mod decode;
mod encode;
mod usage;

pub(super) use answer::Answer;
pub(super) use calls::Fragment;
pub(super) use classify::{classify, classify_in_stream};
pub(super) use encode::{Message, Tool, messages};

use crate::{Auth, Caps, Decoder, EncodeError, Headers, HttpRequest, Marks, ModelError, Request, Wire};

/// Chat Completions for one model.
#[derive(Debug, Clone)]
pub struct Chat {
    caps: Caps,
}

impl Chat {
    /// For the model that `caps` describe.
    #[must_use]
    pub const fn new(caps: Caps) -> Self {
        Self { caps }
    }
}

impl Wire for Chat {
    fn caps(&self) -> &Caps {
        &self.caps
    }

    fn encode(&self, request: &Request, marks: &Marks) -> Result<(HttpRequest, Marks), EncodeError> {
        let body = encode::body(&self.caps, request)?;
        let headers = vec![("content-type", "application/json".to_owned())];
        Ok((HttpRequest { path: "/chat/completions".to_owned(), headers, auth: Auth::Bearer, body }, *marks))
    }

    fn decoder(&self, request: &Request) -> Box<dyn Decoder> {
        Box::new(decode::ChatDecoder::new(self.caps.clone(), request))
    }

    fn classify(&self, status: u16, headers: &Headers, body: &[u8]) -> ModelError {
        classify(&self.caps, status, headers, body)
    }
}

#[cfg(test)]
pub(crate) mod tests;
