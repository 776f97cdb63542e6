//! Another Zenoh session beside a station: it hears every stop as a robot does, and when.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use bridge::{Link, LinkConfig, Subscription};
use robot::{Now, Sample};
use serde_json::{Value, json};
use tokio::sync::mpsc;

use crate::Site;

/// Every robot of the simulated site.
pub const ROBOTS: [&str; 4] = ["arm-1", "gate-1", "rover-1", "rover-2"];
/// A stop that is not on the wire by then has waited for something.
const OUT_WITHIN: Duration = Duration::from_secs(60);
/// Robots stand, and let go of a stop, within this time, or the scenario fails.
const RELEASED_WITHIN: Duration = Duration::from_secs(60);
/// The pause between two tries.
const RELEASE_EVERY: Duration = Duration::from_millis(20);
/// Puts that nobody has looked at yet.
const PUTS_MAX: usize = 10_000;

/// A session that hears stops and holds.
pub struct Wire {
    puts: mpsc::Receiver<Put>,
    /// Those that came since somebody pressed last.
    heard: Vec<Put>,
    /// The newest stop of a person.
    newest: u64,
    link: Link,
    _subscribed: Vec<Subscription>,
}

/// A stop or a hold as it came.
struct Put {
    robot: String,
    /// None for a hold.
    stop_id: Option<u64>,
    at: Instant,
}

impl Wire {
    /// Connects to `site`, and returns when no stop or hold can leave it unheard; every robot was stopped once.
    ///
    /// # Errors
    /// No session can be opened, or the station puts nothing.
    pub async fn open(site: &Site) -> anyhow::Result<Self> {
        let config = LinkConfig { connect: vec![site.endpoint().await?], ..LinkConfig::default() };
        let link = Link::open(config, Arc::new(Now::default)).await?;
        let (sender, puts) = mpsc::channel(PUTS_MAX);
        let mut subscribed = Vec::new();
        for word in ["stop", "hold"] {
            let sender = sender.clone();
            let hear = move |sample: Sample| {
                let at = now();
                let robot = sample.key_expr.split('/').nth(1).unwrap_or_default().to_owned();
                let message: Value = serde_json::from_slice(&sample.payload).unwrap_or_default();
                let _full_is_a_failed_test = sender.try_send(Put { robot, stop_id: message["stop_id"].as_u64(), at });
            };
            subscribed.push(link.subscribe(&format!("lab/*/cmd/{word}"), hear).await?);
        }
        let mut wire = Self { puts, heard: Vec::new(), newest: 0, link, _subscribed: subscribed };
        tokio::time::timeout(RELEASED_WITHIN, wire.until_all_heard(site)).await??;
        release_stops(site).await?;
        Ok(wire)
    }

    /// Stops and holds every robot until each was heard once: the station may not yet know of a new subscription, and puts
    /// past it.
    async fn until_all_heard(&mut self, site: &Site) -> anyhow::Result<()> {
        let mut unheard: BTreeSet<(String, bool)> =
            ROBOTS.iter().flat_map(|robot| [true, false].map(|is_stop| ((*robot).to_owned(), is_stop))).collect();
        let mut tries = tokio::time::interval(RELEASE_EVERY);
        while !unheard.is_empty() {
            tries.tick().await;
            site.get("stop_all", json!({})).await?;
            for robot in ROBOTS {
                site.get("hold_robot", json!({ "robot": robot })).await?;
            }
            while let Ok(put) = self.puts.try_recv() {
                self.newest = self.newest.max(put.stop_id.unwrap_or_default());
                unheard.remove(&(put.robot, put.stop_id.is_some()));
            }
        }
        Ok(())
    }

    /// Carries out `pressing`, which opens a new stop of exactly `robots`, and gives the time from its beginning to the
    /// first put of that stop. A stop is known by its number: a repetition of an earlier one counts for nothing.
    ///
    /// # Errors
    /// `pressing` fails, it opens no stop or another one, or a robot is not told of it within 20 s.
    pub async fn time_stop(
        &mut self,
        site: &Site,
        robots: &[&str],
        pressing: impl Future<Output = anyhow::Result<()>>,
    ) -> anyhow::Result<Duration> {
        self.heard.clear();
        let pressed = now();
        tokio::time::timeout(OUT_WITHIN, pressing).await??;
        let newest = self.newest;
        let opened: Vec<Opened> = open_stops(site).await?.into_iter().filter(|stop| stop.is_newer(newest)).collect();
        let [Opened { stop_id, robots: bound, .. }] = &opened[..] else {
            anyhow::bail!("{robots:?} were to be stopped, and this was: {opened:?}")
        };
        anyhow::ensure!(bound.iter().eq(robots), "{bound:?} are stopped, not {robots:?}");
        self.newest = *stop_id;
        for robot in robots {
            self.until_told(robot, |put| put.stop_id == Some(*stop_id)).await?;
        }
        let first = self.heard.iter().filter(|put| put.stop_id == Some(*stop_id)).map(|put| put.at).min();
        first.map(|at| at.duration_since(pressed)).ok_or_else(|| anyhow::anyhow!("stop #{stop_id} was never put"))
    }

