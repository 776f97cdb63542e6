//! The words of one command, and the quantities among them.

use super::grammar::Complaint;

/// A unit and what one of it is in SI.
type Unit = (&'static str, f64);

/// Lengths, in metres.
pub(super) const LENGTH: &[Unit] = &[
    ("m", 1.0),
    ("cm", 0.01),
    ("mm", 0.001),
    ("meter", 1.0),
    ("meters", 1.0),
    ("metre", 1.0),
    ("metres", 1.0),
    ("centimeter", 0.01),
    ("centimeters", 0.01),
    ("centimetre", 0.01),
    ("centimetres", 0.01),
    ("millimeters", 0.001),
    ("millimetres", 0.001),
    ("inch", INCH),
    ("inches", INCH),
    ("ft", FOOT),
    ("foot", FOOT),
    ("feet", FOOT),
];
/// One inch and one foot, in metres.
const INCH: f64 = 0.0254;
const FOOT: f64 = 0.3048;
/// Speeds, in metres per second.
pub(super) const SPEED: &[Unit] = &[
    ("m/s", 1.0),
    ("cm/s", 0.01),
    ("mm/s", 0.001),
    ("km/h", KMH),
    ("kmh", KMH),
    ("kph", KMH),
    ("mph", 0.447_04),
    ("ft/s", FOOT),
];
/// One kilometre an hour, in metres per second.
const KMH: f64 = 1.0 / 3.6;
/// Forces, in newtons.
pub(super) const FORCE: &[Unit] = &[("n", 1.0), ("newton", 1.0), ("newtons", 1.0)];

/// Angles, in radians.
pub(super) const ANGLE: &[Unit] =
    &[("deg", DEGREE), ("rad", 1.0), ("degree", DEGREE), ("degrees", DEGREE), ("°", DEGREE), ("radians", 1.0)];
/// One degree, in radians.
pub(super) const DEGREE: f64 = std::f64::consts::PI / 180.0;
/// Times, in seconds.
pub(super) const TIME: &[Unit] = &[
    ("min", MINUTE),
    ("h", HOUR),
    ("s", 1.0),
    ("minute", MINUTE),
    ("minutes", MINUTE),
    ("hour", HOUR),
    ("hours", HOUR),
    ("second", 1.0),
    ("seconds", 1.0),
];
const HOUR: f64 = 3_600.0;
/// Units that an answer names, one word for each.
const NAMED_MAX: usize = 3;
/// One minute, in seconds.
pub(super) const MINUTE: f64 = 60.0;

/// Words that say nothing here.
const FILLERS: [&str; 2] = ["please", "the"];

/// The words of one command that have not been understood yet.
#[derive(Debug, Clone)]
pub(super) struct Words<'a> {
    /// As written, for values that have to stay as they are.
    command: &'a str,
    words: Vec<Word<'a>>,
    next: usize,
}

/// A word, or what stands between two quotes.
#[derive(Debug, Clone, Copy)]
struct Word<'a> {
    text: &'a str,
    /// End in the command, a byte offset; a quote that closes it is included.
    end: usize,
    is_quoted: bool,
    /// Nothing but a comma stands between two digits, the last one of the word before and its own first.
    after_comma: bool,
}

/// A number as written, with its unit if it has one.
#[derive(Debug, Clone, Copy)]
pub(super) struct Quantity {
    number: f64,
    unit: Option<f64>,
}

/// Lengths in metres. All have a unit or none has: `0.5 0.2 100 cm` can be read in two ways.
pub(super) fn metres<const COUNT: usize>(said: [Quantity; COUNT]) -> Result<[f64; COUNT], Complaint> {
    let unit = said.iter().find_map(|length| length.unit.filter(|unit| *unit != 1.0));
    let of_all = said.map(|length| length.si(unit));
    let of_one = said.map(|length| length.si(None));
    // With equal readings, for example in metres throughout, there is nothing to ask.
    if of_all == of_one {
        return Ok(of_one);
    }
    let printed = |lengths: [f64; COUNT]| lengths.map(|length| format!("{:?}", round(length))).join(" ");
    let (all, one) = (printed(of_all), printed(of_one));
    Err(Complaint::TwoReadings(format!("it could be {all} in metres, or {one}. Give every number its unit, or none")))
}

