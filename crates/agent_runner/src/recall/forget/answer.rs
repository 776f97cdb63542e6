//! The answer to forgetting: what went, and what still holds it.

use std::collections::BTreeMap;

use memory::episodic::cut_to;
use memory::forget::{Forgetting, HeldIn, Places, Selected, Stays};

use runtime::wire::{Forgotten, HeldRow, StaysRow, ToForget, ToForgetRow};

/// Characters of a record that a dry run shows.
const SHOWN_CHARS: usize = 80;
/// Kinds of things that the sentence counts; the list has them all.
const COUNTED_MAX: usize = 3;
/// A limit that no program can lift, after every file was searched for the words.
const NOTICE: &str = "Disks and their own backups may keep old blocks. A word of its own is meant by a phrase of less \
                      than four characters; longer words that contain it are left as they are.";
/// The same where only records go, and nothing is looked for.
const NOTICE_OF_RECORDS: &str = "Disks and their own backups may keep old blocks. Only the records themselves went; \
                                 conversations, notes and everything else that says the same were not searched.";

/// The answer of a dry run; `held` is everything that holds the query as a phrase.
pub(super) fn to_forget(records: &[Selected], held: &[Stays]) -> ToForget {
    let row = |record: &Selected| ToForgetRow { id: record.id.clone(), content: cut_to(&record.content, SHOWN_CHARS) };
    let message = match held {
        said if records.is_empty() => {
            format!("No record holds it; {} {}", counted(said), if is_one(said) { "says it" } else { "say it" })
        }
        _ => format!("Would forget {}", entries(records.len())),
    };
    let mut counts: BTreeMap<HeldIn, u64> = BTreeMap::new();
    for stays in held {
        *counts.entry(stays.held_in).or_default() += stays.count;
    }
    let places = counts.into_iter().map(|(held_in, count)| HeldRow { held_in, count }).collect();
    ToForget { message, items: records.iter().map(row).collect(), places }
}

/// The answer once it is done.
pub(super) fn done(forgetting: &Forgetting, places: Places, stays: Vec<Stays>, recordings: Vec<String>) -> Forgotten {
    let searched = !forgetting.needles().is_empty();
    Forgotten {
        message: said(forgetting.records.len(), &stays),
        forgotten: forgetting.records.len() as u64,
        tombstone: forgetting.tombstone.clone(),
        places: places.into_iter().collect(),
        stays: stays.into_iter().map(stays_row).collect(),
        recordings,
        notice: if searched { NOTICE } else { NOTICE_OF_RECORDS }.to_owned(),
        searched,
    }
}

fn stays_row(Stays { held_in, count, remedy, is_of_database: _ }: Stays) -> StaysRow {
    StaysRow { what: held_in.counted(count), how: remedy.to_string(), held_in, count, remedy }
}

/// `Forgot 9 entries`, and what still says it.
pub(super) fn said(records: usize, stays: &[Stays]) -> String {
    let forgot = format!("Forgot {}", entries(records));
    match stays {
        [] => forgot,
        stays => format!("{forgot}; {} still {} it", counted(stays), if is_one(stays) { "says" } else { "say" }),
    }
}

fn is_one(stays: &[Stays]) -> bool {
    matches!(stays, [only] if only.count == 1)
}

fn counted(stays: &[Stays]) -> String {
    let mut words: Vec<String> =
        stays.iter().take(COUNTED_MAX).map(|stays| stays.held_in.counted(stays.count)).collect();
    if stays.len() > COUNTED_MAX {
        words.push("more".to_owned());
    }
    match words.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, first)) => format!("{} and {last}", first.join(", ")),
        None => String::new(),
    }
}

fn entries(count: usize) -> String {
    if count == 1 { "1 entry".to_owned() } else { format!("{count} entries") }
}

#[cfg(test)]
mod tests {
    use memory::forget::Remedy;

    use super::*;

    #[test]
    fn e2_13_the_answer_says_what_still_says_it() {
        let stays = |held_in, count| Stays { held_in, count, remedy: Remedy::ForgetBelief, is_of_database: false };
        for (records, left, message) in [
            (9, vec![], "Forgot 9 entries"),
            (1, vec![stays(HeldIn::Alert, 1)], "Forgot 1 entry; 1 alert still says it"),
            (
                9,
                vec![stays(HeldIn::Belief, 3), stays(HeldIn::Alert, 1)],
                "Forgot 9 entries; 3 beliefs and 1 alert still say it",
            ),
            (0, vec![stays(HeldIn::Job, 2); 5], "Forgot 0 entries; 2 jobs, 2 jobs, 2 jobs and more still say it"),
        ] {
            assert_eq!(said(records, &left), message);
        }
    }
}
