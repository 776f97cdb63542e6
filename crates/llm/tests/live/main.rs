//! A real service, with the operator's own key: `cargo xtask live --provider … --model …` runs this. It prints which marks
//! *unverified live* hold for the model and changes nothing else; what the model says is its own business.
#![expect(clippy::expect_used, reason = "a test without its service has failed")]

#[path = "../local_model/talk.rs"]
mod talk;

use std::sync::Arc;

use llm::{
    Block, Caps, Choice, HttpModel, ModelErrorKind, ModelSettings, PrefixBound, Reply, ReplyBlock, Request,
    RequestMessage, Sampling, ServerKind, Speaker, Stop, Thinking, ThinkingWish, ToolChoice, caps, http_model,
};
use robot::{Origin, Trust};
use secrecy::SecretString;
use talk::{Talk, attempt, calls, practised, text, words};

/// The kind of service, its model, its address, and the name of the variable that holds the key.
const PROVIDER: &str = "QUARTERDECK_LIVE_PROVIDER";
const MODEL: &str = "QUARTERDECK_LIVE_MODEL";
const BASE: &str = "QUARTERDECK_LIVE_BASE";
const KEY: &str = "QUARTERDECK_LIVE_KEY";
/// Tokens of an answer: enough for a call after some thinking.
const ANSWER_TOKENS: u32 = 2_000;
/// A beginning that is longer than the least that any service keeps.
const LONG_WORDS: usize = 6_000;

fn of(name: &str) -> String {
    std::env::var(name).unwrap_or_else(|_| panic!("{name} is not set: start this with `cargo xtask live`"))
}

fn capabilities() -> Caps {
    let kind: ServerKind = serde_json::from_value(of(PROVIDER).into()).expect("a kind of server");
    caps(kind, &of(PROVIDER), &of(BASE), &of(MODEL))
}

fn model(caps: Caps) -> HttpModel {
    http_model(ModelSettings::new(caps, false), Some(SecretString::from(of(KEY)))).expect("a model")
}

fn request(talk: &Talk, session: &str, choice: ToolChoice) -> Request {
    let mut request = talk.request(session, choice);
    request.output_max = ANSWER_TOKENS;
    request.sampling = capabilities().sampling.then_some(Sampling { temperature: 0.0 });
    request
}

/// Adds the model's own reply, as it came, and the same result for each of its calls.
fn answered(talk: &mut Talk, reply: &Reply, json: &str) {
    let blocks = reply.blocks.iter().map(|block| match block {
        ReplyBlock::Text(words) => text(words),
        ReplyBlock::Call { id, name, args_raw } => {
            Block::Call { id: id.clone(), name: name.clone(), args_raw: args_raw.clone() }
        }
    });
    let (entry, sidecar) = (Some(talk.0.len() as u64), reply.sidecar.clone().map(Arc::new));
    let (speaker, origin, blocks) = (Speaker::Assistant, Origin::Agent, blocks.collect());
    talk.0.push(RequestMessage { speaker, origin, entry, blocks, sidecar });
    for block in &reply.blocks {
        if let ReplyBlock::Call { id, .. } = block {
            let (call, json) = (id.clone(), json.to_owned());
            talk.say(Speaker::User, Block::Result { call, json, is_error: false, trust: Trust::Typed });
        }
    }
}

/// Prints whether something that nobody has seen yet is as the specification says.
fn mark(id: &str, says: &str, holds: Option<bool>) {
    let word = match holds {
        Some(true) => "holds",
        Some(false) => "DOES NOT HOLD",
        None => "does not concern this model",
    };
    println!("{id}: {word}: {says}");
}

#[test]
fn a_words_come_while_they_are_made_and_are_counted() {
    let mut talk = Talk::default();
    talk.say(Speaker::User, text("Count from one to five in words."));
    let mut asked = request(&talk, "stream", ToolChoice::Auto);
    asked.tools = Arc::from([]);
    let (reply, told) = attempt(&model(capabilities()), asked);
    let reply = reply.expect("a reply");
    println!("stream: {} pieces, {:?}, {:?}", told.len(), reply.stop, reply.usage);
    assert!(!words(&reply).is_empty() && reply.usage.input() > 0 && reply.usage.out > 0 && !reply.usage.estimated);
}

