//! A fourth wire format, in the form of Responses, written with nothing but what `llm` publishes: if this compiles,
//! nothing in `Wire`, `Sidecar`, `Usage` or `Caps` assumes the formats that exist.

use std::sync::Arc;

use llm::{
    Auth, Block, CallId, Caps, Decoder, Delta, EncodeError, Headers, HttpRequest, MarkWish, Marks, ModelError,
    ModelErrorKind, PrefixBound, Reply, ReplyBlock, Request, RequestMessage, ServerKind, Sidecar, SidecarBlock,
    Speaker, Stop, ThinkingWish, ToolChoice, Usage, Wire, caps,
};
use robot::{ConversationId, Origin, Trust};
use serde_json::{Value, json};

/// Items in, items out; those of the last event are the truth.
struct Items {
    caps: Caps,
}

impl Wire for Items {
    fn caps(&self) -> &Caps {
        &self.caps
    }

    fn encode(&self, request: &Request, marks: &Marks) -> Result<(HttpRequest, Marks), EncodeError> {
        let input: Vec<Value> = request.messages.iter().flat_map(|message| self.items(message)).collect();
        let body = json!({ "input": input, "store": false, "include": ["reasoning.encrypted_content"] });
        let (path, body) = ("/responses".to_owned(), body.to_string().into_bytes());
        Ok((HttpRequest { path, headers: Vec::new(), auth: Auth::Bearer, body }, *marks))
    }

    fn decoder(&self, _request: &Request) -> Box<dyn Decoder> {
        Box::new(Events { caps: self.caps.clone(), unread: Vec::new(), whole: None })
    }

    fn classify(&self, status: u16, _headers: &Headers, body: &[u8]) -> ModelError {
        let message = String::from_utf8_lossy(body);
        ModelError { status: Some(status), ..ModelError::own(ModelErrorKind::BadRequest, message) }
    }
}

