//! A conversation about robots that grows, for the suites that talk to a real model.

use std::sync::{Arc, Mutex};

use llm::{
    Block, CallId, Delta, HttpModel, MarkWish, Model, ModelError, Reply, ReplyBlock, Request, RequestMessage, Sampling,
    Speaker, ThinkingWish, ToolChoice, ToolDecl,
};
use robot::{ConversationId, Origin, Trust};
use serde_json::json;

/// Tokens of an answer in these tests.
const ANSWER_TOKENS: u32 = 60;

pub fn run<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime").block_on(future)
}

pub fn text(words: &str) -> Block {
    Block::Text { text: words.to_owned(), trust: Trust::Trusted }
}

/// A conversation that grows.
#[derive(Default)]
pub struct Talk(pub Vec<RequestMessage>);

impl Talk {
    pub fn say(&mut self, speaker: Speaker, block: Block) {
        let origin = if speaker == Speaker::Assistant { Origin::Agent } else { Origin::System };
        let entry = Some(self.0.len() as u64);
        self.0.push(RequestMessage { speaker, origin, entry, blocks: vec![block], sidecar: None });
    }

    /// Somebody asks for the robots of a site, and the model looks before it answers.
    pub fn looked(&mut self, site: &str, robot: &str) {
        let id = CallId(format!("call_{robot}"));
        let args_raw = format!(r#"{{"site": "{site}"}}"#);
        let json = format!(r#"{{"robots":["{robot}"]}}"#);
        self.ask(site);
        self.say(Speaker::Assistant, Block::Call { id: id.clone(), name: "list_robots".to_owned(), args_raw });
        self.say(Speaker::User, Block::Result { call: id, json, is_error: false, trust: Trust::Typed });
        self.say(Speaker::Assistant, text(&format!("At the {site} is {robot}.")));
    }

    pub fn ask(&mut self, site: &str) {
        self.say(Speaker::User, text(&format!("Which robots are at the site {site}?")));
    }

    pub fn request(&self, session: &str, choice: ToolChoice) -> Request {
        let site = json!({ "type": "object", "properties": { "site": { "type": "string" } }, "required": ["site"] });
        let tool = ToolDecl {
            name: "list_robots".to_owned(),
            description: "Lists the robots of a site".to_owned(),
            input_schema: site,
        };
        Request {
            session: ConversationId::from(session),
            epoch: 0,
            system: vec!["You watch robots. You look before you answer.".to_owned()],
            tools: Arc::from([tool]),
            messages: self.0.clone(),
            choice,
            output_max: ANSWER_TOKENS,
            thinking: ThinkingWish::Own,
            sampling: Some(Sampling { temperature: 0.0 }),
            transient_from: None,
            marks: MarkWish::default(),
            drop_blocks: false,
        }
    }
}

/// A conversation after which even a small model knows what to do.
pub fn practised() -> Talk {
    let mut talk = Talk::default();
    talk.looked("dock", "arm-1");
    talk.looked("yard", "arm-2");
    talk.ask("lab");
    talk
}

/// Makes a call; what came of it, and what was told meanwhile.
pub fn attempt(model: &HttpModel, request: Request) -> (Result<Reply, ModelError>, Vec<Delta>) {
    let told = Arc::new(Mutex::new(Vec::new()));
    let heard = Arc::clone(&told);
    let reply = run(model.call(request, Arc::new(move |delta| heard.lock().expect("the list").push(delta))));
    let told = told.lock().expect("the list").clone();
    (reply, told)
}

pub fn calls(reply: &Reply) -> Vec<(&str, &str)> {
    let calls = reply.blocks.iter().filter_map(|block| match block {
        ReplyBlock::Call { name, args_raw, .. } => Some((name.as_str(), args_raw.as_str())),
        ReplyBlock::Text(_) => None,
    });
    calls.collect()
}

pub fn words(reply: &Reply) -> String {
    let words = reply.blocks.iter().filter_map(|block| match block {
        ReplyBlock::Text(text) => Some(text.as_str()),
        ReplyBlock::Call { .. } => None,
    });
    words.collect()
}
