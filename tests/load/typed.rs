//! Stops that people type while a model keeps everybody waiting. What is measured is when the first of them is on the
//! wire, as another Zenoh session hears it.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use quarterdeck_tests::Site;
use quarterdeck_tests::fake_model::{Answer, FakeModel, Timing};
use quarterdeck_tests::wire::{ROBOTS, Wire, percentile, release_stops};
use serde_json::json;
use tokio::sync::{Notify, mpsc};

use crate::ALONE;

/// Language, what stops, words.
const PHRASES: &str = include_str!("../data/stop-phrases.tsv");
/// Ways of asking for a stop that are tried in each language.
const WAYS: usize = 10;
/// Presses of STOP ALL among the words, one before so many of them: they say what the same way takes without words.
const WORDS_A_PRESS: usize = 5;
/// The time of the first put, or three times what the presses among the words take on a computer that others keep busy.
const GOAL: Duration = Duration::from_millis(50);
/// No word takes longer: one that waits for the model would wait for ever.
const SLOWEST: Duration = Duration::from_secs(5);
/// The percentiles that are held against the goal: those that so few presses still tell.
const JUDGED: [usize; 2] = [50, 90];
/// A model is asked within this time, or the scenario fails.
const BUSY_WITHIN: Duration = Duration::from_secs(60);
/// The pause between two looks.
const LOOK_EVERY: Duration = Duration::from_millis(10);
/// More calls than any of these turns make.
const CALLS: usize = 2_000;

/// The reason why everybody waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Busy {
    Silent,
    Streaming,
    Retrying,
    Compacting,
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

/// Has the model do the same from now on; the receiver hears the time of each streamed word.
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

/// Says `text`, which stops; a turn may be refused when too many wait, a stop never is.
async fn say_stop(site: &Site, text: &str) -> anyhow::Result<()> {
    match site.call("send_message", json!({ "text": text })).await {
        Err(error) if error.code != "busy" || !error.message.contains("Stop #") => anyhow::bail!("{text}: {error:?}"),
        Ok(_) | Err(_) => Ok(()),
    }
}

/// A station whose model makes everybody wait, and who hears its stops.
struct Bench {
    busy: Busy,
    site: Site,
    model: FakeModel,
    wire: Wire,
    /// Calls of the model when the robots were stopped last.
    asked: usize,
    /// Times of the first put, of words and of presses.
    typed: Vec<Duration>,
    pressed: Vec<Duration>,
}

impl Bench {
    async fn open(busy: Busy) -> anyhow::Result<Self> {
        let settings = match busy {
            Busy::Compacting => "[agents.main.policy.compact]\nmessages = 20\nwindow = 8192\n",
            Busy::Silent | Busy::Streaming | Busy::Retrying => "",
        };
        let mut site = Site::start_with_settings(settings, true).await?;
        let model = FakeModel::start([]).await?;
        site.use_model(&model).await?;
        if busy == Busy::Compacting {
            for n in 0..10 {
                model.then(Answer::Say(format!("Number {n}. {}", "The shelf is full. ".repeat(200))));
                site.say(&format!("What is number {n}?")).await?;
            }
        }
        let wire = Wire::open(&site).await?;
        let mut bench = Self { busy, site, model, wire, asked: 0, typed: Vec::new(), pressed: Vec::new() };
        bench.asked = bench.calls();
        Ok(bench)
    }

    /// Calls of the model for which everybody waits. A summary is asked for without tools; a prompt that is warmed up beside
    /// it has them.
    fn calls(&self) -> usize {
        let asked = self.model.asked();
        asked.iter().filter(|asked| self.busy != Busy::Compacting || asked.body["tools"].is_null()).count()
    }

