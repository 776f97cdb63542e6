use proptest::collection::vec;
use proptest::prelude::*;

use super::*;

const NOW_MS: i64 = 1_772_990_000_000;
const HALF_LIFE_DAYS: f64 = 30.0;

fn candidate(name: &str, age_days: i64, relevance: f64, holds_rarest: bool) -> Candidate {
    Candidate { id: name.to_owned(), at_ms: NOW_MS - age_days * 86_400_000, relevance, holds_rarest }
}

fn names(candidates: &[Candidate], limit: usize) -> Vec<&str> {
    let ranked = rank(candidates, NOW_MS, HALF_LIFE_DAYS, limit);
    ranked.iter().map(|ranked| candidates[ranked.index].id.as_str()).collect()
}

#[test]
fn e2_07_the_weight_halves_towards_a_fifth() {
    for (age_days, expected) in [(0.0, 1.0), (30.0, 0.6), (60.0, 0.4), (10_000.0, 0.2)] {
        assert!((weight(age_days, HALF_LIFE_DAYS) - expected).abs() < 1e-9, "{age_days} days");
    }
    assert_eq!(age_days(NOW_MS + 5, NOW_MS), 0.0);
}

#[test]
fn cw_13_of_two_equal_records_the_newer_one_comes_first() {
    assert_eq!(names(&[candidate("old", 60, 3.0, true), candidate("today", 0, 3.0, true)], 10), ["today", "old"]);
}

#[test]
fn cw_13_an_old_perfect_match_stays_among_many_weak_new_ones() {
    let mut all: Vec<Candidate> = (0..500).map(|n| candidate(&format!("weak-{n}"), 0, 1.0, false)).collect();
    all.push(candidate("perfect", 400, 4.0, false));
    assert_eq!(names(&all, 10).last(), Some(&"perfect"));
}

#[test]
fn cw_13_a_recent_weak_match_on_the_rarest_term_stays_among_many_better_old_ones() {
    let mut all: Vec<Candidate> = (0..500).map(|n| candidate(&format!("better-{n:03}"), 200, 9.0, true)).collect();
    all.push(candidate("weak", 0, 0.1, true));
    let found = names(&all, 10);
    assert_eq!((found.len(), found.last()), (10, Some(&"weak")));
}

#[test]
fn e2_08_two_that_would_fall_out_take_the_two_last_places() {
    let mut all: Vec<Candidate> = (0..20).map(|n| candidate(&format!("mid-{n:02}"), 0, 2.0, false)).collect();
    all.push(candidate("perfect", 4_000, 4.0, false));
    all.push(candidate("rare", 1, 0.1, true));
    assert_eq!(names(&all, 3), ["mid-00", "perfect", "rare"]);
    assert_eq!(names(&all, 2), ["mid-00", "mid-01"], "with two places nothing is protected");
}

#[test]
fn e2_07_equal_scores_go_by_time_and_then_by_id() {
    let all = [candidate("b", 0, 1.0, false), candidate("a", 0, 1.0, false), candidate("c", -1, 1.0, false)];
    assert_eq!(names(&all, 9), ["c", "a", "b"]);
}

fn candidates() -> impl Strategy<Value = Vec<Candidate>> {
    vec((0_i64..2_000, 0.001_f64..20.0, any::<bool>()), 0..60).prop_map(|drawn| {
        let named = drawn.into_iter().enumerate();
        named.map(|(n, (age, relevance, rarest))| candidate(&format!("ep-{n:03}"), age, relevance, rarest)).collect()
    })
}

proptest! {
    #[test]
    fn e2_08_the_most_relevant_and_the_newest_with_the_rarest_term_never_fall_out(all in candidates(), limit in 3_usize..12) {
        let ranked = rank(&all, NOW_MS, HALF_LIFE_DAYS, limit);
        prop_assert_eq!(ranked.len(), all.len().min(limit));
        let best = all.iter().map(|one| one.relevance).fold(0.0, f64::max);
        prop_assert!(all.is_empty() || ranked.iter().any(|one| all[one.index].relevance == best));
        let newest = all.iter().filter(|one| one.holds_rarest).map(|one| one.at_ms).max();
        let has = |at_ms| ranked.iter().any(|one| all[one.index].holds_rarest && all[one.index].at_ms == at_ms);
        prop_assert!(newest.is_none_or(has));
    }

    #[test]
    fn e2_07_scores_fall_and_nobody_is_listed_twice(all in candidates(), limit in 1_usize..70) {
        let ranked = rank(&all, NOW_MS, HALF_LIFE_DAYS, limit);
        prop_assert!(ranked.windows(2).all(|pair| pair[0].score >= pair[1].score));
        let mut places: Vec<usize> = ranked.iter().map(|one| one.index).collect();
        places.sort_unstable();
        places.dedup();
        prop_assert_eq!(places.len(), ranked.len());
    }

    #[test]
    fn e2_06_the_order_does_not_depend_on_how_candidates_arrive(all in candidates(), limit in 1_usize..20) {
        let mut turned = all.clone();
        turned.reverse();
        prop_assert_eq!(names(&all, limit), names(&turned, limit));
    }
}
