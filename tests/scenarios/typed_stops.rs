//! Words that only look like a stop, and words that stop and go nowhere.

use quarterdeck_tests::Site;
use serde_json::{Value, json};

#[tokio::test(flavor = "multi_thread")]
async fn m_10_a_question_about_stops_and_words_against_one_stop_nothing() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    for text in ["how do I stop rover-1?", "do not stop", "help stop"] {
        assert!(!site.say(text).await?.is_empty());
    }
    assert_eq!(site.get("safety_status", json!({})).await?["stops"], json!([]));
    let refused = site.call("send_message", json!({ "text": "stop rover-1", "session": "chat-0" })).await;
    let error = refused.err().ok_or_else(|| anyhow::anyhow!("there is no such conversation"))?;
    assert_eq!(error.code, "session_not_found");
    assert!(error.message.contains("Stop #1 was sent to rover-1"), "{}", error.message);
    let status = site.get("safety_status", json!({})).await?;
    assert_eq!(status["stops"][0]["robots"].as_array().map(Vec::len), Some(1), "{status:#}");
    let reason = json!({ "code": "typed", "words": "stop rover-1" });
    assert_eq!(status["stops"][0]["reason_kind"], reason, "{status:#}");
    let said = site.say("arm-1: stop").await?;
    // A robot that answers late is stopped once more by its supervision, and numbers go on.
    let is_of_arm = |stop: &&Value| stop["by"] == "admin" && stop["robots"][0]["robot"] == "arm-1";
    let status = site.get("safety_status", json!({})).await?;
    let id = status["stops"].as_array().into_iter().flatten().find(is_of_arm).map(|stop| stop["stop_id"].to_string());
    let id = id.ok_or_else(|| anyhow::anyhow!("arm-1 was not stopped: {status:#}"))?;
    assert_eq!(said, format!("Stop #{id} was sent to arm-1. Only a person can release it."));
    Ok(())
}