#[test]
fn b_a_tool_is_called_and_its_result_is_answered_with_the_thinking_in_place() {
    let model = model(capabilities());
    let mut talk = practised();
    let (reply, _) = attempt(&model, request(&talk, "tools", ToolChoice::Auto));
    let reply = reply.expect("a reply");
    assert!(matches!(calls(&reply).as_slice(), [("list_robots", _), ..]), "{:?}", reply.blocks);
    answered(&mut talk, &reply, r#"{"robots":["arm-3"]}"#);
    let (answer, _) = attempt(&model, request(&talk, "tools", ToolChoice::Auto));
    let answer = answer.expect("a signed reply is taken back as it was given");
    println!("tools: {:?}, then {:?}: {}", reply.stop, answer.stop, words(&answer));
}

#[test]
fn c_a_call_is_required_where_the_table_says_so() {
    let caps = capabilities();
    let (reply, _) = attempt(&model(caps.clone()), request(&practised(), "required", ToolChoice::Required));
    let is_called = reply.as_ref().is_ok_and(|reply| !calls(reply).is_empty());
    mark(
        "1.1 Required",
        &format!("the table says {:?}", caps.choice_required),
        Some(match caps.choice_required {
            Choice::Yes => is_called,
            Choice::Rejected => reply.is_err(),
            Choice::Ignored | Choice::Unreliable => true,
        }),
    );
}

#[test]
fn d_no_call_comes_where_none_may() {
    let caps = capabilities();
    let (reply, _) = attempt(&model(caps.clone()), request(&practised(), "none", ToolChoice::None));
    let is_obeyed = reply.as_ref().is_ok_and(|reply| calls(reply).is_empty());
    mark(
        "1.1 None",
        &format!("the table says {:?}", caps.choice_none),
        Some(caps.choice_none != Choice::Yes || is_obeyed),
    );
}

#[test]
fn e_wa_04_what_is_refused_is_not_sent() {
    let caps = capabilities();
    let mut asked = request(&practised(), "sampling", ToolChoice::Auto);
    asked.sampling = Some(Sampling { temperature: 0.2 });
    let (reply, _) = attempt(&model(Caps { sampling: true, ..caps.clone() }), asked);
    mark("WA-04", "a model without sampling refuses it", (!caps.sampling).then_some(reply.is_err()));
    let mut asked = request(&practised(), "thinking", ToolChoice::Auto);
    asked.thinking = ThinkingWish::Off;
    let (reply, _) = attempt(&model(caps.clone()), asked);
    let concerns = caps.thinking != Thinking::No && caps.thinking_off.is_none();
    mark("WA-04", "thinking that cannot be off becomes the lowest effort", concerns.then_some(reply.is_ok()));
}

#[test]
fn f_wa_12_thinking_is_bound_to_what_stands_before_it() {
    let caps = capabilities();
    let model = model(caps.clone());
    let mut talk = practised();
    let (reply, _) = attempt(&model, request(&talk, "bound", ToolChoice::Auto));
    answered(&mut talk, &reply.expect("a reply"), r#"{"robots":["arm-3"]}"#);
    let mut changed = request(&talk, "bound", ToolChoice::Auto);
    changed.system = vec!["You watch robots. You look twice before you answer.".to_owned()];
    let (answer, _) = attempt(&model, changed);
    let holds = match caps.prefix_bound {
        PrefixBound::Rejects => Some(answer.is_err_and(|error| error.kind == ModelErrorKind::PrefixBound)),
        PrefixBound::Drops => Some(answer.is_ok()),
        PrefixBound::No => None,
    };
    mark("WA-12, WR-02", &format!("after a changed prefix: {:?}", caps.prefix_bound), holds);
}

#[test]
fn g_wb_01_a_marked_beginning_is_read_from_the_cache() {
    let model = model(capabilities());
    let mut talk = practised();
    talk.say(Speaker::User, text(&"The site is quiet. ".repeat(LONG_WORDS / 4)));
    for turn in 0..2 {
        let (reply, _) = attempt(&model, request(&talk, "cache", ToolChoice::Auto));
        let usage = reply.expect("a reply").usage;
        println!("cache, call {turn}: {} of {} tokens from the cache", usage.cache_read, usage.input());
        if turn == 1 {
            mark("section 6", "the second call reads its beginning from the cache", Some(usage.cache_read > 0));
        }
    }
}

#[test]
fn h_an_answer_that_is_cut_says_so() {
    let mut talk = Talk::default();
    talk.say(Speaker::User, text("Tell a long story about a lighthouse."));
    let mut asked = request(&talk, "length", ToolChoice::Auto);
    (asked.tools, asked.output_max) = (Arc::from([]), 16);
    let (reply, _) = attempt(&model(capabilities()), asked);
    mark("1, cut by length", "the stop is a length stop", Some(reply.is_ok_and(|reply| reply.stop == Stop::Length)));
}
