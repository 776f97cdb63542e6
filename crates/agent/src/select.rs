//! Selection of the tools that a model is told of when there are more than it should read: those that are nearest to
//! the words and meaning of the message, and always some.

use std::collections::{BTreeMap, BTreeSet};

use crate::{Policy, Ratio, Select, SelectWhen, ToolSpec};

/// Parameters of BM25: saturation of repeated words, and weight of a text's length; the usual values.
const SATURATION: f64 = 1.2;
const LENGTH_SHARE: f64 = 0.75;
/// A message with fewer words says nothing about tools.
const WORDS_MIN: usize = 2;

/// Stands among the names of tools for those that work at a station begins with.
pub(crate) const CORE: &str = "@core";

/// Words that every text has.
const STOP_WORDS: [&str; 76] = [
    "an", "and", "any", "are", "as", "at", "be", "been", "but", "by", "can", "could", "did", "do", "does", "each",
    "every", "for", "from", "had", "has", "have", "how", "if", "in", "into", "is", "it", "its", "just", "let", "me",
    "might", "more", "my", "no", "not", "now", "of", "on", "one", "or", "our", "out", "over", "please", "should", "so",
    "some", "such", "than", "that", "the", "their", "them", "then", "there", "these", "they", "this", "to", "up", "us",
    "was", "we", "were", "what", "when", "which", "who", "will", "with", "would", "yet", "you", "your",
];

/// Something that can be found.
#[derive(Debug, Clone, Copy)]
pub struct Document<'a> {
    /// Its words.
    pub text: &'a str,
    /// Similarity of its meaning to the query, 0 to 1, if there is a model for that.
    pub similarity: Option<f64>,
}

/// Weights and limits of a search.
#[derive(Debug, Clone, Copy)]
pub struct Weights {
    /// Weight of meaning; the rest is that of words.
    pub vector: Ratio,
    /// A lower score is no hit.
    pub least: Ratio,
    /// Candidates looked at for each hit.
    pub candidates: u32,
}

/// The indices of the `top` best of `documents` for `query`, best first, with their scores.
#[must_use]
pub fn hybrid(query: &str, documents: &[Document], weights: Weights, top: usize) -> Vec<(usize, f64)> {
    let keywords = keyword_scores(query, documents);
    let has_vectors = documents.iter().any(|document| document.similarity.is_some());
    // Without vectors words alone decide.
    let vector = if has_vectors { weights.vector.value() } else { 0.0 };
    // Similarity and keyword score can only be added if both lie between 0 and 1.
    let similarity = |at: usize| documents[at].similarity.unwrap_or(0.0).clamp(0.0, 1.0);
    let count = top.saturating_mul(usize::try_from(weights.candidates).unwrap_or(usize::MAX));
    let mut candidates: BTreeSet<usize> = best((0..documents.len()).map(|at| (at, keywords[at])), count);
    if has_vectors {
        candidates.extend(best((0..documents.len()).map(|at| (at, similarity(at))), count));
    }
    let scored = candidates.into_iter().map(|at| (at, vector * similarity(at) + (1.0 - vector) * keywords[at]));
    let mut hits: Vec<(usize, f64)> = scored.filter(|(_, score)| *score >= weights.least.value()).collect();
    // Equal scores keep the order of the list, so equal inputs give an equal prompt.
    hits.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    hits.truncate(top);
    hits
}

/// The best hit first, the second best last, and so on towards the middle: what stands at an edge is read best.
#[must_use]
pub fn at_edges<T>(hits: Vec<T>) -> Vec<T> {
    let (mut front, mut back) = (Vec::with_capacity(hits.len()), Vec::new());
    for (rank, hit) in hits.into_iter().enumerate() {
        if rank % 2 == 0 { front.push(hit) } else { back.push(hit) }
    }
    front.extend(back.into_iter().rev());
    front
}

/// True if a message says so little that a search for it finds only chance hits.
#[must_use]
pub fn is_trivial(text: &str) -> bool {
    words(text).count() < WORDS_MIN
}

/// The tools that are declared for `message`, by name. `similarity` gives how near each tool is in meaning, in their
/// order; `most` is what the model takes, if it has a bound.
#[must_use]
pub fn select_tools(
    policy: &Policy,
    tools: &[ToolSpec],
    message: &str,
    similarity: Option<&[f64]>,
    most: Option<u16>,
) -> Vec<ToolSpec> {
    let select = &policy.tools.select;
    let most = most.map_or(usize::MAX, |most| usize::from(most).min(as_count(select.cap)));
    let wanted = match select.when {
        SelectWhen::All => most,
        SelectWhen::EachMessage | SelectWhen::EachEpoch if tools.len() <= as_count(select.all_up_to) => most,
        // A search for so few words would choose tools by chance.
        SelectWhen::EachMessage if is_trivial(message) => 0,
        SelectWhen::EachMessage | SelectWhen::EachEpoch => as_count(select.top).min(most),
    };
    let mut kept: Vec<ToolSpec> = if tools.len() <= wanted {
        tools.to_vec()
    } else {
        let kept = nearest(policy, tools, message, similarity, Counts { wanted, most });
        tools.iter().enumerate().filter(|(at, _)| kept.contains(at)).map(|(_, tool)| tool.clone()).collect()
    };
    // The declarations are part of the prefix that providers cache, so their order must not vary.
    kept.sort_by(|a, b| a.name.cmp(&b.name));
    kept
}