impl Items {
    /// Its own reply as it came, in place; everything else in the words of the format.
    fn items(&self, message: &RequestMessage) -> Vec<Value> {
        if let Some(own) = message.sidecar.as_ref().filter(|sidecar| sidecar.is_of(&self.caps)) {
            return own.blocks.iter().filter_map(item).cloned().collect();
        }
        let role = if message.speaker == Speaker::Assistant { "assistant" } else { "user" };
        let item = |block: &Block| match block {
            Block::Text { text, .. } => json!({ "type": "message", "role": role, "content": text }),
            Block::Call { id, name, args_raw } => {
                json!({ "type": "function_call", "call_id": id, "name": name, "arguments": args_raw })
            }
            Block::Result { call, json, .. } => {
                json!({ "type": "function_call_output", "call_id": call, "output": json })
            }
        };
        message.blocks.iter().map(item).collect()
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

struct Events {
    caps: Caps,
    unread: Vec<u8>,
    /// The response of the terminal event.
    whole: Option<Value>,
}

impl Events {
    fn take(&mut self, event: &Value) -> Option<Delta> {
        let text = |field: &str| event[field].as_str().unwrap_or_default().to_owned();
        let index = event["output_index"].as_u64().and_then(|index| usize::try_from(index).ok()).unwrap_or_default();
        match event["type"].as_str().unwrap_or_default() {
            "response.output_item.added" if event["item"]["type"] == "function_call" => {
                let field = |name: &str| event["item"][name].as_str().unwrap_or_default().to_owned();
                Some(Delta::CallStart { index, id: CallId(field("call_id")), name: field("name") })
            }
            "response.output_text.delta" => Some(Delta::Text(text("delta"))),
            "response.reasoning_summary_text.delta" => Some(Delta::Thinking(text("delta"))),
            "response.function_call_arguments.delta" => Some(Delta::CallArgs { index, json: text("delta") }),
            "response.output_item.done" if event["item"]["type"] == "function_call" => Some(Delta::CallEnd { index }),
            "response.completed" | "response.incomplete" | "response.failed" => {
                self.whole = Some(event["response"].clone());
                None
            }
            // Whatever is newer than this.
            _ => None,
        }
    }
}

impl Decoder for Events {
    fn push(&mut self, bytes: &[u8]) -> Vec<Delta> {
        self.unread.extend_from_slice(bytes);
        let mut deltas = Vec::new();
        while let Some(end) = self.unread.windows(2).position(|pair| pair == b"\n\n") {
            let event: Vec<u8> = self.unread.drain(..end + 2).collect();
            let data = event.split(|byte| *byte == b'\n').find_map(|line| line.strip_prefix(b"data: "));
            let event = data.and_then(|data| serde_json::from_slice::<Value>(data).ok());
            deltas.extend(event.and_then(|event| self.take(&event)));
        }
        deltas
    }

    fn is_answer(&self) -> bool {
        true
    }

    fn finish(self: Box<Self>) -> Result<Reply, ModelError> {
        let Some(whole) = self.whole else {
            return Err(ModelError::own(ModelErrorKind::Transport, "the stream has no end"));
        };
        let items = whole["output"].as_array().cloned().unwrap_or_default();
        let is_cut = whole["incomplete_details"]["reason"] == "max_output_tokens";
        let stop = if is_cut { Stop::Length } else { Stop::End };
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let blocks = items.iter().filter_map(|item| match item["type"].as_str() {
            Some("message") => Some(ReplyBlock::Text(text(&item["content"][0]["text"]))),
            Some("function_call") => Some(ReplyBlock::Call {
                id: CallId(text(&item["call_id"])),
                name: text(&item["name"]),
                args_raw: text(&item["arguments"]),
            }),
            Some(_) | None => None,
        });
        let usage = Usage { out: whole["usage"]["output_tokens"].as_u64().unwrap_or_default(), ..Usage::default() };
        let sidecar = Sidecar {
            provider: self.caps.provider.clone(),
            api: self.caps.api,
            model: self.caps.name.clone(),
            base: self.caps.base.clone(),
            response_id: whole["id"].as_str().map(str::to_owned),
            stop: stop.clone(),
            usage_raw: whole["usage"].clone(),
            blocks: items.iter().map(|raw| SidecarBlock::Item { raw: raw.clone() }).collect(),
            calls_left_out: 0,
        };
        Ok(Reply { blocks: blocks.collect(), stop, usage, sidecar: Some(sidecar) })
    }
}

fn wire() -> Box<dyn Wire> {
    let caps = caps(ServerKind::OpenaiCompatible, "p", "https://p", "m");
    Box::new(Items { caps: Caps { prefix_bound: PrefixBound::Drops, ..caps } })
}

fn request() -> Request {
    let hello = Block::Text { text: "Look.".to_owned(), trust: Trust::Trusted };
    Request {
        session: ConversationId::from("s"),
        epoch: 0,
        system: Vec::new(),
        tools: Arc::from([]),
        messages: vec![message(0, Speaker::User, vec![hello])],
        choice: ToolChoice::Auto,
        output_max: 1,
        thinking: ThinkingWish::Own,
        sampling: None,
        transient_from: None,
        marks: MarkWish::default(),
        drop_blocks: false,
    }
}

fn message(entry: u64, speaker: Speaker, blocks: Vec<Block>) -> RequestMessage {
    RequestMessage { speaker, origin: Origin::System, entry: Some(entry), blocks, sidecar: None }
}

/// The items of a reply; what was streamed before says less.
fn output() -> Value {
    json!([
        { "type": "reasoning", "id": "rs_1", "encrypted_content": "x==", "summary": [] },
        { "type": "message", "role": "assistant", "content": [{ "type": "output_text", "text": "I look." }] },
        { "type": "function_call", "id": "fc_1", "call_id": "call_1", "name": "t", "arguments": "{ }" },
    ])
}

/// A stream up to its terminal event, which has that name.
fn stream(terminal: &str) -> Vec<Value> {
    vec![
        json!({ "type": "response.created", "response": { "id": "r_1" } }),
        json!({ "type": "response.reasoning_summary_text.delta", "output_index": 0, "delta": "Hm." }),
        json!({ "type": "response.output_text.delta", "output_index": 1, "delta": "I lo" }),
        json!({ "type": "response.output_item.added", "output_index": 2,
            "item": { "type": "function_call", "call_id": "call_1", "name": "t" } }),
        json!({ "type": "response.function_call_arguments.delta", "output_index": 2, "delta": "{ }" }),
        json!({ "type": "response.output_item.done", "output_index": 2, "item": { "type": "function_call" } }),
        json!({ "type": "response.of_next_year", "delta": "?" }),
        json!({ "type": terminal, "response": { "id": "r_1", "output": output(), "usage": { "output_tokens": 4 },
            "incomplete_details": if terminal.ends_with("incomplete") { json!({ "reason": "max_output_tokens" }) } else { Value::Null } } }),
    ]
}

/// The deltas and the reply of `events`.
fn read(events: &[Value]) -> (Vec<Delta>, Result<Reply, ModelError>) {
    let mut decoder = wire().decoder(&request());
    let mut deltas = Vec::new();
    for event in events {
        deltas.extend(decoder.push(format!("event: x\ndata: {event}\n\n").as_bytes()));
    }
    (deltas, decoder.finish())
}

#[test]
fn wr_01_the_items_of_the_terminal_event_are_the_reply_and_without_one_there_is_none() {
    let (deltas, reply) = read(&stream("response.completed"));
    let expected = [
        Delta::Thinking("Hm.".to_owned()),
        Delta::Text("I lo".to_owned()),
        Delta::CallStart { index: 2, id: CallId("call_1".to_owned()), name: "t".to_owned() },
        Delta::CallArgs { index: 2, json: "{ }".to_owned() },
        Delta::CallEnd { index: 2 },
    ];
    assert_eq!(deltas, expected);
    let reply = reply.expect("a reply");
    let call = ReplyBlock::Call { id: CallId("call_1".to_owned()), name: "t".to_owned(), args_raw: "{ }".to_owned() };
    assert_eq!(reply.blocks, [ReplyBlock::Text("I look.".to_owned()), call], "not what the pieces came to");
    let (_, cut) = read(&stream("response.incomplete"));
    assert_eq!(cut.expect("a reply").stop, Stop::Length);
    let events = stream("response.completed");
    for end in 0..events.len() {
        let (_, reply) = read(&events[..end]);
        assert_eq!(reply.expect_err("no terminal event").kind, ModelErrorKind::Transport, "after {end} events");
    }
}

#[test]
fn wr_02_wr_03_items_of_thinking_go_back_unchanged_and_in_place() {
    let wire = wire();
    let (_, reply) = read(&stream("response.completed"));
    let mut request = request();
    let sidecar = reply.expect("a reply").sidecar.map(Arc::new);
    request.messages.push(RequestMessage { sidecar, ..message(1, Speaker::Assistant, Vec::new()) });
    let (call, json) = (CallId("call_1".to_owned()), "{}".to_owned());
    let result = Block::Result { call, json, is_error: false, trust: Trust::Trusted };
    request.messages.push(message(2, Speaker::User, vec![result]));
    let (sent, _) = wire.encode(&request, &Marks::default()).expect("it encodes");
    let sent: Value = serde_json::from_slice(&sent.body).expect("JSON");
    let mut expected = vec![json!({ "type": "message", "role": "user", "content": "Look." })];
    expected.extend(output().as_array().cloned().unwrap_or_default());
    expected.push(json!({ "type": "function_call_output", "call_id": "call_1", "output": "{}" }));
    assert_eq!(sent["input"], json!(expected));
    // A provider that drops them in silence is one to which the past is not edited.
    assert_eq!(wire.caps().prefix_bound, PrefixBound::Drops);
}
