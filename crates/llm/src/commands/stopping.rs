//! Finds out whether somebody asks for a stop, and of which robots, in any language of the table. In doubt it stops: a
//! stop too many costs a release, one too few costs what stands in the way.

mod names;
mod note;
mod table;
mod whom;

pub use note::StopDone;

use std::sync::LazyLock;

use unicode_normalization::UnicodeNormalization;

use super::grammar::split as split_commands;
use names::{Name, find_names};
use table::{
    BESIDE, ENGLISH_ASKED_OF, ENGLISH_ENDS, ENGLISH_ENDS_BETWEEN, ENGLISH_NO_SLIPS, ENGLISH_THINGS, LANGUAGES,
    Language, is_in,
};
use whom::whom;

/// Of a longer text so many bytes at either end are looked at.
const LOOKED_AT_BYTES: usize = 1_000;
/// Signs that mean stop to everybody.
const SIGNS: [char; 2] = ['🛑', '✋'];
/// First words of commands that only take words down or look for them.
const TAKES_WORDS: [&str; 3] = ["recall", "forget", "remember"];
/// Second words that make such a line a sentence like any other.
const TAKES_NONE: [&str; 4] = ["to", "it", "that", "stop"];
/// The word that most people type when they are in a hurry, and how many letters it still has with one slip in it.
const SLIPS_OF: &str = "stop";
const SLIP_LETTERS: std::ops::RangeInclusive<usize> = 4..=5;
/// Words that may stand in front of a question.
const LEADS: [&str; 12] = ["hey", "ok", "okay", "so", "and", "but", "well", "oh", "please", "und", "et", "y"];
/// The most words between one that ends a stop and the word for stop.
const ENDS_BETWEEN_MAX: usize = 3;
/// A letter this often in a row was held down: `stoooop`.
const HELD_DOWN: usize = 3;

/// The robots that are to stop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StopAsked {
    /// Every robot.
    All,
    /// These, by their ids.
    Robots(Vec<String>),
}

/// The stop that `text` asks for, of `robots`; none if it asks for none. A name that could be two robots' is nobody's: then all
/// stop. Questions about stops and words against one ask for none.
///
/// Of a text that nobody types, only its beginning and its end are looked at: a stop does not wait for a pasted book.
#[must_use]
pub fn stop_asked(text: &str, robots: &[&str]) -> Option<StopAsked> {
    if text.len() <= 2 * LOOKED_AT_BYTES {
        return stop_in(text, robots);
    }
    let begin = &text[..text.floor_char_boundary(LOOKED_AT_BYTES)];
    let end = &text[text.ceil_char_boundary(text.len() - LOOKED_AT_BYTES)..];
    // Both ends are read because people put an order first or last.
    stop_in(begin, robots).or_else(|| stop_in(end, robots))
}

fn stop_in(text: &str, robots: &[&str]) -> Option<StopAsked> {
    let names: Vec<Name> = robots.iter().map(|id| Name::of(id)).collect();
    let mut asked: Option<Vec<String>> = None;
    // Chinese and Japanese keyboards write a full-width semicolon.
    for command in split_commands(&text.replace('；', ";")) {
        if is_help(&command) {
            continue;
        }
        match whom(&clauses(&command, &names)) {
            None => {}
            Some(StopAsked::All) => return Some(StopAsked::All),
            Some(StopAsked::Robots(ids)) => asked.get_or_insert_default().extend(ids),
        }
    }
    let mut asked = asked?;
    asked.sort();
    asked.dedup();
    Some(StopAsked::Robots(asked))
}

/// `/help stop`, or `help stop` as the help writes it. Shouted, or with a mark, it is a call for help.
fn is_help(command: &str) -> bool {
    let command = command.trim();
    let words = command.strip_prefix('/').map(str::to_ascii_lowercase);
    let words = words.as_deref().unwrap_or(command).split_once(' ');
    words.is_some_and(|(first, rest)| {
        first == "help" && !rest.is_empty() && rest.chars().all(|letter| letter.is_lowercase())
    })
}

/// A language, its words as they are compared.
struct Words {
    language: &'static Language,
    stop: Vec<Vec<String>>,
    at_end: Vec<Vec<String>>,
    not_before: Vec<Vec<String>>,
    not_after: Vec<Vec<String>>,
    between: Vec<String>,
    asks: Vec<Vec<String>>,
    asks_if_marked: Vec<Vec<String>>,
    requests: Vec<Vec<String>>,
    all: Vec<Vec<String>>,
}

static WORDS: LazyLock<Vec<Words>> = LazyLock::new(|| LANGUAGES.iter().map(Words::of).collect());