    /// Sees to a turn that waits for the model. The stop before has ended its own; words that were said, or are said now,
    /// begin another.
    async fn keep_busy(&mut self) -> anyhow::Result<()> {
        let is_busy = async {
            let mut looks = tokio::time::interval(LOOK_EVERY);
            while self.calls() <= self.asked {
                looks.tick().await;
                if self.site.get("get_transcript", json!({})).await?["running"].is_null() {
                    self.site.get("send_message", json!({ "text": "And now?" })).await?;
                }
            }
            anyhow::Ok(())
        };
        tokio::time::timeout(BUSY_WITHIN, is_busy).await?
    }

    /// Presses STOP ALL, or says `text` instead, and lets the robots go again.
    async fn stop(&mut self, stops: &str, text: Option<&str>) -> anyhow::Result<()> {
        let robots: Vec<&str> = if stops == "all" { ROBOTS.to_vec() } else { stops.split(',').collect() };
        self.asked = self.calls();
        let site = &self.site;
        let pressing = async {
            match text {
                Some(text) => say_stop(site, text).await,
                None => site.get("stop_all", json!({})).await.map(drop),
            }
        };
        let took = self.wire.time_stop(site, &robots, pressing).await?;
        if text.is_some() {
            self.typed.push(took)
        } else {
            self.pressed.push(took)
        }
        release_stops(&self.site).await
    }

    /// Ends the session, and holds the words against the presses.
    async fn judge(mut self) {
        self.wire.close().await;
        self.typed.sort();
        self.pressed.sort();
        let slowest = self.typed.last().copied().unwrap_or(SLOWEST);
        println!("{:?}: {} words, slowest {slowest:?}", self.busy, self.typed.len());
        for percent in JUDGED {
            let (typed, pressed) = (percentile(&self.typed, percent), percentile(&self.pressed, percent));
            println!("p{percent} {typed:?}; without words {pressed:?}");
            assert!(typed <= GOAL.max(3 * pressed), "{:?}\nwithout words {:?}", self.typed, self.pressed);
        }
        assert!(slowest < SLOWEST, "{:?}", self.typed);
    }
}

/// Every phrase is said while the model is `busy`, and every one stops exactly the robots that it means.
async fn check(busy: Busy) -> anyhow::Result<()> {
    let _alone = ALONE.lock().await;
    let words = phrases();
    assert!(words.len() >= WAYS * 10);
    let mut bench = Bench::open(busy).await?;
    let (streamed, _go_on) = keep(&bench.model, busy);
    bench.keep_busy().await?;
    for (n, (stops, text)) in words.into_iter().enumerate() {
        bench.keep_busy().await?;
        bench.stop(stops, Some(text)).await.with_context(|| format!("{busy:?}: {text}"))?;
        if n % WORDS_A_PRESS == 0 {
            bench.keep_busy().await?;
            bench.stop("all", None).await?;
        }
    }
    if busy == Busy::Streaming {
        assert!(streamed.len() >= WAYS * 10, "it has said something each time: {}", streamed.len());
    }
    if busy == Busy::Silent {
        let asked: String = bench.model.asked().iter().map(|asked| asked.body.to_string()).collect();
        assert!(asked.contains("was carried out before you read this"), "{asked}");
    }
    bench.judge().await;
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn m_10_ten_ways_in_ten_languages_stop_robots_while_a_model_is_silent() -> anyhow::Result<()> {
    check(Busy::Silent).await
}

#[tokio::test(flavor = "multi_thread")]
async fn m_10_ten_ways_in_ten_languages_stop_robots_while_a_model_streams() -> anyhow::Result<()> {
    check(Busy::Streaming).await
}

#[tokio::test(flavor = "multi_thread")]
async fn m_10_ten_ways_in_ten_languages_stop_robots_while_a_model_is_asked_again() -> anyhow::Result<()> {
    check(Busy::Retrying).await
}

#[tokio::test(flavor = "multi_thread")]
async fn m_10_ten_ways_in_ten_languages_stop_robots_while_a_conversation_is_summarised() -> anyhow::Result<()> {
    check(Busy::Compacting).await
}
