//! History of entries: the last points of every key, for sparklines, timelines and evidence.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use robot::Scalar;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::{Key, ProviderId};

/// Points of one key that are kept.
const POINTS_PER_KEY_MAX: usize = 128;
/// Points of all keys of an agent that are kept.
const POINTS_MAX: usize = 200_000;
/// Share of the points that goes at once when there are too many: going one by one would look for the oldest each time.
const DROPPED_SHARE: usize = 16;

/// Kind of a point of the history.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum PointKind {
    /// The value, or how sure it is.
    Value,
    /// The freshness became what the value says.
    Freshness,
    /// Another source began, or ceased, to say something else.
    Contest,
}

/// One point of a key's history.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct HistoryPoint {
    /// The key.
    pub key: Key,
    /// Its kind.
    pub kind: PointKind,
    /// The value; the freshness as a word; whether it is contested.
    pub value: Scalar,
    /// 0 to 1; none is unknown.
    pub confidence: Option<f64>,
    /// When it was so, Unix milliseconds.
    pub observed_ms: i64,
    /// When it was heard of, Unix milliseconds.
    pub received_ms: i64,
    /// The key expression it came from.
    pub source: Arc<str>,
    /// The provider that took it in.
    pub provider_id: ProviderId,
}

impl HistoryPoint {
    /// True if its value or its name is a text that `says` knows.
    #[must_use]
    pub fn says(&self, says: impl Fn(&str) -> bool) -> bool {
        says(&self.value.words()) || says(self.key.as_str()) || says(&self.source)
    }

    /// Of a number, the last of a second stands for the second.
    fn replaces(&self, last: &Self) -> bool {
        let same_second = self.received_ms.div_euclid(1_000) == last.received_ms.div_euclid(1_000);
        let are_values = self.kind == PointKind::Value && last.kind == PointKind::Value;
        same_second && are_values && self.value.as_f64().is_some() && last.value.as_f64().is_some()
    }
}

/// The last points of every key.
#[derive(Debug, Default)]
pub struct History {
    rings: BTreeMap<Key, VecDeque<Arc<HistoryPoint>>>,
    points: usize,
}

impl History {
    /// Takes in a point. One that was observed before others of its key goes to its own place among them.
    pub fn push(&mut self, point: HistoryPoint) {
        let ring = self.rings.entry(point.key.clone()).or_default();
        if let Some(last) = ring.back_mut()
            && point.replaces(last)
            && point.observed_ms >= last.observed_ms
        {
            *last = Arc::new(point);
            return;
        }
        let place = ring.iter().rposition(|known| known.observed_ms <= point.observed_ms).map_or(0, |i| i + 1);
        ring.insert(place, Arc::new(point));
        if ring.len() > POINTS_PER_KEY_MAX {
            // One came and one went, so that the sum stays.
            ring.pop_front();
            return;
        }
        self.points += 1;
        if self.points > POINTS_MAX {
            self.drop_oldest();
        }
    }

    /// The points of `key`, oldest first.
    pub fn of(&self, key: &str) -> impl DoubleEndedIterator<Item = &Arc<HistoryPoint>> {
        self.rings.get(key).into_iter().flatten()
    }

    /// Drops the points that say what is forgotten.
    pub fn forget(&mut self, says: impl Fn(&str) -> bool) {
        self.rings.values_mut().for_each(|ring| ring.retain(|point| !point.says(&says)));
        self.rings.retain(|_, ring| !ring.is_empty());
        self.points = self.rings.values().map(VecDeque::len).sum();
    }

    fn drop_oldest(&mut self) {
        let mut times: Vec<i64> = self.rings.values().flatten().map(|point| point.observed_ms).collect();
        let (_, border_ms, _) = times.select_nth_unstable(POINTS_MAX / DROPPED_SHARE);
        let border_ms = *border_ms;
        for ring in self.rings.values_mut() {
            while ring.front().is_some_and(|point| point.observed_ms <= border_ms) {
                ring.pop_front();
            }
        }
        self.rings.retain(|_, ring| !ring.is_empty());
        self.points = self.rings.values().map(VecDeque::len).sum();
    }
}

/// Points on their way to the disk: of a number the last of each second.
#[derive(Debug, Default)]
pub struct HistoryLog {
    /// Numbers whose second is not over.
    open: BTreeMap<Key, HistoryPoint>,
    closed: Vec<HistoryPoint>,
}

impl HistoryLog {
    /// Takes in a point.
    pub fn push(&mut self, point: HistoryPoint) {
        if let Some(open) = self.open.remove(&point.key)
            && !point.replaces(&open)
        {
            // A number of a later second, or another kind of point, closes the number before it.
            self.closed.push(open);
        }
        if point.kind == PointKind::Value && point.value.as_f64().is_some() {
            self.open.insert(point.key.clone(), point);
        } else {
            self.closed.push(point);
        }
    }

