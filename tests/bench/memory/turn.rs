//! P8: the context of a turn before the model is asked: 1,000 keys of the world, 10,000 beliefs, 100,000 records.

use std::sync::Arc;
use std::time::Duration;

use bridge::Decoder;
use memory::AgentDb;
use memory::belief::{Author, Belief, BeliefId, BeliefName, Book, ConfirmedBy, Statement, recall};
use memory::episodic::{Filters, Match, Query, Search};
use robot::{Instant, Now, Sample, Scan};
use serde_json::json;
use tokio::runtime::Handle;
use tokio::task::block_in_place;
use world::prompt_block::Wanted;
use world::{Entry, Provider, ProviderId, World};

use crate::measure::compare;
use crate::records::NOW_MS;
use crate::report::Row;

/// Keys of the world.
const KEYS: u32 = 1_000;
/// Beliefs of the agent.
const BELIEFS: u32 = 10_000;
/// Turns of each arm in a quarter of a round.
const RUNS: usize = 20;
/// Lines and characters of the world that a turn is shown.
const LINES_MAX: usize = 40;
const CHARS_MAX: usize = 1_750;
/// Records that are recalled at most.
const RECALLED_MAX: usize = 5;
/// Words of a person.
const WORDS: &str = "did the robot see a toddler near subject17";

/// A row without recalled records and one with them.
pub fn rows(db: &AgentDb) -> Vec<Row> {
    let now = Now { station: Instant::from_millis(5_000), wall_ms: NOW_MS };
    let (entries, book) = (entries(now), book());
    let lines: Vec<String> = entries.iter().map(|entry| format!("{} = {}\n", entry.key, entry.value)).collect();
    let plain = |_| lines.concat().len();
    let wanted = Wanted { trigger_keys: &[], since: None, lines_max: LINES_MAX, chars_max: CHARS_MAX };
    let context = || {
        let block = world::prompt_block::render(&entries, &wanted, now);
        block.typed.len() + block.text.len() + recall(&book, WORDS, NOW_MS).vouched.len()
    };
    let without = compare(RUNS, plain, |_| context());
    let handle = Handle::current();
    let search = Search {
        query: Query::parse(WORDS, Match::Any).unwrap(),
        near: None,
        filters: Filters::default(),
        limit: RECALLED_MAX,
        half_life_days: 30.0,
        time_limit: Duration::from_secs(5),
    };
    let recalled = || handle.block_on(db.search_episodes(&search, NOW_MS)).unwrap().hits.len();
    let with = block_in_place(|| compare(RUNS, plain, |_| context() + recalled()));
    let floor = "the bytes of the world put together";
    vec![
        Row::compared(
            "P8",
            "what a turn is told, without records".into(),
            floor,
            without,
            "p99 < 1 ms; at most 3 times",
        ),
        Row::compared("P8", "what a turn is told, with records".into(), floor, with, "p99 < 5 ms"),
    ]
}

fn entries(now: Now) -> Vec<Arc<Entry>> {
    let config = json!({
        "topic_pattern": "lab/x/state", "world_state_key_template": "thing{n}.level", "value_field": "v", "max_age_secs": 60
    });
    let id = ProviderId("cp-1".into());
    let provider = Provider::compile(id.clone(), serde_json::from_value(config).unwrap()).unwrap();
    let plan = provider.plan().clone();
    let mut world = World::default();
    world.add_provider(provider).unwrap();
    for n in 0..KEYS {
        let sample = Sample {
            key_expr: "lab/x/state".into(),
            encoding: "application/json".into(),
            payload: json!({ "n": n, "v": n }).to_string().into_bytes().into(),
            stamp_ms: None,
            received: now.station,
            received_ms: now.wall_ms,
            n: 0,
        };
        let scanned = Decoder.scan(&sample, &plan);
        world.apply(&id, &sample, scanned.as_ref().map_err(|reason| *reason), now);
    }
    world.entries().cloned().collect()
}

fn book() -> Book {
    let mut book = Book::default();
    let author = Author { by: ConfirmedBy::Person, name: "dana".into(), evidence: None };
    for n in 0..BELIEFS {
        let said = Statement { value: format!("value {n}"), confidence: Some(0.9), ..Statement::default() };
        let names = (format!("subject{}", n / 4), format!("predicate{}", n % 4));
        let name = BeliefName { subject: &names.0, predicate: &names.1 };
        let made = Belief::create(BeliefId::new(&format!("belief-{n}")), name, &said, &author, NOW_MS);
        book.put(Arc::new(made.unwrap().belief), NOW_MS);
    }
    book
}