/// Numbers of tools.
#[derive(Debug, Clone, Copy)]
struct Counts {
    /// Declared for being near to a message.
    wanted: usize,
    /// Declared in all, because the model takes no more.
    most: usize,
}

/// Those that are always in, then the nearest, up to what the model takes.
fn nearest(
    policy: &Policy,
    tools: &[ToolSpec],
    message: &str,
    similarity: Option<&[f64]>,
    Counts { wanted, most }: Counts,
) -> BTreeSet<usize> {
    let texts: Vec<String> = tools.iter().map(|tool| format!("{} {}", tool.name, tool.description)).collect();
    let documents: Vec<Document> = texts
        .iter()
        .enumerate()
        .map(|(at, text)| Document { text, similarity: similarity.and_then(|all| all.get(at).copied()) })
        .collect();
    let rag = &policy.rag;
    let weights = Weights { vector: rag.tools_vector, least: rag.tools_min, candidates: rag.candidates };
    let always = (0..tools.len()).filter(|at| policy.tools.select.is_always_in(&tools[*at]));
    let mut kept: BTreeSet<usize> = always.take(most).collect();
    let hits = hybrid(message, &documents, weights, wanted.max(1));
    let found: Vec<usize> = hits.into_iter().take(wanted).map(|(at, _)| at).collect();
    for at in found {
        if kept.len() < most {
            kept.insert(at);
        }
    }
    kept
}

impl Select {
    /// True if `tool` is declared whatever is asked.
    #[must_use]
    pub fn is_always_in(&self, tool: &ToolSpec) -> bool {
        self.always.iter().any(|pattern| match pattern.strip_suffix('*') {
            Some(start) => tool.name.starts_with(start),
            None => tool.name == *pattern || (tool.core && pattern == CORE),
        })
    }
}

/// `1 / (1 + e^rank)` of a rank that is the lower the better, as full-text indexes give it; 0 without a common word.
fn keyword_scores(query: &str, documents: &[Document]) -> Vec<f64> {
    let terms: BTreeSet<String> = terms(query).collect();
    let texts: Vec<Vec<String>> = documents.iter().map(|document| self::terms(document.text).collect()).collect();
    let mut in_documents: BTreeMap<&str, usize> = BTreeMap::new();
    for term in &terms {
        let count = texts.iter().filter(|text| text.contains(term)).count();
        in_documents.insert(term, count);
    }
    let length = as_f64(texts.iter().map(Vec::len).sum::<usize>()) / as_f64(texts.len().max(1));
    let rank = |text: &Vec<String>| -> f64 {
        let score = terms.iter().map(|term| {
            let times = as_f64(text.iter().filter(|word| *word == term).count());
            let found = as_f64(in_documents.get(term.as_str()).copied().unwrap_or_default());
            // The 1 keeps the logarithm positive for words that most of the texts have.
            let rarity = ((as_f64(texts.len()) - found + 0.5) / (found + 0.5) + 1.0).ln();
            let length = 1.0 - LENGTH_SHARE + LENGTH_SHARE * as_f64(text.len()) / length.max(1.0);
            rarity * times * (SATURATION + 1.0) / (times + SATURATION * length)
        });
        -score.sum::<f64>()
    };
    texts.iter().map(rank).map(|rank| if rank < 0.0 { 1.0 / (1.0 + rank.exp()) } else { 0.0 }).collect()
}

fn best(scores: impl Iterator<Item = (usize, f64)>, count: usize) -> BTreeSet<usize> {
    let mut scores: Vec<(usize, f64)> = scores.filter(|(_, score)| *score > 0.0).collect();
    scores.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    scores.into_iter().take(count).map(|(at, _)| at).collect()
}

fn words(text: &str) -> impl Iterator<Item = String> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| word.chars().count() > 1).map(str::to_lowercase)
}

/// The words that say what a text is about, without their endings.
fn terms(text: &str) -> impl Iterator<Item = String> {
    let says_something =
        |word: &String| !STOP_WORDS.contains(&word.as_str()) && !word.chars().all(|letter| letter.is_ascii_digit());
    words(text).filter(says_something).map(|word| stem(&word).to_owned())
}

/// A word without the ending of a plural or a tense: rough, and the same for both sides.
fn stem(word: &str) -> &str {
    let cut = |ending: &str, least: usize| word.strip_suffix(ending).filter(|stem| stem.len() >= least);
    cut("ings", 3)
        .or_else(|| cut("ing", 3))
        .or_else(|| cut("ed", 3))
        .or_else(|| word.ends_with("ss").then_some(word))
        .or_else(|| cut("s", 3))
        .unwrap_or(word)
}

fn as_count(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

fn as_f64(count: usize) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX))
}

#[cfg(test)]
mod tests;
