//! A real model server on this machine, at the address in `QUARTERDECK_LOCAL_MODEL`; `cargo xtask local-model` starts one
//! and runs this. What a small model says is its own business: what is checked is how it is said, counted and stopped.
#![expect(clippy::expect_used, reason = "a test without its server has failed")]

mod talk;

use std::sync::Arc;

use llm::local::{LocalServer, probe};
use llm::{
    Caps, Delta, HttpModel, Model, ModelErrorKind, ModelSettings, Reply, Request, ServerKind, Speaker, Stop,
    ToolChoice, caps, http_model,
};
use talk::{Talk, attempt, calls, practised, run, text, words};

/// Address of the server.
const ADDRESS: &str = "QUARTERDECK_LOCAL_MODEL";

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

fn call(model: &HttpModel, request: Request) -> (Reply, Vec<Delta>) {
    let (reply, told) = attempt(model, request);
    (reply.expect("a reply"), told)
}

fn check_called(choice: ToolChoice, caps: Caps) {
    let (reply, told) = call(&model(caps), practised().request("tools", choice.clone()));
    println!("tools, {choice:?}: {:?}, {:?}", reply.stop, reply.blocks);
    assert_eq!(calls(&reply), [("list_robots", r#"{"site": "lab"}"#)]);
    assert_eq!(reply.stop, Stop::ToolUse);
    let first = told.iter().find(|delta| !matches!(delta, Delta::Prompt(_)));
    assert!(matches!(first, Some(Delta::CallStart { .. })), "{told:?}");
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
fn f_wc_05_a_call_where_none_may_be_is_a_call_for_the_turn_and_no_words() {
    let (reply, told) = call(&model(capabilities()), practised().request("none", ToolChoice::None));
    let called = calls(&reply);
    println!("tools, none: {:?}, {called:?}, {:?}", reply.stop, words(&reply));
    assert!(!words(&reply).contains("tool_call"), "{}", words(&reply));
    // The turn runs the stops among such calls and drops the others, so it must see all that began.
    let begun = told.iter().filter(|delta| matches!(delta, Delta::CallStart { .. })).count();
    assert_eq!(begun, called.len(), "{told:?}");
    assert!(!called.is_empty() || !words(&reply).is_empty(), "the model said nothing");
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
