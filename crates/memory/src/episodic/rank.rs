//! The order of the records that match: best fit first, weighed by age. Pure.

/// Milliseconds of a day.
const DAY_MS: f64 = 86_400_000.0;
/// The least share of its weight that a record keeps with age, so that a perfect match is still found after years.
const WEIGHT_MIN: f64 = 0.2;
/// With fewer places than this, protecting two of them would leave nothing to the ranking.
const PROTECTED_FROM: usize = 3;

/// A record that matches.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate {
    /// `ep-<uuid>`.
    pub id: String,
    /// Unix milliseconds.
    pub at_ms: i64,
    /// Relevance by its words and meaning, above 0.
    pub relevance: f64,
    /// It holds the rarest term of the query.
    pub holds_rarest: bool,
}

/// A candidate with its place.
#[derive(Debug, Clone, PartialEq)]
pub struct Ranked {
    /// Its place in the list of candidates.
    pub index: usize,
    /// Days since it was recorded.
    pub age_days: f64,
    /// Relevance, weighed by age.
    pub score: f64,
}

/// The age of what was recorded at `at_ms`, in days; what lies ahead is new.
#[must_use]
pub fn age_days(at_ms: i64, now_ms: i64) -> f64 {
    now_ms.saturating_sub(at_ms).max(0) as f64 / DAY_MS
}

/// The share of its relevance that counts after `age_days`.
#[must_use]
pub fn weight(age_days: f64, half_life_days: f64) -> f64 {
    WEIGHT_MIN + (1.0 - WEIGHT_MIN) * (-age_days / half_life_days).exp2()
}

/// The first `limit` of `candidates`: by score, then the newest, then by id. Neither an old perfect match nor a recent
/// weak one vanishes: the most relevant candidate and the newest one that holds the rarest term take the last places.
#[must_use]
pub fn rank(candidates: &[Candidate], now_ms: i64, half_life_days: f64, limit: usize) -> Vec<Ranked> {
    let mut ranked: Vec<Ranked> = candidates
        .iter()
        .enumerate()
        .map(|(index, candidate)| {
            let age_days = age_days(candidate.at_ms, now_ms);
            Ranked { index, age_days, score: candidate.relevance * weight(age_days, half_life_days) }
        })
        .collect();
    let newest_first = |a: &Candidate, b: &Candidate| b.at_ms.cmp(&a.at_ms).then_with(|| a.id.cmp(&b.id));
    ranked.sort_by(|a, b| {
        // A total order: a NaN among the scores must not upset the sort.
        let by_score = b.score.total_cmp(&a.score);
        by_score.then_with(|| newest_first(&candidates[a.index], &candidates[b.index]))
    });
    if limit >= PROTECTED_FROM && ranked.len() > limit {
        let place_of = |index: usize| ranked.iter().position(|ranked| ranked.index == index);
        let by_relevance = |a: &usize, b: &usize| {
            let (a, b) = (&candidates[*a], &candidates[*b]);
            b.relevance.total_cmp(&a.relevance).then_with(|| newest_first(a, b))
        };
        let rarest = (0..candidates.len()).filter(|index| candidates[*index].holds_rarest);
        let protected = [
            (0..candidates.len()).min_by(by_relevance),
            rarest.min_by(|a, b| newest_first(&candidates[*a], &candidates[*b])),
        ];
        let mut places: Vec<usize> = protected.into_iter().flatten().filter_map(place_of).collect();
        places.sort_unstable();
        places.dedup();
        keep(&mut ranked, &places, limit);
    }
    ranked.truncate(limit);
    ranked
}

/// Moves those of `places` that lie beyond `limit` to the last places within it, and none of `places` out of it.
fn keep(ranked: &mut Vec<Ranked>, places: &[usize], limit: usize) {
    let outside: Vec<Ranked> =
        places.iter().filter(|place| **place >= limit).map(|place| ranked[*place].clone()).collect();
    let mut remaining = outside.len();
    let mut place = limit;
    while remaining > 0 && place > 0 {
        place -= 1;
        if !places.contains(&place) {
            ranked.remove(place);
            remaining -= 1;
        }
    }
    ranked.truncate(limit - outside.len());
    ranked.extend(outside);
}

#[cfg(test)]
mod tests;