    /// Carries out `pressing`, which holds `robot`, and gives the time from its beginning to the put of a hold.
    ///
    /// # Errors
    /// `pressing` fails, or the robot is not told of it within 20 s.
    pub async fn time_hold(
        &mut self,
        robot: &str,
        pressing: impl Future<Output = anyhow::Result<()>>,
    ) -> anyhow::Result<Duration> {
        self.heard.clear();
        let pressed = now();
        tokio::time::timeout(OUT_WITHIN, pressing).await??;
        let at = self.until_told(robot, |put| put.stop_id.is_none() && put.at >= pressed).await?;
        Ok(at.duration_since(pressed))
    }

    /// Waits for a put to `robot`, and gives when it came.
    async fn until_told(&mut self, robot: &str, is_it: impl Fn(&Put) -> bool) -> anyhow::Result<Instant> {
        let is_meant = |put: &&Put| put.robot == robot && is_it(put);
        let told = async {
            loop {
                if let Some(put) = self.heard.iter().find(is_meant) {
                    return Ok(put.at);
                }
                match self.puts.recv().await {
                    Some(put) => self.heard.push(put),
                    None => anyhow::bail!("the session has ended"),
                }
            }
        };
        let told = tokio::time::timeout(OUT_WITHIN, told).await;
        told.map_err(|_| anyhow::anyhow!("{robot} was not told within {OUT_WITHIN:?}"))?
    }

    /// Ends the session.
    pub async fn close(self) {
        self.link.close().await;
    }
}

/// A stop that is open.
#[derive(Debug)]
struct Opened {
    stop_id: u64,
    by: String,
    robots: Vec<String>,
}

impl Opened {
    /// True if a person has pressed it after stop `newest`.
    fn is_newer(&self, newest: u64) -> bool {
        self.stop_id > newest && self.by == "admin"
    }
}

/// Releases every open stop as soon as the robots stand, so that the next one is a new one. What a robot failed to do in time
/// on a busy computer, and stands against the release, is acknowledged or ends with disarming.
///
/// # Errors
/// The release is refused for 60 s.
pub async fn release_stops(site: &Site) -> anyhow::Result<()> {
    let mut refused = None;
    let released = async {
        let mut tries = tokio::time::interval(RELEASE_EVERY);
        loop {
            tries.tick().await;
            let open = open_stops(site).await?;
            let ids: BTreeSet<u64> = open.iter().map(|stop| stop.stop_id).collect();
            let robots: BTreeSet<&String> = open.iter().flat_map(|stop| &stop.robots).collect();
            let input = json!({ "stop_ids": ids, "robots": robots, "reason": "the next one" });
            let Err(error) = site.call("release_stop", input).await else { return anyhow::Ok(()) };
            if let Some(cause) = error.details["cause"].as_str() {
                for robot in robots {
                    let named = json!({ "robot": robot, "cause": cause, "reason": "it stands" });
                    // It may be another robot's, or still be there.
                    let _done_or_not = site.call("acknowledge_cause", named).await;
                    let _done_or_not = site.call("disarm_robot", json!({ "robot": robot, "looked": true })).await;
                }
            }
            refused = Some(error);
        }
    };
    let released = tokio::time::timeout(RELEASED_WITHIN, released).await;
    match released {
        Ok(released) => released,
        Err(_) => {
            let status = site.get("safety_status", json!({})).await?;
            anyhow::bail!("the stops are not released: {refused:?}\n{:#}", status["robots"])
        }
    }
}

/// The time that so many per cent of `sorted` stay below.
#[must_use]
pub fn percentile(sorted: &[Duration], percent: usize) -> Duration {
    sorted.get(sorted.len() * percent / 100).copied().unwrap_or_default()
}

/// The middle of `sorted`, and what 99 of 100 stay below.
#[must_use]
pub fn p50_p99(sorted: &[Duration]) -> (Duration, Duration) {
    (percentile(sorted, 50), percentile(sorted, 99))
}

async fn open_stops(site: &Site) -> anyhow::Result<Vec<Opened>> {
    let status = site.get("safety_status", json!({})).await?;
    let robots = |stop: &Value| {
        let rows = stop["robots"].as_array().into_iter().flatten();
        rows.filter_map(|row| row["robot"].as_str().map(str::to_owned)).collect()
    };
    let opened = |stop: &Value| {
        let by = stop["by"].as_str()?.to_owned();
        Some(Opened { stop_id: stop["stop_id"].as_u64()?, by, robots: robots(stop) })
    };
    Ok(status["stops"].as_array().into_iter().flatten().filter_map(opened).collect())
}

#[expect(clippy::disallowed_methods, reason = "what is tested is a time on the wire")]
fn now() -> Instant {
    Instant::now()
}
