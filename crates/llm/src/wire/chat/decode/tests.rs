use robot::Trust;

use super::super::tests::{message, of, request};
use super::ChatDecoder;
use crate::{
    Block, CallId, Decoder, Delta, ModelError, ModelErrorKind, PromptRead, Reply, ReplyBlock, Request, ServerKind,
    Speaker,
};

fn read(request: &Request, stream: &str) -> Result<Reply, ModelError> {
    let mut decoder = Box::new(ChatDecoder::new(of(ServerKind::OpenaiCompatible, "m"), request));
    decoder.push(stream.as_bytes());
    decoder.finish()
}

fn ids(reply: &Reply) -> Vec<&str> {
    let ids = reply.blocks.iter().filter_map(|block| match block {
        ReplyBlock::Call { id, .. } => Some(id.0.as_str()),
        ReplyBlock::Text(_) => None,
    });
    ids.collect()
}

fn calls(ids: &[&str]) -> String {
    let call = |(at, id): (usize, &&str)| {
        format!(r#"{{"index":{at},"id":"{id}","function":{{"name":"stop_robot","arguments":"{{}}"}}}}"#)
    };
    let calls: Vec<String> = ids.iter().enumerate().map(call).collect();
    format!(
        "data: {{\"choices\":[{{\"delta\":{{\"tool_calls\":[{}]}},\"finish_reason\":\"tool_calls\"}}]}}\n\n",
        calls.join(",")
    )
}

#[test]
fn wc_01_a_call_without_an_id_gets_a_local_one() {
    assert_eq!(ids(&read(&request(), &calls(&["", ""])).expect("a reply")), ["call_1_0", "call_1_1"]);
}

#[test]
fn wc_01_an_id_that_the_conversation_has_already_is_replaced() {
    let mut asked = request();
    let call = Block::Call { id: CallId("call_0".into()), name: "stop_robot".into(), args_raw: "{}".into() };
    let result =
        Block::Result { call: CallId("call_0".into()), json: "{}".into(), is_error: false, trust: Trust::Typed };
    asked.messages.extend([message(1, Speaker::Assistant, call), message(2, Speaker::User, result)]);
    let reply = read(&asked, &calls(&["call_0", "call_1", "call_1"])).expect("a reply");
    assert_eq!(ids(&reply), ["call_3_0", "call_1", "call_3_1"]);
}

#[test]
fn wc_02_a_server_that_does_not_stream_is_understood() {
    let whole = r#" {"id":"c","choices":[{"index":0,"message":{"role":"assistant","content":"Docked."},"finish_reason":"stop"}],
        "usage":{"prompt_tokens":5,"completion_tokens":2}} "#;
    let reply = read(&request(), whole).expect("a reply");
    assert_eq!((reply.blocks, reply.usage.out), (vec![ReplyBlock::Text("Docked.".into())], 2));
    let error = read(&request(), r#"{"error":{"message":"no","code":401}}"#).expect_err("an error");
    assert_eq!(error.kind, ModelErrorKind::Auth);
    let cut = read(&request(), &whole[..80]).expect_err("half of it");
    assert_eq!(cut.kind, ModelErrorKind::Transport);
}

#[test]
fn calls_beyond_the_bound_are_left_out_of_a_reply_that_stays() {
    let named: Vec<String> = (0..300).map(|n| format!("call_{n}")).collect();
    let named: Vec<&str> = named.iter().map(String::as_str).collect();
    let reply = read(&request(), &calls(&named)).expect("a reply");
    assert_eq!(ids(&reply), named[..256]);
}

#[test]
fn wu_02_figures_beyond_any_count_do_no_harm() {
    let stream = "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}],\"usage\":{\"prompt_tokens\":18446744073709551615,\
        \"completion_tokens\":18446744073709551615,\"completion_tokens_details\":{\"reasoning_tokens\":9},\"total_tokens\":1}}\n\n";
    assert_eq!(read(&request(), stream).expect("a reply").usage.out, u64::MAX);
}

#[test]
fn fp_18_llama_cpp_says_how_far_it_has_read_and_how_long_it_took() {
    let read = |chunk: &str| {
        let mut decoder = ChatDecoder::new(of(ServerKind::LlamaCpp, "m"), &request());
        let deltas = decoder.push(format!("data: {chunk}\n\n").as_bytes());
        deltas.into_iter().find_map(|delta| if let Delta::Prompt(read) = delta { Some(read) } else { None })
    };
    let all = |tokens, cached, elapsed_ms| Some(PromptRead { tokens, cached, done: tokens, elapsed_ms });
    let timings = r#"{"choices":[],"timings":{"cache_n":100,"prompt_n":900,"prompt_ms":4500.7,"predicted_n":3}}"#;
    assert_eq!(read(timings), all(1_000, 100, 4_500));
    let beyond = r#"{"choices":[],"prompt_progress":{"total":10,"cache":99,"processed":1e9,"time_ms":-1}}"#;
    assert_eq!(read(beyond), all(10, 10, 0), "no figure passes the whole");
    for none in
        [r#"{"choices":[]}"#, r#"{"choices":[],"prompt_progress":{"total":"x"}}"#, r#"{"choices":[],"timings":{}}"#]
    {
        assert_eq!(read(none), None, "{none}");
    }
}
