//! A real model server on this machine, at the address in `QUARTERDECK_LOCAL_MODEL`; `cargo xtask local-model` starts one
//! and runs this. What a small model says is its own business: what is checked is how it is said, counted and stopped.
#![expect(clippy::expect_used, reason = "a test without its server has failed")]

use std::sync::{Arc, Mutex};

use llm::local::{LocalServer, probe};
use llm::{
    Block, CallId, Caps, Delta, HttpModel, MarkWish, Model, ModelErrorKind, ModelSettings, Reply, ReplyBlock, Request,
    RequestMessage, Sampling, ServerKind, SessionId, Speaker, Stop, ThinkingWish, ToolChoice, ToolDecl, caps,
    http_model,
};
use robot::{Origin, Trust};
use serde_json::json;

/// Where the server is.
const ADDRESS: &str = "QUARTERDECK_LOCAL_MODEL";
/// Tokens of an answer in these tests.
const ANSWER_TOKENS: u32 = 60;

fn run<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime").block_on(future)
}

fn server() -> LocalServer {
    let base = std::env::var(ADDRESS).unwrap_or_else(|_| panic!("{ADDRESS} names no server"));
    run(probe(&base)).unwrap_or_else(|| panic!("no model server answers at {base}"))
}

fn capabilities() -> Caps {
    let server = server();
    let name = server.models.first().map_or("default", |model| &model.name);
    let mut caps = caps(server.kind, "local", &server.base, name);
    server.lower(&mut caps);
    caps
}

fn model(caps: Caps) -> HttpModel {
    http_model(ModelSettings::new(caps, true), None).expect("a model")
}

fn text(words: &str) -> Block {
    Block::Text { text: words.to_owned(), trust: Trust::Trusted }
}

/// A conversation that grows.
#[derive(Default)]
struct Talk(Vec<RequestMessage>);

impl Talk {
    fn say(&mut self, speaker: Speaker, block: Block) {
        let origin = if speaker == Speaker::Assistant { Origin::Agent } else { Origin::System };
        let entry = Some(self.0.len() as u64);
        self.0.push(RequestMessage { speaker, origin, entry, blocks: vec![block], sidecar: None });
    }

