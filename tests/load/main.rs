//! The time of a stop to its first put, with nothing else to do and beside everything that strangers, programs, sensors,
//! models, tools and a slow disk can do to a station at the same time. A program of its own: nothing else is to run beside it.

mod typed;

use std::collections::VecDeque;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc as threads};
use std::thread::JoinHandle;
use std::time::Duration;

use api::{OfferedTool, ServerAnswer, ServerFuture, ServerNews, ToolServer, ToolServers};
use bridge::{Link, LinkConfig};
use quarterdeck_tests::fake_model::{Answer, FakeModel};
use quarterdeck_tests::server_process::{Answers, Connection, Request, hammer, until_flood_alarm};
use quarterdeck_tests::wire::{ROBOTS, Wire, p50_p99, release_stops};
use quarterdeck_tests::{Site, arm_goal, find};
use robot::{Codec, Now};
use serde_json::{Map, Value, json};
use server::{Gatekeeper, Host, HttpListener};
use sqlx::Connection as _;
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use tokio::sync::{Mutex, Notify, mpsc, oneshot};
use tokio::task::JoinSet;

/// An optimised build is held to the goals themselves, beside 100,000 samples a second: `cargo xtask bench stops`.
const OPTIMISED: bool = !cfg!(debug_assertions);
/// Rounds in which every robot is stopped anew, each once without the load and once beside it, so that whatever else this
/// computer does falls on both. In every other one the disk is slow too.
const ROUNDS: usize = if OPTIMISED { 20 } else { 6 };
/// Clients that ask for verdicts as fast as they are answered.
const HAMMERING: usize = 200;
/// Clients of each other kind.
const OF_EACH_KIND: usize = 10;
/// Clients that say as much as is searched for a stop at the listener itself, which takes an unoptimised build tens of
/// milliseconds each time.
const TALKING: usize = 2;
/// Connections on which nothing is ever said, and of these the newest that are not hung up by ourselves.
const SILENT: usize = 1_000;
const SILENT_HELD: usize = 300;
/// Channels of frames that nobody signs in to.
const UNSIGNED: usize = 60;
/// The samples that are put every [`PUT_EVERY`].
const SAMPLES: usize = if OPTIMISED { 1_000 } else { 20 };
const PUT_EVERY: Duration = Duration::from_millis(10);
/// The least rate at which samples have to arrive, a second, however busy this computer is.
const RATE_MIN: f64 = if OPTIMISED { 50_000.0 } else { 100.0 };
/// The middle and the worst of the stops may be this late beside the load, whatever they take without one: three threads on
/// the way of a stop (listener, stops, robot) are woken one after the other on two cores that carry the load too, and of an
/// unoptimised build. At worst the listener has a request of every client before it. A request behind a disk, a model or a
/// tool is answered later.
const FLOORS: [Duration; 2] = if OPTIMISED {
    [Duration::from_millis(5), Duration::from_millis(25)]
} else {
    [Duration::from_millis(50), Duration::from_secs(2)]
};
/// The database is free for a moment, and the tool is called, within this time, or the scenario fails.
const READY_WITHIN: Duration = Duration::from_secs(60);
/// The most bytes of words that are heard whatever their sender has asked before, less the JSON around them.
const WORDS_BYTES: usize = 16_000;
/// A stop by a button takes at most this part of the time that long words of others wait.
const PART_OF_WORDS: u32 = 10;
const TOPIC: &str = "lab/cam-1/vision/detections";

/// The way in which a person stops a robot.
#[derive(Debug, Clone, Copy)]
enum Way {
    Http,
    Window,
    Words,
}

const WAYS: [Way; 3] = [Way::Http, Way::Window, Way::Words];

/// Servers of one tool that never answers; tells when it is called.
#[derive(Clone, Default)]
struct SilentTool(Arc<Notify>);

