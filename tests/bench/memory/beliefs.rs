//! PF-06: decay computed at read, against reading alone.

use std::hint::black_box;
use std::sync::Arc;

use memory::belief::{Author, Belief, BeliefId, BeliefName, Book, ConfirmedBy, Statement};

use crate::measure::compare;
use crate::report::Row;

/// As many as an agent of years may hold.
const BELIEFS: usize = 10_000;
/// A day of the wall clock, milliseconds.
const DAY_MS: i64 = 86_400_000;
/// Runs of each arm in a quarter of a round.
const RUNS: usize = 20;

/// A row.
pub fn rows() -> Vec<Row> {
    let book = book();
    let now_ms = 30 * DAY_MS;
    let read = |confidence: fn(&Belief, i64) -> f64| {
        let rows = book.after(None);
        let rows = rows.map(|belief| (belief.subject.clone(), belief.value.clone(), confidence(belief, now_ms)));
        rows.map(|row| black_box(row).2).sum::<f64>()
    };
    let decay = compare(RUNS, |_| read(|belief, _| belief.confidence), |_| read(Belief::confidence_at));
    let name = "10,000 beliefs read with decay".into();
    vec![Row::compared("PF-06", name, "the same without", decay, "at most 2 times")]
}

fn book() -> Book {
    let author = Author { by: ConfirmedBy::Agent, name: "agent".into(), evidence: None };
    let mut book = Book::default();
    for n in 0..BELIEFS {
        let said = Statement { value: format!("value {n}"), confidence: Some(0.9), ..Statement::default() };
        let name = BeliefName { subject: &format!("subject-{n}"), predicate: "status" };
        let at_ms = i64::try_from(n).unwrap_or_default() * 1_000;
        let made = Belief::create(BeliefId::new(&format!("belief-{n}")), name, &said, &author, at_ms);
        book.put(Arc::new(made.unwrap().belief), at_ms);
    }
    book
}