impl Words {
    fn of(language: &'static Language) -> Self {
        let phrases = |list: &str| -> Vec<Vec<String>> {
            let said =
                list.split(',').map(|text| folded(text).split_whitespace().map(str::to_owned).collect::<Vec<_>>());
            said.filter(|words| !words.is_empty()).collect()
        };
        Self {
            language,
            stop: phrases(language.stop),
            at_end: phrases(language.at_end),
            not_before: phrases(language.not_before),
            not_after: phrases(language.not_after),
            between: phrases(language.between).concat(),
            asks: phrases(language.asks),
            asks_if_marked: phrases(language.asks_if_marked),
            requests: phrases(language.requests),
            all: phrases(language.all),
        }
    }
}

/// A word of a clause.
struct Word {
    text: String,
    /// Part of a robot's name.
    names: bool,
}

/// Words between two marks.
struct Clause {
    words: Vec<Word>,
    /// The same without anything between them, for scripts that set none apart.
    joined: String,
    named: Vec<String>,
    /// One of the names is only the beginning of a robot's: it may be a word like any other.
    has_begun_name: bool,
    /// It ends with a comma or a colon, as what calls somebody does.
    is_call: bool,
    /// It says that it means all, or a name that several robots have.
    is_about_all: bool,
    /// It ends with a question mark.
    is_marked: bool,
    has_sign: bool,
}

fn clauses(command: &str, names: &[Name]) -> Vec<Clause> {
    let folded = without_scheduled(&folded(command));
    let mut clauses = Vec::new();
    let mut clause = String::new();
    let mut letters = folded.chars().peekable();
    while let Some(letter) = letters.next() {
        // A point or a comma inside a number ends no clause.
        let ends_word = letters.peek().is_none_or(|next| !next.is_alphanumeric());
        let ends = match letter {
            '!' | '?' | '。' | '、' | '¡' | '¿' | '—' | '–' | '…' => true,
            '.' | ',' | ':' => ends_word,
            _ => false,
        };
        if !ends {
            clause.push(letter);
            continue;
        }
        let mut ended = Clause::of(&std::mem::take(&mut clause), names);
        ended.is_marked = letter == '?' || (letter == '!' && letters.peek() == Some(&'?'));
        ended.is_call = matches!(letter, ',' | ':' | '、');
        clauses.push(ended);
    }
    clauses.push(Clause::of(&clause, names));
    clauses.retain(|clause| !clause.words.is_empty() || clause.has_sign);
    clauses
}

/// The command without the quotes of a schedule: they are for later.
fn without_scheduled(command: &str) -> String {
    let begin = command.trim_start_matches(|c: char| c.is_whitespace() || c == '/');
    if !begin.starts_with("schedule") {
        return command.to_owned();
    }
    command.split('"').step_by(2).collect::<Vec<_>>().join(" ")
}

impl Clause {
    fn of(text: &str, names: &[Name]) -> Self {
        let mut words: Vec<Word> = words_of(text).into_iter().map(|text| Word { text, names: false }).collect();
        let found = find_names(&mut words, names);
        let mut clause = Self {
            words,
            joined: text.chars().filter(|letter| letter.is_alphanumeric()).collect(),
            named: found.ids,
            has_begun_name: found.has_begun,
            is_call: false,
            is_about_all: found.is_unclear,
            is_marked: false,
            has_sign: text.contains(SIGNS),
        };
        clause.is_about_all |= WORDS.iter().any(|words| clause.says_all(words));
        clause
    }

    /// True if it asks for a stop: one word does that nothing forbids and no question is about.
    fn asks(&self, is_first: bool) -> bool {
        let asks_unspaced = || WORDS.iter().any(|words| words.language.is_unspaced && self.asks_unspaced(words));
        self.has_sign || asks_unspaced() || (self.orders().next().is_some() && !(is_first && self.only_takes_words()))
    }

    /// Words that ask for a stop: the index of the first, and their number.
    fn orders(&self) -> impl Iterator<Item = (usize, usize)> {
        let spaced = || WORDS.iter().filter(|words| !words.language.is_unspaced);
        let order = move |at: usize| {
            let said: Vec<(&Words, usize)> =
                spaced().filter_map(|words| Some((words, self.stop_at(words, at)?))).collect();
            // If any language reads the words as a report or a prohibition, they are no order in that clause.
            let is_told = said.iter().any(|(words, length)| self.only_tells(words, at, *length));
            let length = said.iter().map(|(_, length)| *length).max().filter(|_| !is_told)?;
            Some((at, length))
        };
        (0..self.words.len()).filter_map(order)
    }