/// One of them. It is gone when its news end.
struct SilentServer(SilentTool, #[expect(dead_code, reason = "kept until it is gone")] mpsc::Sender<ServerNews>);

impl ToolServers for SilentTool {
    fn connect(&self, _: api::Transport, news: mpsc::Sender<ServerNews>) -> ServerFuture<Arc<dyn ToolServer>> {
        let server: Arc<dyn ToolServer> = Arc::new(SilentServer(self.clone(), news));
        Box::pin(async { Ok(server) })
    }
}

impl ToolServer for SilentServer {
    fn process(&self) -> Option<u32> {
        None
    }

    fn list(&self, _: usize) -> ServerFuture<Vec<OfferedTool>> {
        let input_schema = json!({ "type": "object", "properties": {} });
        let (name, description) = ("wait".into(), "Waits.".into());
        Box::pin(async { Ok(vec![OfferedTool { name, description, input_schema, annotations: Value::Null }]) })
    }

    fn call(&self, _: String, _: Map<String, Value>) -> ServerFuture<ServerAnswer> {
        self.0.0.notify_one();
        Box::pin(std::future::pending())
    }
}

/// A station behind a listener, a model and a tool that never answer, and somebody who hears its stops.
struct Bench {
    site: Site,
    address: String,
    token: String,
    wire: Wire,
    /// Answers nobody; ends with the value.
    _model: FakeModel,
    tool: SilentTool,
}

impl Bench {
    async fn open() -> anyhow::Result<Self> {
        let tool = SilentTool::default();
        let mut site = Site::start_with_tool_servers(Arc::new(tool.clone())).await?;
        let model = FakeModel::start([]).await?;
        model.otherwise(Answer::Hang);
        site.use_model(&model).await?;
        site.get("add_mcp_server", json!({ "id": "slow", "url": "https://tools.test/mcp" })).await?;
        let is_ready = |rows: &Value| find(rows, "id", "slow").is_some_and(|row| row["state"] == "ready");
        let rows = site.until("list_mcp_servers", json!({}), is_ready).await?;
        let hash = &rows[0]["tools"][0]["hash"];
        let pin = json!({ "server": "slow", "tool": "wait", "hash": hash, "effect": "read" });
        site.get("pin_mcp_tool", pin).await?;
        let context = json!({
            "topic_pattern": TOPIC, "world_state_key_template": "{label}.location", "value_field": "zone",
        });
        site.get("configure_context", context).await?;
        let listener = HttpListener::listen(SocketAddr::from(([127, 0, 0, 1], 0)))?;
        let address = listener.local_addr()?;
        let gatekeeper = Arc::new(Gatekeeper::new(address));
        let token = gatekeeper.token().to_owned();
        HttpListener::open(listener, Host { api: site.api.clone(), gatekeeper })?;
        let wire = Wire::open(&site).await?;
        Ok(Self { site, address: address.to_string(), token, wire, _model: model, tool })
    }

    /// Stops `robot`, or all of them; gives the time from the first byte of the request to the first put.
    async fn stop(&mut self, robot: Option<&str>, way: Way) -> anyhow::Result<Duration> {
        let mut connection = Connection::open(&self.address).await?;
        let (name, input) = robot.map_or(("stop_all", json!({})), |robot| ("stop_robot", json!({ "robot": robot })));
        let (site, token) = (&self.site, &self.token);
        let pressing = async {
            match way {
                Way::Http => {
                    let reply = connection.call(token, name, &input).await?;
                    anyhow::ensure!(reply.status == 200, "{reply:?}");
                }
                Way::Window => {
                    let (answered, answer) = oneshot::channel();
                    site.api.act_at_once(&site.admin, name, input, |answer| drop(answered.send(answer)));
                    answer.await??;
                }
                Way::Words => {
                    let words = json!({ "text": format!("stop {}", robot.unwrap_or("all")) });
                    let reply = connection.call(token, "send_message", &words).await?;
                    // The words may have to wait; what they ask for does not.
                    let is_heard = reply.status == 200 || reply.body.to_string().contains("was sent to");
                    anyhow::ensure!(is_heard, "{reply:?}");
                }
            }
            Ok(())
        };
        let robots = robot.as_ref().map_or(&ROBOTS[..], std::slice::from_ref);
        let took = self.wire.time_stop(site, robots, pressing).await;
        took.map_err(|error| error.context(format!("{robots:?} by {way:?}")))
    }

    async fn hold(&mut self, robot: &str) -> anyhow::Result<Duration> {
        let mut connection = Connection::open(&self.address).await?;
        let token = &self.token;
        let pressing = async {
            let reply = connection.call(token, "hold_robot", &json!({ "robot": robot })).await?;
            anyhow::ensure!(reply.status == 200, "{reply:?}");
            Ok(())
        };
        self.wire.time_hold(robot, pressing).await
    }

    /// Sees to a turn that waits for the model. A stop of before may still end the one that is begun here: then another is.
    async fn keep_waiting(&mut self) -> anyhow::Result<()> {
        let newest = |page: &Value| page["entries"].as_array().and_then(|entries| entries.last()?["id"].as_u64());
        let mut page = self.site.get("get_transcript", json!({})).await?;
        while page["running"].is_null() {
            let before = newest(&page);
            self.site.get("send_message", json!({ "text": "What is going on?" })).await?;
            let is_heard = |page: &Value| !page["running"].is_null() || newest(page) > before;
            page = self.site.until("get_transcript", json!({}), is_heard).await?;
        }
        Ok(())
    }

    /// Calls the tool; the call lasts as long as what this gives.
    async fn call_tool(&self) -> anyhow::Result<JoinSet<()>> {
        let (api, admin) = (self.site.api.clone(), self.site.admin.clone());
        let mut calls = JoinSet::new();
        calls.spawn(async move {
            let call = json!({ "tool": "slow__wait", "arguments": {} });
            let _it_never_answers = api.call(&admin, "call_mcp_tool", call).await;
        });
        tokio::time::timeout(READY_WITHIN, self.tool.0.notified()).await?;
        Ok(calls)
    }

    /// Holds a robot, stops each one and then all of them, each by a way of its own.
    async fn press_all(&mut self, round: usize, is_loaded: bool) -> anyhow::Result<Vec<Duration>> {
        let mut took = vec![self.hold(ROBOTS[round % ROBOTS.len()]).await?];
        for (n, robot) in ROBOTS.into_iter().map(Some).chain([None]).enumerate() {
            if is_loaded && n > 0 {
                self.keep_waiting().await?;
            }
            took.push(self.stop(robot, WAYS[(round + n) % WAYS.len()]).await?);
        }
        Ok(took)
    }

    /// The same while the database is held, so that no latch can be saved and no turn begin.
    async fn press_all_on_slow_disk(&mut self, round: usize) -> anyhow::Result<Vec<Duration>> {
        let path = self.site.data_dir().join("station.db");
        let options = SqliteConnectOptions::new().filename(path).busy_timeout(READY_WITHIN);
        let mut disk = SqliteConnection::connect_with(&options).await?;
        sqlx::query("BEGIN IMMEDIATE").execute(&mut disk).await?;
        let took = self.press_all(round, false).await;
        sqlx::query("ROLLBACK").execute(&mut disk).await?;
        disk.close().await?;
        took
    }

    async fn samples(&self) -> anyhow::Result<u64> {
        let rows = self.site.get("list_contexts", json!({})).await?;
        let row = rows.as_array().into_iter().flatten().find(|row| row["config"]["topic_pattern"] == TOPIC);
        Ok(row.and_then(|row| row["matched"].as_u64()).unwrap_or_default())
    }
}

/// One test at a time.
static ALONE: Mutex<()> = Mutex::const_new(());

/// A thread with a runtime of its own on which clients ask, and a sensor publishes.
struct Load {
    over: Arc<AtomicBool>,
    thread: JoinHandle<anyhow::Result<()>>,
}

impl Load {
    /// Starts it, and returns when every client has come.
    fn start(bench: &Bench, endpoint: String, answers: &Arc<Answers>) -> anyhow::Result<Self> {
        let over = Arc::new(AtomicBool::new(false));
        let said = |bytes: usize| json!({ "text": "a ".repeat(bytes / 2), "session": "chat-0" });
        let request = |token: &str, name, input| Request { token: token.to_owned(), name, input };
        let kinds = vec![
            (HAMMERING, request(&bench.token, "check_command", arm_goal([0.4, 0.0, 0.9], 0.1))),
            (OF_EACH_KIND, request(&bench.token, "send_message", said(1_000_000))),
            (OF_EACH_KIND, request(&bench.token, "send_message", said(60_000))),
            (TALKING, request(&bench.token, "send_message", said(12_000))),
            (OF_EACH_KIND, request("qd_boot_guessed", "list_robots", json!({}))),
        ];
        let (address, ended, counted) = (bench.address.clone(), Arc::clone(&over), Arc::clone(answers));
        let (ready, is_ready) = threads::sync_channel(1);
        let thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
            runtime.block_on(async move {
                let _strangers = strangers(&address).await?;
                let mut clients = JoinSet::new();
                for (count, kind) in kinds {
                    for _ in 0..count {
                        clients.spawn(hammer(address.clone(), kind.clone(), Arc::clone(&ended), Arc::clone(&counted)));
                    }
                }
                for _ in 0..OF_EACH_KIND {
                    clients.spawn(load_pages(address.clone(), Arc::clone(&ended)));
                }
                ready.send(())?;
                let put = publish(endpoint, &ended).await;
                while clients.join_next().await.is_some() {}
                put
            })
        });
        is_ready.recv()?;
        Ok(Self { over, thread })
    }

    fn end(self) -> anyhow::Result<()> {
        self.over.store(true, Ordering::Relaxed);
        self.thread.join().map_err(|_| anyhow::anyhow!("the load has panicked"))?
    }
}