/// To a tenth of a millimetre.
fn round(metres: f64) -> f64 {
    // Rounding may leave -0.0, which would be printed with its sign.
    (metres * 1e4).round() / 1e4 + 0.0
}

impl Quantity {
    /// In SI units; a number without a unit takes `fallback`, or counts as SI.
    pub fn si(self, fallback: Option<f64>) -> f64 {
        self.number * self.unit.or(fallback).unwrap_or(1.0)
    }
}

impl<'a> Words<'a> {
    /// Splits one command, leaving out a leading slash, final marks, brackets, commas and words that say nothing.
    pub fn new(command: &'a str) -> Self {
        let command =
            command.trim().trim_start_matches('/').trim_end_matches(|c: char| ".!?".contains(c) || c.is_whitespace());
        let says_nothing =
            |word: &Word| !word.is_quoted && FILLERS.iter().any(|filler| word.text.eq_ignore_ascii_case(filler));
        let words = split(command).into_iter().filter(|word| !says_nothing(word)).collect();
        Self { command, words, next: 0 }
    }

    pub fn is_empty(&self) -> bool {
        self.next >= self.words.len()
    }

    pub fn peek(&self) -> Option<&'a str> {
        self.words.get(self.next).map(|word| word.text)
    }

    /// Takes what stands in quotes, if that comes next.
    pub fn take_quoted(&mut self) -> Option<&'a str> {
        let word = self.words.get(self.next).filter(|word| word.is_quoted)?;
        self.next += 1;
        Some(word.text)
    }

    /// Takes all that is left, as it was written; absent if there is nothing.
    pub fn rest(&mut self) -> Option<&'a str> {
        let from = self.next.checked_sub(1).and_then(|last| self.words.get(last)).map_or(0, |last| last.end);
        self.next = self.words.len();
        let rest = self.command.get(from..)?.trim();
        (!rest.is_empty()).then_some(rest)
    }

    pub fn take(&mut self) -> Option<&'a str> {
        let word = self.peek();
        self.next += usize::from(word.is_some());
        word
    }

    /// Takes `phrase`, of one or more words, if it comes next.
    pub fn take_phrase(&mut self, phrase: &str) -> bool {
        let rest = self.words.get(self.next..).unwrap_or_default();
        let parts: Vec<&str> = phrase.split(' ').collect();
        let matches = rest.len() >= parts.len()
            && parts.iter().zip(rest).all(|(part, word)| part.eq_ignore_ascii_case(word.text));
        if matches {
            self.next += parts.len();
        }
        matches
    }

    /// Takes the words before the first `=`, and all that stands behind it as it was written.
    pub fn assignment(&mut self) -> Option<(Vec<&'a str>, &'a str)> {
        let (before, value) = self.command.split_once('=')?;
        let named = Words::new(before).words.get(self.next..)?.iter().map(|word| word.text).collect();
        self.next = self.words.len();
        let value = value.trim();
        (!value.is_empty()).then_some((named, value))
    }

    /// True if the next word begins with a number, finite or not.
    pub fn has_number(&self) -> bool {
        self.words.get(self.next).is_some_and(|word| word.after_comma)
            || self.peek().is_some_and(|word| split_number(word).is_some())
    }

    /// Two numbers with nothing but a comma between them may be one.
    fn check_comma(&self) -> Result<(), Complaint> {
        let behind = self.words.get(self.next..).unwrap_or_default();
        let joined = behind.iter().enumerate().take_while(|(at, word)| *at == 0 || word.after_comma).count();
        if joined < 2 {
            return Ok(());
        }
        let parts: Vec<&str> = behind[..joined].iter().map(|word| word.text).collect();
        if parts.iter().all(|part| part.contains('.')) {
            // Each has its point: no comma is part of a number.
            return Ok(());
        }
        let as_one = match parts.as_slice() {
            [whole, thousands] if is_thousands(thousands) => format!("{whole}{thousands} or {whole}.{thousands}"),
            [whole, part] => format!("{whole}.{part}"),
            several => several.chunks(2).map(|pair| pair.join(".")).collect::<Vec<_>>().join(" "),
        };
        let (said, apart) = (parts.join(","), parts.join(" "));
        Err(Complaint::TwoReadings(format!(
            "{said} could be {as_one}, or {apart}. Write a point in a number and a blank between two"
        )))
    }

    /// Takes a number and its unit, joined or as two words.
    pub fn quantity(&mut self, what: &'static str, units: &[Unit]) -> Result<Quantity, Complaint> {
        let expected = || {
            let is_first = |(at, (_, size)): &(usize, &Unit)| !units[..*at].iter().any(|(_, other)| other == size);
            let firsts = units.iter().enumerate().filter(is_first).map(|(_, (name, _))| *name);
            let names: Vec<&str> = firsts.take(NAMED_MAX).collect();
            Complaint::Expected(format!("{what} in {}", names.join(", ")))
        };
        self.check_comma()?;
        let word = self.take().ok_or_else(expected)?;
        let (number, suffix) = split_number(word).ok_or_else(expected)?;
        // Rust reads `inf` and `nan` as numbers, and no limit can be compared with them.
        if !number.is_finite() {
            return Err(Complaint::NotFinite(word.to_owned()));
        }
        let unit = if suffix.is_empty() {
            // The unit may stand apart, as in `50 cm`.
            let unit = self.peek().and_then(|word| unit_of(word, units));
            self.next += usize::from(unit.is_some());
            unit
        } else {
            Some(unit_of(suffix, units).ok_or_else(expected)?)
        };
        Ok(Quantity { number, unit })
    }
}