    /// `recall where rover-1 must stop today`: what is behind the first word is no order, unless it ends with one.
    fn only_takes_words(&self) -> bool {
        let word = |at: usize| self.words.get(at).map_or("", |word| word.text.as_str());
        let is_sentence = TAKES_NONE.contains(&word(1)) && !(word(0) == "remember" && word(1) == "that");
        let takes = TAKES_WORDS.contains(&word(0)) && !is_sentence;
        let ends = |(at, length): (usize, usize)| self.words[at + length..].iter().all(is_beside);
        takes && !self.orders().any(ends)
    }

    fn says_all(&self, words: &Words) -> bool {
        if words.language.is_unspaced {
            return words.all.iter().any(|all| self.joined.contains(&all.concat()));
        }
        (0..self.words.len()).any(|at| self.any_at(&words.all, at).is_some())
    }

    /// The number of words from `at` on that ask for a stop.
    fn stop_at(&self, words: &Words, at: usize) -> Option<usize> {
        // A robot may be called `stop-bot`, and its name alone stops nothing.
        if self.words[at].names {
            return None;
        }
        let weak = || self.any_at(&words.at_end, at).filter(|length| self.is_at_end(at, *length));
        let slip = || (words.language.tag == "en" && self.is_slip(at)).then_some(1);
        self.any_at(&words.stop, at).or_else(weak).or_else(slip)
    }

    /// True if only names, and words that change nothing, stand in front of some words or behind them.
    fn is_at_end(&self, at: usize, length: usize) -> bool {
        self.words[..at].iter().all(is_beside) || self.words[at + length..].iter().all(is_beside)
    }

    /// True if a word that says nothing else is `stop` with one slip of a finger.
    fn is_slip(&self, at: usize) -> bool {
        let said = &self.words[at].text;
        // Only in a clause that says nothing else: in a sentence such a word is most likely meant as it stands.
        SLIP_LETTERS.contains(&said.chars().count())
            && strsim::damerau_levenshtein(said, SLIPS_OF) == 1
            && !is_in(ENGLISH_NO_SLIPS, said)
            && self.words[..at].iter().chain(&self.words[at + 1..]).all(is_beside)
    }

    /// True if the words at `at` are forbidden, asked about, or the name of something.
    fn only_tells(&self, words: &Words, at: usize, length: usize) -> bool {
        self.is_forbidden(words, at, length)
            || self.is_asked_about(words, at)
            || (words.language.tag == "en" && self.is_of_a_stop(at))
    }

    fn is_forbidden(&self, words: &Words, at: usize, length: usize) -> bool {
        let between = |word: &Word| word.names || words.between.contains(&word.text);
        let before = self.words[..at].iter().rposition(|word| !between(word)).map_or(0, |last| last + 1);
        // The end of what forbids it may itself be among the words in between: `do not` of `do not let it stop`.
        let is_before = (0..=at).rev().take_while(|from| *from + 3 > before).any(|from| {
            let length = self.any_at(&words.not_before, from);
            length.is_some_and(|length| from + length <= at && from + length >= before)
        });
        let after = self.words[at + length..].iter().position(|word| !between(word));
        let after = after.map_or(self.words.len(), |first| at + length + first);
        let is_after = (at + length..=after).any(|from| self.any_at(&words.not_after, from).is_some());
        is_before || is_after
    }

    fn is_asked_about(&self, words: &Words, at: usize) -> bool {
        let leads = self.words.iter().take_while(|word| LEADS.contains(&word.text.as_str())).count();
        let requests = || (0..self.words.len()).any(|at| self.any_at(&words.requests, at).is_some());
        let begins = self.any_at(&words.asks, leads);
        let begins = begins.or_else(|| self.any_at(&words.asks_if_marked, leads).filter(|_| self.is_marked));
        let Some(length) = begins else { return false };
        if words.language.tag != "en" || self.is_marked {
            return !requests();
        }
        // `what are you doing stop` ends with an order, `how do I stop` does not.
        let Some(before) = at.checked_sub(1).map(|before| &self.words[before]) else { return false };
        at <= leads + length || before.names || is_in(ENGLISH_ASKED_OF, &before.text)
    }

    /// `release the stop`, `stop drill`.
    fn is_of_a_stop(&self, at: usize) -> bool {
        let is_between = |word: &&Word| word.names || is_in(ENGLISH_ENDS_BETWEEN, &word.text);
        let between = self.words[..at].iter().rev().take_while(is_between).count();
        let ends = at.checked_sub(between + 1).filter(|_| between <= ENDS_BETWEEN_MAX);
        let is_ended = ends.is_some_and(|before| is_in(ENGLISH_ENDS, &self.words[before].text));
        let is_thing = self.words.get(at + 1).is_some_and(|next| is_in(ENGLISH_THINGS, &next.text));
        is_ended || is_thing
    }