/// Connections of those who never sign in: channels of frames, and those on which nothing is said at all.
async fn strangers(address: &str) -> anyhow::Result<VecDeque<Connection>> {
    let mut held = VecDeque::new();
    for n in 0..SILENT + UNSIGNED {
        let mut connection = Connection::open(address).await?;
        if n >= SILENT {
            // A client that finds no seat is hung up on.
            let _answered_or_not = connection.upgrade().await;
        }
        held.push_back(connection);
        if held.len() > SILENT_HELD {
            held.pop_front();
        }
    }
    Ok(held)
}

/// Loads the page again and again without a token.
async fn load_pages(address: String, over: Arc<AtomicBool>) {
    while !over.load(Ordering::Relaxed) {
        let Ok(mut connection) = Connection::open(&address).await else { continue };
        let request = format!("GET /index.html HTTP/1.1\r\nhost: {address}\r\n\r\n");
        while connection.send(&request).await.is_ok() && connection.reply().await.is_ok() {
            if over.load(Ordering::Relaxed) {
                return;
            }
        }
    }
}

/// Puts samples that become entries of the world, until the load is over.
async fn publish(endpoint: String, over: &AtomicBool) -> anyhow::Result<()> {
    let config = LinkConfig { listen: Vec::new(), connect: vec![endpoint], file: None };
    let link = Link::open(config, Arc::new(Now::default)).await?;
    let publisher = link.sample_publisher(TOPIC, Codec::Json)?;
    let samples: Vec<Vec<u8>> = (0..7)
        .map(|n| json!({ "label": "person", "confidence": 0.92, "zone": format!("hall-{n}") }).to_string().into_bytes())
        .collect();
    let mut ticks = tokio::time::interval(PUT_EVERY);
    while !over.load(Ordering::Relaxed) {
        ticks.tick().await;
        for sample in samples.iter().cycle().take(SAMPLES) {
            publisher.put(sample.clone())?;
        }
    }
    link.close().await;
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn f25_att_18_no_load_holds_up_the_first_put_of_a_new_stop() -> anyhow::Result<()> {
    let _alone = ALONE.lock().await;
    let mut bench = Bench::open().await?;
    let answers = Arc::new(Answers::default());
    let (mut idle, mut loaded, mut samples, mut seconds) = (Vec::new(), Vec::new(), 0, 0.0);
    for round in 0..ROUNDS {
        idle.extend(bench.press_all(round, false).await?);
        release_stops(&bench.site).await?;
        bench.keep_waiting().await?;
        let _called = bench.call_tool().await?;
        let load = Load::start(&bench, bench.site.endpoint().await?, &answers)?;
        let (began, before) = (tokio::time::Instant::now(), bench.samples().await?);
        let took = match round % 2 {
            0 => bench.press_all_on_slow_disk(round).await,
            _ => bench.press_all(round, true).await,
        };
        seconds += began.elapsed().as_secs_f64();
        samples += bench.samples().await? - before;
        load.end()?;
        loaded.extend(took?);
        release_stops(&bench.site).await?;
    }
    idle.sort();
    loaded.sort();
    let ((idle_50, idle_99), (loaded_50, loaded_99)) = (p50_p99(&idle), p50_p99(&loaded));
    let rate = samples as f64 / seconds;
    let counted = [&answers.done, &answers.too_many, &answers.others].map(|count| count.load(Ordering::Relaxed));
    println!("first put without a load: p50 {idle_50:?}, p99 {idle_99:?} of {}", idle.len());
    println!("beside the load: p50 {loaded_50:?}, p99 {loaded_99:?} of {}", loaded.len());
    println!("{rate:.0} samples a second; answered, told to wait, refused: {counted:?}");
    assert!(rate >= RATE_MIN, "the load has to be one: {rate:.0} samples a second");
    assert!(counted.iter().all(|count| *count > 0), "every kind of client is answered: {counted:?}");
    assert!(loaded_50 <= FLOORS[0].max(3 * idle_50), "idle {idle:?}\nloaded {loaded:?}");
    assert!(loaded_99 <= FLOORS[1].max(3 * idle_99), "idle {idle:?}\nloaded {loaded:?}");
    until_flood_alarm(&bench.address, &bench.token, "come from").await?;
    bench.wire.close().await;
    Ok(())
}

/// Says long words again and again; gives how long each waited for its answer.
async fn talk(address: String, token: String, over: Arc<AtomicBool>) -> anyhow::Result<Vec<Duration>> {
    let words = json!({ "text": "a ".repeat(WORDS_BYTES / 2) });
    let (mut connection, mut waited) = (Connection::open(&address).await?, Vec::new());
    while !over.load(Ordering::Relaxed) {
        let said = tokio::time::Instant::now();
        connection.call(&token, "send_message", &words).await?;
        waited.push(said.elapsed());
    }
    Ok(waited)
}

#[tokio::test(flavor = "multi_thread")]
async fn f25_m_10_a_button_does_not_wait_while_the_words_of_others_are_searched() -> anyhow::Result<()> {
    let _alone = ALONE.lock().await;
    let mut bench = Bench::open().await?;
    let over = Arc::new(AtomicBool::new(false));
    let mut talking = JoinSet::new();
    for _ in 0..OF_EACH_KIND {
        talking.spawn(talk(bench.address.clone(), bench.token.clone(), Arc::clone(&over)));
    }
    let mut stops = Vec::new();
    for robot in ROBOTS.into_iter().map(Some).chain([None]) {
        stops.push(bench.stop(robot, Way::Http).await?);
    }
    over.store(true, Ordering::Relaxed);
    let mut words = talking.join_all().await.into_iter().collect::<anyhow::Result<Vec<_>>>()?.concat();
    stops.sort();
    words.sort();
    let ((stop, _), (word, _)) = (p50_p99(&stops), p50_p99(&words));
    println!("first put of a button: p50 {stop:?}; words of {} talkers: p50 {word:?}", OF_EACH_KIND);
    assert!(stop * PART_OF_WORDS <= word, "stops {stops:?}\nwords {words:?}");
    bench.wire.close().await;
    Ok(())
}