    /// Somebody asks for the robots of a site, and the model looks before it answers.
    fn looked(&mut self, site: &str, robot: &str) {
        let id = CallId(format!("call_{robot}"));
        let args_raw = format!(r#"{{"site": "{site}"}}"#);
        let json = format!(r#"{{"robots":["{robot}"]}}"#);
        self.ask(site);
        self.say(Speaker::Assistant, Block::Call { id: id.clone(), name: "list_robots".to_owned(), args_raw });
        self.say(Speaker::User, Block::Result { call: id, json, is_error: false, trust: Trust::Typed });
        self.say(Speaker::Assistant, text(&format!("At the {site} is {robot}.")));
    }

    fn ask(&mut self, site: &str) {
        self.say(Speaker::User, text(&format!("Which robots are at the site {site}?")));
    }

    fn request(&self, session: &str, choice: ToolChoice) -> Request {
        let site = json!({ "type": "object", "properties": { "site": { "type": "string" } }, "required": ["site"] });
        let tool = ToolDecl {
            name: "list_robots".to_owned(),
            description: "Lists the robots of a site".to_owned(),
            input_schema: site,
        };
        Request {
            session: SessionId(session.to_owned()),
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
fn practised() -> Talk {
    let mut talk = Talk::default();
    talk.looked("dock", "arm-1");
    talk.looked("yard", "arm-2");
    talk.ask("lab");
    talk
}

fn call(model: &HttpModel, request: Request) -> (Reply, Vec<Delta>) {
    let told = Arc::new(Mutex::new(Vec::new()));
    let heard = Arc::clone(&told);
    let reply = run(model.call(request, Arc::new(move |delta| heard.lock().expect("the list").push(delta))));
    let told = told.lock().expect("the list").clone();
    (reply.expect("a reply"), told)
}

fn calls(reply: &Reply) -> Vec<(&str, &str)> {
    let calls = reply.blocks.iter().filter_map(|block| match block {
        ReplyBlock::Call { name, args_raw, .. } => Some((name.as_str(), args_raw.as_str())),
        ReplyBlock::Text(_) => None,
    });
    calls.collect()
}

fn words(reply: &Reply) -> String {
    let words = reply.blocks.iter().filter_map(|block| match block {
        ReplyBlock::Text(text) => Some(text.as_str()),
        ReplyBlock::Call { .. } => None,
    });
    words.collect()
}

fn check_called(choice: ToolChoice, caps: Caps) {
    let (reply, told) = call(&model(caps), practised().request("tools", choice.clone()));
    println!("tools, {choice:?}: {:?}, {:?}", reply.stop, reply.blocks);
    assert_eq!(calls(&reply), [("list_robots", r#"{"site": "lab"}"#)]);
    assert_eq!(reply.stop, Stop::ToolUse);
    assert!(matches!(told.first(), Some(Delta::CallStart { .. })), "{told:?}");
    assert!(told.iter().any(|delta| matches!(delta, Delta::CallEnd { .. })), "{told:?}");
}

#[test]
fn a_the_server_says_what_it_is() {
    let server = server();
    println!("server: {} {:?}, tools {:?}", server.base, server.kind, server.has_tools);
    for model in &server.models {
        println!("model: {}, window {:?}", model.name, model.window);
    }
    assert_ne!(server.kind, ServerKind::OpenaiCompatible, "a local server is known by its answers");
    assert!(!server.models.is_empty());
}

#[test]
fn b_words_come_while_they_are_made() {
    let mut talk = Talk::default();
    talk.say(Speaker::User, text("Count from one to five in words."));
    let mut request = talk.request("stream", ToolChoice::Auto);
    request.tools = Arc::from([]);
    let (reply, told) = call(&model(capabilities()), request);
    let pieces: Vec<&str> = told
        .iter()
        .filter_map(|delta| if let Delta::Text(text) = delta { Some(text.as_str()) } else { None })
        .collect();
    println!("streaming: {} pieces, {:?}, {:?}", pieces.len(), reply.stop, reply.usage);
    assert!(pieces.len() > 3, "{pieces:?}");
    assert_eq!(pieces.concat(), words(&reply));
    assert!(reply.usage.input() > 0 && reply.usage.out > 0 && !reply.usage.estimated, "{:?}", reply.usage);
}

#[test]
fn c_a_tool_is_called_when_it_must_be() {
    check_called(ToolChoice::Required, capabilities());
}

#[test]
fn d_a_tool_is_called_when_it_may_be() {
    check_called(ToolChoice::Auto, capabilities());
}

#[test]
fn e_wc_07_a_tool_is_called_that_was_only_printed() {
    check_called(ToolChoice::Auto, Caps { native_tools: false, ..capabilities() });
}

#[test]
fn f_wc_05_no_tool_is_called_when_none_may_be() {
    let (reply, told) = call(&model(capabilities()), practised().request("none", ToolChoice::None));
    println!("tools, none: {:?}, {:?}", reply.stop, words(&reply));
    assert_eq!(calls(&reply), []);
    assert!(!words(&reply).contains("tool_call"), "{}", words(&reply));
    assert!(!told.iter().any(|delta| matches!(delta, Delta::CallStart { .. })), "{told:?}");
}

#[test]
fn g_wc_06_a_turn_reads_only_what_is_new() {
    let model = model(capabilities());
    let mut talk = Talk::default();
    for (turn, site) in ["dock", "yard", "lab", "gate"].into_iter().enumerate() {
        talk.ask(site);
        let (reply, _) = call(&model, talk.request("reuse", ToolChoice::Auto));
        let usage = reply.usage;
        println!("reuse, turn {turn}: {} of {} prompt tokens read anew", usage.in_fresh, usage.input());
        assert!(turn == 0 || usage.in_fresh * 2 < usage.input(), "{usage:?}");
        talk.say(Speaker::Assistant, text(&format!("At the {site} is nothing.")));
    }
}

#[test]
fn h_d_13_d_14_a_warm_call_reads_the_next_prefix() {
    let model = model(capabilities());
    let mut talk = Talk::default();
    talk.say(Speaker::User, text("Forget everything. This conversation is about the weather at the harbour."));
    talk.say(Speaker::Assistant, text("The weather at the harbour is calm today, with little wind from the west."));
    let warm = Request { output_max: 1, ..talk.request("warm", ToolChoice::Auto) };
    let (warmed, _) = call(&model, warm);
    talk.say(Speaker::User, text("And tomorrow?"));
    let (reply, _) = call(&model, talk.request("warm", ToolChoice::Auto));
    println!("warm: {} tokens read, then {} of {}", warmed.usage.in_fresh, reply.usage.in_fresh, reply.usage.input());
    assert_eq!(warmed.usage.out, 1);
    assert!(reply.usage.cache_read + 8 >= warmed.usage.input(), "{:?} after {:?}", reply.usage, warmed.usage);
}

#[test]
fn i_a_call_that_is_dropped_frees_the_server() {
    let model = model(capabilities());
    let mut talk = Talk::default();
    talk.say(Speaker::User, text("Write a very long story about a lighthouse."));
    let endless = Request { output_max: 4_000, tools: Arc::from([]), ..talk.request("cancel", ToolChoice::Auto) };
    let (first, heard) = std::sync::mpsc::sync_channel(64);
    run(async {
        let call = model.call(endless, Arc::new(move |delta| drop(first.try_send(delta))));
        let until_told = async {
            while heard.try_recv().is_err() {
                tokio::task::yield_now().await;
            }
        };
        tokio::select! {
            reply = call => panic!("it was to be cancelled: {reply:?}"),
            () = until_told => {}
        }
    });
    // The server has one slot: it answers this only because the story has ended.
    let mut talk = Talk::default();
    talk.say(Speaker::User, text("Say yes."));
    let (reply, _) = call(&model, Request { output_max: 4, ..talk.request("after", ToolChoice::Auto) });
    println!("cancel: the next call was answered, {:?}", reply.stop);
}

#[test]
fn j_we_02_a_prompt_that_is_too_long_names_the_window() {
    let caps = capabilities();
    let window = caps.window;
    let mut talk = Talk::default();
    talk.say(Speaker::User, text(&"far too long ".repeat(window as usize)));
    let error =
        run(model(caps).call(talk.request("long", ToolChoice::Auto), Arc::new(drop))).expect_err("it is too long");
    println!("overflow: {:?}, window {:?}", error.kind, error.window);
    assert_eq!((error.kind, error.window), (ModelErrorKind::Overflow, Some(window)));
}
