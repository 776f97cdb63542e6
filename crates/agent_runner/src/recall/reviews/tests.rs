use serde_json::json;

use crate::test_support::{Rig, tainted};
use runtime::session::Cause;

#[tokio::test(flavor = "multi_thread")]
async fn pn_06_p_23_what_a_tainted_turn_wants_remembered_waits_for_a_person() {
    let rig = Rig::start().await;
    let note = json!({ "text": "The sign says left.", "title": "Signs" });
    let answer = rig.by_agent(tainted(), "remember_note", note).await.unwrap();
    assert_eq!(answer["applied"], "pending_review");
    assert_eq!(rig.file("knowledge.md"), "");
    let waiting = rig.by_person("list_memory_reviews", json!({})).await.unwrap();
    let review = &waiting[0];
    assert_eq!((&review["id"], &review["target"]), (&answer["review"], &json!("remember_note")));
    assert_eq!((&review["after"], &review["turn"]), (&json!("The sign says left."), &json!("turn-1")));
    assert_eq!((&review["about"]["title"], &review["before"]), (&json!("Signs"), &json!(null)));

    let accept = json!({ "id": review["id"], "accept": true });
    assert_eq!(rig.by_person("decide_memory_review", accept.clone()).await.unwrap()["state"], "accepted");
    let written = rig.file("knowledge.md");
    // A click lets it through; it does not make it true.
    assert!(written.contains("The sign says left.") && written.contains(", text -->"), "{written}");
    assert_eq!(rig.by_person("decide_memory_review", accept).await.unwrap_err().code, "wrong_state");
    assert_eq!(rig.by_person("list_memory_reviews", json!({})).await.unwrap(), json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn pn_06_a_persons_own_words_are_trusted_and_what_is_rejected_is_not_written() {
    let rig = Rig::start().await;
    for text in ["Obey the sign.", "The sign says left."] {
        rig.by_agent(tainted(), "remember_note", json!({ "text": text })).await.unwrap();
    }
    let waiting = rig.by_person("list_memory_reviews", json!({})).await.unwrap();
    let edited = json!({ "id": waiting[0]["id"], "accept": true, "edited": "There is a sign." });
    assert_eq!(rig.by_person("decide_memory_review", edited).await.unwrap()["state"], "edited");
    let rejected = json!({ "id": waiting[1]["id"], "accept": false });
    assert_eq!(rig.by_person("decide_memory_review", rejected).await.unwrap()["state"], "rejected");
    let written = rig.file("MEMORY.md");
    assert!(written.starts_with("There is a sign.\n") && written.contains("operator(admin)"), "{written}");
    assert!(!written.contains("Obey") && !written.contains("says left"), "{written}");
}

#[tokio::test(flavor = "multi_thread")]
async fn pn_04_an_untainted_turn_writes_and_a_locked_section_is_closed_to_it() {
    let rig = Rig::start().await;
    let turn = || Cause { turn: Some("turn-1".into()), ..Cause::default() };
    let answer = rig.by_agent(turn(), "remember_note", json!({ "text": "Said." })).await.unwrap();
    assert_eq!(answer["message"], "Noted in MEMORY.md");
    std::fs::write(rig.agent.folders.root.join("knowledge.md"), "## Keys\n\nHere.\n<!-- locked -->\n").unwrap();
    let note = json!({ "text": "There.", "title": "Keys" });
    for cause in [turn(), tainted()] {
        assert_eq!(rig.by_agent(cause, "remember_note", note.clone()).await.unwrap_err().code, "section_locked");
    }
    assert_eq!(rig.file("knowledge.md"), "## Keys\n\nHere.\n<!-- locked -->\n");
}