/// The words of a command; what stands between two quotes is one word, a single quote is a letter.
fn split(command: &str) -> Vec<Word<'_>> {
    let separates = |c: char| c.is_whitespace() || ",()".contains(c);
    let (mut words, mut at) = (Vec::new(), 0);
    while let Some(first) = command[at..].chars().next() {
        let rest = &command[at..];
        if separates(first) {
            at += first.len_utf8();
        } else if let Some((inside, _)) = rest.strip_prefix('"').and_then(|behind| behind.split_once('"')) {
            at += inside.len() + 2;
            words.push(Word { text: inside, end: at, is_quoted: true, after_comma: false });
        } else {
            let text = &rest[..rest.find(separates).unwrap_or(rest.len())];
            let before = &command[..at];
            let after_comma = text.starts_with(|c: char| c.is_ascii_digit())
                && before.strip_suffix(',').is_some_and(|before| before.ends_with(|c: char| c.is_ascii_digit()));
            at += text.len();
            words.push(Word { text, end: at, is_quoted: false, after_comma });
        }
    }
    words
}

/// Three digits behind a comma: thousands in one country, thousandths in another.
fn is_thousands(part: &str) -> bool {
    part.len() == 3 && part.bytes().all(|byte| byte.is_ascii_digit())
}

fn unit_of(word: &str, units: &[Unit]) -> Option<f64> {
    units.iter().find(|(name, _)| name.eq_ignore_ascii_case(word)).map(|(_, size)| *size)
}

/// The longest beginning of `word` that is a number, and the rest.
fn split_number(word: &str) -> Option<(f64, &str)> {
    // The longest first: `1e3` is one number and not a 1 with the unit `e3`.
    let ends = word.char_indices().map(|(at, c)| at + c.len_utf8()).rev();
    ends.filter_map(|end| Some((word[..end].parse().ok()?, &word[end..]))).next()
}