    /// Drops the points that say what is forgotten.
    pub fn forget(&mut self, says: impl Fn(&str) -> bool) {
        self.open.retain(|_, point| !point.says(&says));
        self.closed.retain(|point| !point.says(&says));
    }

    /// The points whose second was over at `now_ms`, for `None` all of them, in the order in which they were closed.
    pub fn take(&mut self, now_ms: Option<i64>) -> Vec<HistoryPoint> {
        let is_over = |point: &HistoryPoint| {
            now_ms.is_none_or(|now_ms| point.received_ms.div_euclid(1_000) != now_ms.div_euclid(1_000))
        };
        self.closed.extend(self.open.extract_if(.., |_, point| is_over(point)).map(|(_, point)| point));
        std::mem::take(&mut self.closed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(key: &str, ms: i64, value: Scalar) -> HistoryPoint {
        HistoryPoint {
            key: Key::new(key).unwrap(),
            kind: PointKind::Value,
            value,
            confidence: None,
            observed_ms: ms,
            received_ms: ms,
            source: "lab/x".into(),
            provider_id: ProviderId("cp-1".into()),
        }
    }

    fn check(points: impl IntoIterator<Item = HistoryPoint>, expected: &[i64]) {
        let mut history = History::default();
        points.into_iter().for_each(|point| history.push(point));
        assert_eq!(history.of("x").map(|point| point.observed_ms).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn ws_16_keeps_the_last_number_of_a_second_and_every_text() {
        check([0, 400, 999, 1_000].map(|ms| point("x", ms, Scalar::Float(1.5))), &[999, 1_000]);
        check([0, 400, 999].map(|ms| point("x", ms, Scalar::Text("a".into()))), &[0, 400, 999]);
        let freshness =
            |ms| HistoryPoint { kind: PointKind::Freshness, ..point("x", ms, Scalar::Text("stale".into())) };
        check([point("x", 1, Scalar::Int(1)), freshness(2), point("x", 3, Scalar::Int(2))], &[1, 2, 3]);
    }

    #[test]
    fn ws_10_ws_16_an_old_row_goes_to_its_own_time() {
        check([5_000, 9_000, 7_000].map(|ms| point("x", ms, Scalar::Int(ms))), &[5_000, 7_000, 9_000]);
    }

    #[test]
    fn ws_16_keeps_128_points_of_a_key() {
        let expected: Vec<i64> = (72..200).map(|second| second * 1_000).collect();
        check((0..200).map(|second| point("x", second * 1_000, Scalar::Int(second))), &expected);
    }

    #[test]
    fn ws_16_a_number_goes_to_the_disk_when_its_second_is_over() {
        let mut log = HistoryLog::default();
        let mut take = |points: Vec<HistoryPoint>, now_ms| {
            points.into_iter().for_each(|point| log.push(point));
            log.take(now_ms).iter().map(|point| point.received_ms).collect::<Vec<_>>()
        };
        assert_eq!(take(vec![point("x", 100, Scalar::Int(1)), point("x", 300, Scalar::Int(2))], Some(400)), [0_i64; 0]);
        assert_eq!(take(vec![point("y", 500, Scalar::Text("a".into()))], Some(600)), [500]);
        assert_eq!(take(vec![], Some(1_000)), [300]);
        assert_eq!(
            take(vec![point("x", 1_100, Scalar::Int(3)), point("x", 2_100, Scalar::Int(4))], Some(2_200)),
            [1_100]
        );
        assert_eq!(take(vec![], None), [2_100]);
    }

    #[test]
    fn e2_12_a_forgotten_text_leaves_the_ring_and_what_waits_for_the_disk() {
        let (mut history, mut log) = (History::default(), HistoryLog::default());
        for (ms, value) in [(0, Scalar::Text("secret".into())), (1, Scalar::Text("b".into())), (2, Scalar::Int(3))] {
            history.push(point("x", ms, value.clone()));
            log.push(point("x", ms, value));
        }
        history.push(point("y", 0, Scalar::Text("secret".into())));
        history.forget(|text| text == "secret");
        log.forget(|text| text == "secret");
        let left = |points: &mut dyn Iterator<Item = i64>| points.collect::<Vec<_>>();
        assert_eq!(left(&mut history.of("x").map(|point| point.observed_ms)), [1, 2]);
        assert_eq!(left(&mut log.take(None).iter().map(|point| point.observed_ms)), [1, 2]);
        assert_eq!((history.of("y").count(), history.points), (0, 2));
    }

    #[test]
    fn ws_16_over_all_keys_the_oldest_points_go_first() {
        let mut history = History::default();
        for second in 0..=100 {
            for key in 0..2_000 {
                history.push(point(&format!("k{key}"), second * 1_000, Scalar::Int(second)));
            }
        }
        assert!(history.points <= POINTS_MAX, "{}", history.points);
        let oldest_ms = history.of("k0").next().map(|point| point.observed_ms);
        assert!(oldest_ms.is_some_and(|ms| (1_000..10_000).contains(&ms)), "{oldest_ms:?}");
    }
}
