//! Stops that people type while a model keeps everybody waiting. What is measured is when the first of them is on the
//! wire, as another Zenoh session hears it.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use bridge::{Link, LinkConfig};
use quarterdeck_tests::Site;
use quarterdeck_tests::fake_model::{Answer, FakeModel, Timing};
use robot::Now;
use serde_json::{Value, json};
use tokio::sync::{Notify, mpsc};

/// Language, what stops, words.
const PHRASES: &str = include_str!("../data/stop-phrases.tsv");
const ROBOTS: [&str; 4] = ["arm-1", "gate-1", "rover-1", "rover-2"];
/// Ways of asking for a stop that are tried in each language.
const WAYS: usize = 10;
/// Presses of STOP ALL that say what the same way takes without words.
const PRESSES: usize = 15;
/// A stop that is not on the wire by then has waited for something.
const OUT_WITHIN: Duration = Duration::from_secs(3);
/// The time of the first put where nothing else runs.
const GOAL: Duration = Duration::from_millis(50);
/// Without a put for so long no stop is repeated any more.
const QUIET: Duration = Duration::from_millis(250);
/// More calls than any of these turns make.
const CALLS: usize = 1_000;

/// The reason why everybody waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Busy {
    Silent,
    Streaming,
    Retrying,
    Compacting,
}

/// Another session that hears every stop.
struct Wire {
    puts: mpsc::Receiver<(String, Instant)>,
    link: Link,
    _heard: bridge::Subscription,
}

impl Wire {
    async fn open(site: &Site) -> anyhow::Result<Self> {
        let config = LinkConfig { connect: vec![site.endpoint().await?], ..LinkConfig::default() };
        let link = Link::open(config, Arc::new(Now::default)).await?;
        let (sender, puts) = mpsc::channel(10_000);
        let heard = link
            .subscribe("lab/*/cmd/stop", move |sample| {
                let robot = sample.key_expr.split('/').nth(1).unwrap_or_default().to_owned();
                let _full_is_a_failed_test = sender.try_send((robot, now()));
            })
            .await?;
        Ok(Self { puts, link, _heard: heard })
    }

    /// Calls an operation and gives the time to the first put, and the robots that were stopped until all is quiet.
    async fn press(
        &mut self,
        site: &Site,
        operation: &str,
        input: Value,
    ) -> anyhow::Result<(Duration, BTreeSet<String>)> {
        while self.puts.try_recv().is_ok() {}
        let pressed = now();
        let calling = site.call(operation, input.clone());
        let hearing = async {
            let first = tokio::time::timeout(OUT_WITHIN, self.puts.recv()).await;
            let Ok(Some((robot, at))) = first else { anyhow::bail!("{input} has stopped nothing in {OUT_WITHIN:?}") };
            let mut stopped = BTreeSet::from([robot]);
            while let Ok(Some((robot, _))) = tokio::time::timeout(QUIET, self.puts.recv()).await {
                stopped.insert(robot);
            }
            Ok((at.duration_since(pressed), stopped))
        };
        let (answer, heard) = tokio::join!(calling, hearing);
        // A turn may be refused when too many wait; a stop never is.
        if let Err(error) = answer {
            anyhow::ensure!(error.code == "busy" && error.message.contains("Stop #"), "{input}: {error:?}");
        }
        heard
    }
}

#[expect(clippy::disallowed_methods, reason = "what is tested is a time on the wire")]
fn now() -> Instant {
    Instant::now()
}

fn median(mut took: Vec<Duration>) -> Duration {
    took.sort();
    took.get(took.len() / 2).copied().unwrap_or_default()
}

/// The first ways of every language, in turn.
fn phrases() -> Vec<(&'static str, &'static str)> {
    let rows: Vec<Vec<&str>> =
        PHRASES.lines().filter(|line| !line.starts_with('#')).map(|line| line.split('\t').collect()).collect();
    let languages: BTreeSet<&str> = rows.iter().map(|row| row[0]).collect();
    let of = |language: &str| -> Vec<(&str, &str)> {
        let asked = rows.iter().filter(|row| row[0] == language && row[1] != "nothing");
        asked.map(|row| (row[1], row[2])).take(WAYS).collect()
    };
    languages.into_iter().map(of).filter(|ways| ways.len() == WAYS).flatten().collect()
}