    fn asks_unspaced(&self, words: &Words) -> bool {
        // Japanese and Chinese share characters; kana among them tell that a text is Japanese.
        let has_kana = self.joined.chars().any(|letter| ('\u{3040}'..='\u{30ff}').contains(&letter));
        let is_meant = match words.language.tag {
            "ja" => has_kana,
            "zh" => !has_kana,
            _ => true,
        };
        let holds = |phrases: &[Vec<String>]| phrases.iter().any(|phrase| self.joined.contains(&phrase.concat()));
        let asked_about = || holds(&words.asks) || (holds(&words.asks_if_marked) && !holds(&words.requests));
        // Expressions that contain a word for stop and ask for none are cut out before one is looked for.
        let rest =
            || words.not_before.iter().fold(self.joined.clone(), |rest, phrase| rest.replace(&phrase.concat(), " "));
        is_meant && holds(&words.stop) && !asked_about() && {
            let rest = rest();
            words.stop.iter().any(|phrase| rest.contains(&phrase.concat()))
        }
    }

    /// The number of words of the longest of `phrases` that begins at `at`.
    fn any_at(&self, phrases: &[Vec<String>], at: usize) -> Option<usize> {
        let rest = self.words.get(at..)?;
        phrases.iter().filter_map(|phrase| begins(rest, phrase)).max()
    }
}

/// The number of `words` that are `phrase`; `…` in it stands for any words.
fn begins(words: &[Word], phrase: &[String]) -> Option<usize> {
    let mut at = 0;
    let mut gap = false;
    for part in phrase {
        if part == "..." {
            gap = true;
            continue;
        }
        let rest = words.get(at..)?;
        // Without a gap nothing behind the next word is looked at: a text of many words would be gone through for each.
        let reach = if std::mem::take(&mut gap) { rest.len() } else { 1 };
        let found = rest.iter().take(reach).position(|word| is_word(&word.text, part))?;
        at += found + 1;
    }
    (at > 0).then_some(at)
}

/// True if a word names a robot or changes nothing about an order.
fn is_beside(word: &Word) -> bool {
    let is_all = || WORDS.iter().any(|words| words.all.iter().any(|all| word.text == all.concat()));
    word.names || is_in(BESIDE, &word.text) || is_all()
}

/// True if `said` is the word `expected`, also with a letter held down or without blanks between several.
fn is_word(said: &str, expected: &str) -> bool {
    if said.len() <= expected.len() {
        return said == expected;
    }
    if said.chars().next() != expected.chars().next() {
        return false;
    }
    // Somebody in a hurry may leave out the blanks: `stopstop`.
    let is_repeated = expected.chars().count() >= SLIPS_OF.len() && said.split(expected).all(str::is_empty);
    let held = released(said, HELD_DOWN);
    // A letter held down may hit another one twice: `stooppp`.
    let is_held = held != said && (held == *expected || released(said, 2) == *expected);
    is_repeated || is_held
}

/// A word without the letters that were held down: those that stand there `often` in a row, or more often.
fn released(word: &str, often: usize) -> String {
    let mut kept: Vec<char> = Vec::new();
    let letters: Vec<char> = word.chars().collect();
    for run in letters.chunk_by(|a, b| a == b) {
        kept.extend(run.iter().take(if run.len() >= often { 1 } else { run.len() }));
    }
    kept.into_iter().collect()
}

/// The words of a clause. Between scripts there is none said, but two words.
fn words_of(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut last: Option<bool> = None;
    for letter in text.chars() {
        let script = letter.is_alphanumeric().then(|| is_unspaced(letter));
        match (script, words.last_mut()) {
            (Some(_), Some(word)) if script == last => word.push(letter),
            (Some(_), _) => words.push(letter.to_string()),
            (None, _) => {}
        }
        last = script;
    }
    words
}

/// Kana, Han and Hangul.
fn is_unspaced(letter: char) -> bool {
    matches!(letter, '\u{2e80}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}' | '\u{f900}'..='\u{faff}')
}

/// In small letters, without accents, and every form of a letter as one.
fn folded(text: &str) -> String {
    let small: String = text.nfkc().flat_map(char::to_lowercase).collect();
    let plain = small.nfd().filter(|letter| !('\u{300}'..='\u{36f}').contains(letter)).map(|letter| match letter {
        // These letters do not decompose into a plain letter and an accent.
        'ı' => 'i',
        'ł' => 'l',
        'ø' => 'o',
        _ => letter,
    });
    plain.nfc().collect::<String>().replace('ß', "ss")
}

#[cfg(test)]
mod tests;
