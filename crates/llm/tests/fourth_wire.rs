//! A fourth wire format that is none of ours, written with nothing but what `llm` publishes: if this compiles, nothing
//! in `Wire`, `Sidecar`, `Usage` or `Caps` assumes the formats that exist.

use std::sync::Arc;

use llm::{
    Auth, Caps, Decoder, Delta, EncodeError, Headers, HttpRequest, MarkWish, Marks, ModelError, ModelErrorKind, Reply,
    ReplyBlock, Request, ServerKind, SessionId, Sidecar, SidecarBlock, Stop, ThinkingWish, ToolChoice, Usage, Wire,
    caps,
};
use serde_json::{Value, json};

/// Items in lines; the last one is the truth.
struct Items {
    caps: Caps,
}

impl Wire for Items {
    fn caps(&self) -> &Caps {
        &self.caps
    }

    fn encode(&self, request: &Request, marks: &Marks) -> Result<(HttpRequest, Marks), EncodeError> {
        let own = request.messages.iter().filter_map(|message| message.sidecar.as_ref());
        let items = own.filter(|sidecar| sidecar.is_of(&self.caps)).flat_map(|sidecar| &sidecar.blocks);
        let input: Vec<&Value> = items.filter_map(item).collect();
        let body = json!({"input": input, "store": false}).to_string().into_bytes();
        Ok((HttpRequest { path: "/responses".to_owned(), headers: Vec::new(), auth: Auth::Bearer, body }, *marks))
    }

    fn decoder(&self, _request: &Request) -> Box<dyn Decoder> {
        Box::new(Lines { caps: self.caps.clone(), bytes: Vec::new() })
    }

    fn classify(&self, status: u16, _headers: &Headers, body: &[u8]) -> ModelError {
        let message = String::from_utf8_lossy(body);
        ModelError { status: Some(status), ..ModelError::own(ModelErrorKind::BadRequest, message) }
    }
}

fn item(block: &SidecarBlock) -> Option<&Value> {
    match block {
        SidecarBlock::Item { raw } => Some(raw),
        SidecarBlock::Text { .. }
        | SidecarBlock::Thinking { .. }
        | SidecarBlock::Redacted { .. }
        | SidecarBlock::Call { .. } => None,
    }
}

struct Lines {
    caps: Caps,
    bytes: Vec<u8>,
}

impl Decoder for Lines {
    fn push(&mut self, bytes: &[u8]) -> Vec<Delta> {
        self.bytes.extend_from_slice(bytes);
        Vec::new()
    }

    fn finish(self: Box<Self>) -> Result<Reply, ModelError> {
        let items: Vec<Value> = serde_json::from_slice(&self.bytes)
            .map_err(|error| ModelError::own(ModelErrorKind::Protocol, error.to_string()))?;
        let text = items.iter().filter_map(|item| item.get("text")?.as_str()).collect();
        let sidecar = Sidecar {
            provider: self.caps.provider.clone(),
            api: self.caps.api,
            model: self.caps.name.clone(),
            base: self.caps.base.clone(),
            response_id: None,
            stop: Stop::End,
            usage_raw: Value::Null,
            blocks: items.into_iter().map(|raw| SidecarBlock::Item { raw }).collect(),
        };
        Ok(Reply {
            blocks: vec![ReplyBlock::Text(text)],
            stop: Stop::End,
            usage: Usage::default(),
            sidecar: Some(sidecar),
        })
    }
}

#[test]
fn wr_03_a_fourth_format_needs_nothing_new() {
    let wire: Box<dyn Wire> = Box::new(Items { caps: caps(ServerKind::OpenaiCompatible, "p", "https://p", "m") });
    let mut request = Request {
        session: SessionId("s".to_owned()),
        epoch: 0,
        system: Vec::new(),
        tools: Arc::from([]),
        messages: Vec::new(),
        choice: ToolChoice::Auto,
        output_max: 1,
        thinking: ThinkingWish::Own,
        sampling: None,
        transient_from: None,
        marks: MarkWish::default(),
        drop_blocks: false,
    };
    let mut decoder = wire.decoder(&request);
    decoder.push(br#"[{"type":"reasoning","encrypted_content":"x"},{"type":"message","text":"Hi."}]"#);
    let reply = decoder.finish().expect("a reply");
    assert_eq!(reply.blocks, [ReplyBlock::Text("Hi.".to_owned())]);
    request.messages.push(llm::RequestMessage {
        speaker: llm::Speaker::Assistant,
        origin: robot::Origin::Agent,
        entry: Some(0),
        blocks: Vec::new(),
        sidecar: reply.sidecar.map(Arc::new),
    });
    let (sent, _) = wire.encode(&request, &Marks::default()).expect("it encodes");
    let sent: Value = serde_json::from_slice(&sent.body).expect("JSON");
    assert_eq!(sent["input"][0]["encrypted_content"], "x");
}