/// Has the model do the same from now on.
fn keep(model: &FakeModel, busy: Busy) -> (mpsc::Receiver<Instant>, Arc<Notify>) {
    let (left, heard) = mpsc::channel(CALLS);
    let go_on = Arc::new(Notify::new());
    for _ in 0..CALLS {
        model.then(match busy {
            Busy::Silent | Busy::Compacting => Answer::Hang,
            Busy::Streaming => Answer::Timed("I am".into(), Timing { left: left.clone(), go_on: Arc::clone(&go_on) }),
            Busy::Retrying => Answer::Refuse(503, json!({ "error": { "message": "overloaded" } })),
        });
    }
    (heard, go_on)
}

async fn check(busy: Busy, words: &[(&str, &str)]) -> anyhow::Result<()> {
    let settings = match busy {
        Busy::Compacting => "[agents.main.policy.compact]\nmessages = 20\nwindow = 8192\n",
        Busy::Silent | Busy::Streaming | Busy::Retrying => "",
    };
    let mut site = Site::start_with_settings(settings, true).await?;
    let model = FakeModel::start([]).await?;
    site.use_model(&model).await?;
    let mut wire = Wire::open(&site).await?;
    // The first stops may leave before the subscription is known.
    while wire.press(&site, "stop_all", json!({})).await.is_err() {}
    let mut floor = Vec::new();
    for _ in 0..PRESSES {
        floor.push(wire.press(&site, "stop_all", json!({})).await?.0);
    }
    if busy == Busy::Compacting {
        for n in 0..10 {
            model.then(Answer::Say(format!("Number {n}. {}", "The shelf is full. ".repeat(200))));
            site.say(&format!("What is number {n}?")).await?;
        }
    }
    let _held = keep(&model, busy);
    let asked = model.asked().len();
    site.get("send_message", json!({ "text": "What is going on?" })).await?;
    model.until_asked(asked + 1).await?;
    if busy == Busy::Compacting {
        let newest = model.asked().pop().map(|asked| asked.body).unwrap_or_default();
        assert!(newest["tools"].is_null(), "what hangs is the summary: {newest}");
    }
    let mut took = Vec::new();
    for (stops, text) in words {
        let asked = model.asked().len();
        let (first, stopped) = wire.press(&site, "send_message", json!({ "text": text })).await?;
        took.push(first);
        let expected: BTreeSet<String> = match *stops {
            "all" => ROBOTS.iter().map(|robot| (*robot).to_owned()).collect(),
            robots => robots.split(',').map(str::to_owned).collect(),
        };
        assert_eq!(stopped, expected, "{busy:?}: {text}");
        model.until_asked(asked + 1).await?;
    }
    let (floor, worst) = (median(floor), took.iter().max().copied().unwrap_or_default());
    let typed = median(took);
    assert!(typed <= GOAL.max(3 * floor), "{busy:?}: {typed:?}, and {floor:?} without words; at worst {worst:?}");
    if busy == Busy::Silent {
        let newest = model.asked().pop().map(|asked| asked.body.to_string()).unwrap_or_default();
        assert!(newest.contains("was carried out before you read this"), "{newest}");
        let status = site.get("safety_status", json!({})).await?;
        assert_eq!(status["stops"][0]["by"], "admin", "it is the person's own stop: {status:#}");
    }
    wire.link.close().await;
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn m_10_ten_ways_in_ten_languages_stop_robots_while_a_model_is_silent() -> anyhow::Result<()> {
    let phrases = phrases();
    assert!(phrases.len() >= WAYS * 10);
    check(Busy::Silent, &phrases).await
}

#[tokio::test(flavor = "multi_thread")]
async fn m_10_words_stop_robots_while_a_model_streams() -> anyhow::Result<()> {
    check(Busy::Streaming, &phrases().into_iter().step_by(WAYS).collect::<Vec<_>>()).await
}

#[tokio::test(flavor = "multi_thread")]
async fn m_10_words_stop_robots_while_a_model_is_asked_again() -> anyhow::Result<()> {
    check(Busy::Retrying, &phrases().into_iter().skip(3).step_by(WAYS).collect::<Vec<_>>()).await
}

#[tokio::test(flavor = "multi_thread")]
async fn m_10_words_stop_robots_while_a_conversation_is_summarised() -> anyhow::Result<()> {
    check(Busy::Compacting, &phrases().into_iter().skip(6).step_by(WAYS).collect::<Vec<_>>()).await
}

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
    let said = site.say("arm-1: stop").await?;
    assert_eq!(said, "Stop #2 was sent to arm-1. Only a person can release it.");
    Ok(())
}
