//! History of a belief, in the form a curve is drawn from.

use memory::belief::{Belief, BeliefEvent, CHALLENGED_BELOW, ChangeKind, Evidence, HELD_FROM, shown_confidence};

use super::{Beliefs, Named, row};
use runtime::error::OpError;
use runtime::wire::{BeliefHistory, BeliefHistoryRow, BeliefPin};

/// The part of a history that is asked for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Span {
    pub from_ms: Option<i64>,
    pub to_ms: Option<i64>,
    /// The most rows.
    pub points: u32,
}

impl Beliefs {
    /// Changes of a belief within `span`, with its pins.
    pub(crate) async fn history(&self, named: &Named, span: &Span, now_ms: i64) -> Result<BeliefHistory, OpError> {
        let belief = {
            // What changes right now is saved before the lock is free: the history ends with what the belief shows.
            let _settled = self.engine.lock().await;
            self.find(named)?
        };
        let db = &self.db;
        let id = belief.id.as_str();
        let (from_ms, to_ms) = (span.from_ms.unwrap_or(i64::MIN), span.to_ms.unwrap_or(i64::MAX));
        let events = db.belief_events(id, from_ms, to_ms, span.points).await?;
        let there = db.belief_event_count(id, from_ms, to_ms).await?.unsigned_abs();
        let before = match span.from_ms {
            Some(from_ms) => db.belief_events(id, i64::MIN, from_ms, 1).await?.pop(),
            None => None,
        };
        let pins = pins(&db.belief_pins(id).await?);
        let confidence_from = span
            .from_ms
            .zip(before)
            .map(|(from_ms, event)| shown_confidence(confidence_after(&belief, &event, &pins, from_ms)));
        let seconds = |ms: i64| ms.div_euclid(1_000);
        Ok(BeliefHistory {
            left_out: there.saturating_sub(events.len() as u64),
            rows: events.into_iter().map(history_row).collect(),
            half_life_secs: seconds(belief.half_life_ms),
            pins: pins.iter().map(|(from, until)| BeliefPin { from: seconds(*from), until: seconds(*until) }).collect(),
            confidence_from,
            confidence_now: shown_confidence(belief.confidence_at(now_ms)),
            below_05_at: belief.falls_below_ms(HELD_FROM).map(seconds),
            below_02_at: belief.falls_below_ms(CHALLENGED_BELOW).map(seconds),
            belief: row(&belief, now_ms),
        })
    }
}

/// The confidence at `at_ms` that `event` left behind, if nothing has happened since.
fn confidence_after(belief: &Belief, event: &BeliefEvent, pins: &[(i64, i64)], at_ms: i64) -> f64 {
    let pin = pins.iter().rev().find(|(from_ms, until_ms)| *from_ms <= event.at_ms && event.at_ms < *until_ms);
    let then = Belief {
        confidence: event.confidence_after.unwrap_or_default(),
        anchor_ms: event.at_ms,
        pinned_until_ms: pin.map(|(_, until_ms)| *until_ms),
        ..belief.clone()
    };
    then.confidence_at(at_ms)
}

/// From when to when a belief was pinned: until the pin's own end, or until something ended it.
fn pins(events: &[BeliefEvent]) -> Vec<(i64, i64)> {
    let mut pins: Vec<(i64, i64)> = Vec::new();
    for event in events {
        if let Some((_, until_ms)) = pins.last_mut() {
            *until_ms = (*until_ms).min(event.at_ms);
        }
        if event.kind == ChangeKind::Pinned
            && let Some(Evidence::Operator { pinned_until: Some(until), .. }) = &event.evidence
        {
            pins.push((event.at_ms, until.saturating_mul(1_000)));
        }
    }
    pins
}

fn history_row(event: BeliefEvent) -> BeliefHistoryRow {
    BeliefHistoryRow {
        at: event.at_ms.div_euclid(1_000),
        kind: event.kind,
        value: event.value,
        confidence_before: event.confidence_before.map(shown_confidence),
        confidence_after: event.confidence_after.map(shown_confidence),
        by: event.by,
        evidence: event.evidence,
    }
}

#[cfg(test)]
mod tests {
    use memory::belief::{Author, BeliefId, BeliefName, ConfirmedBy, Statement};

    use super::*;

    const DAY_MS: i64 = 86_400_000;
    const CUP_LOCATION: BeliefName<'_> = BeliefName { subject: "cup", predicate: "location" };

    fn author(pinned_until: Option<i64>) -> Author {
        let evidence = Evidence::Operator { operator: "dana".into(), pinned_until };
        Author { by: ConfirmedBy::Person, name: "dana".into(), evidence: Some(evidence) }
    }

    #[test]
    fn bl_13_a_pin_lasts_until_its_end_or_until_something_ended_it() {
        let said = Statement { value: "kitchen".into(), confidence: Some(0.8), ..Statement::default() };
        let made = Belief::create(BeliefId::new("b"), CUP_LOCATION, &said, &author(None), 0).unwrap().belief;
        let pin = |at_ms: i64, until: i64| made.pin(Some(until * 1_000), &author(Some(until)), at_ms).event.unwrap();
        let unpin = made.pin(None, &author(None), 5_000).event.unwrap();
        let events = [pin(1_000, 3), pin(4_000, 9), unpin, pin(6_000, 8), pin(7_000, 20)];
        assert_eq!(pins(&events), [(1_000, 3_000), (4_000, 5_000), (6_000, 7_000), (7_000, 20_000)]);
    }

    #[test]
    fn bl_13_the_confidence_at_the_beginning_is_what_the_event_before_it_left() {
        let said = Statement { value: "kitchen".into(), confidence: Some(0.8), ..Statement::default() };
        let made = Belief::create(BeliefId::new("b"), CUP_LOCATION, &said, &author(None), 0).unwrap();
        let event = made.event.unwrap();
        let at = |pins: &[(i64, i64)], days: i64| {
            shown_confidence(confidence_after(&made.belief, &event, pins, days * DAY_MS))
        };
        assert_eq!((at(&[], 14), at(&[(0, 14 * DAY_MS)], 28)), (0.4, 0.4));
    }
}
