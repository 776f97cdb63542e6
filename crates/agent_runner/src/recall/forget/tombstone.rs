//! Tombstone of something forgotten: who, when and why, which records, and how much was where. Neither the text nor a
//! hash of it.

use std::collections::BTreeMap;

use memory::episodic::utc_text;
use memory::forget::{Forgetting, Places};
use memory::word;

use runtime::audit::AuditEntry;
use runtime::session::Session;

/// Ids that one record of the audit has room for.
const IDS_PER_RECORD: usize = 3;

/// The records of the audit that make up the tombstone.
pub(super) fn records(forgetting: &Forgetting, places: &Places, by: Option<&Session>) -> Vec<AuditEntry> {
    let mut roles: BTreeMap<String, usize> = BTreeMap::new();
    for record in &forgetting.records {
        *roles.entry(word(&record.role)).or_default() += 1;
    }
    let times = || forgetting.records.iter().map(|record| utc_text(record.at_ms));
    let (from, to) = (times().min().unwrap_or_default(), times().max().unwrap_or_default());
    let details = [
        format!("by={} reason={}", forgetting.by, forgetting.reason),
        format!("records={} from={from} to={to}", forgetting.records.len()),
        format!("roles={}", counts(&roles)),
        format!("places={}", counts(places)),
    ];
    let ids = forgetting.records.chunks(IDS_PER_RECORD).map(|chunk| {
        let ids: Vec<&str> = chunk.iter().map(|record| record.id.as_str()).collect();
        format!("ids={}", ids.join(","))
    });
    let entry = |detail: String| {
        let made = match by {
            Some(by) => AuditEntry::by(by, "tombstone", "ok"),
            // After a restart there is no session; who asked stands in the first of the records.
            None => AuditEntry::by_station("tombstone", "ok"),
        };
        made.about(format!("{} {detail}", forgetting.tombstone))
    };
    let belief = forgetting.belief.iter().map(|belief| format!("belief={belief}"));
    details.into_iter().chain(belief).chain(ids).map(entry).collect()
}

fn counts<K: AsRef<str>, V: ToString>(counts: &BTreeMap<K, V>) -> String {
    let counted = counts.iter().map(|(name, count)| format!("{}:{}", name.as_ref(), count.to_string()));
    counted.collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use memory::episodic::EpisodeRole;
    use memory::forget::Selected;

    use super::*;

    #[test]
    fn e2_14_a_tombstone_names_everything_but_what_was_said() {
        let record = |number: i64, role| Selected {
            id: format!("ep-019a0000-0000-7000-8000-00000000000{number}"),
            at_ms: number,
            role,
            content: "the vault code is 4711".into(),
            session: None,
            entry: None,
        };
        let roles = [EpisodeRole::User, EpisodeRole::User, EpisodeRole::Alert, EpisodeRole::Note];
        let forgetting = Forgetting {
            tombstone: "tb-1".into(),
            by: "dana".into(),
            reason: "asked to".into(),
            records: (1..).zip(roles).map(|(number, role)| record(number, role)).collect(),
            texts: vec!["the vault code is 4711".into()],
            phrase: None,
            belief: None,
        };
        let places = Places::from([("daily_logs".into(), 4), ("transcripts".into(), 2)]);
        let details: Vec<String> = records(&forgetting, &places, None).into_iter().map(|made| made.detail).collect();
        assert_eq!(details.len(), 6);
        assert_eq!(details[0], "tb-1 by=dana reason=asked to");
        assert_eq!(details[1], "tb-1 records=4 from=1970-01-01T00:00:00.001Z to=1970-01-01T00:00:00.004Z");
        assert_eq!(details[2..4], ["tb-1 roles=alert:1,note:1,user:2", "tb-1 places=daily_logs:4,transcripts:2"]);
        assert!(details[4..].concat().matches("ep-019a").count() == 4);
        assert!(details.iter().all(|detail| detail.chars().count() <= 200 && !detail.contains("4711")), "{details:#?}");
    }
}
