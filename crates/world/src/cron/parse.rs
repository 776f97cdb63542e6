//! The cron grammar, read from left to right. Every error names the field and the first character that cannot be.

use super::set::Set;
use super::{Cron, CronError, CronField};

/// A longer text holds no schedule a person wrote.
const CHARS_MAX: usize = 256;
/// Names for whole schedules.
const NAMED: [(&str, &str); 4] =
    [("@hourly", "0 * * * *"), ("@daily", "0 0 * * *"), ("@weekly", "0 0 * * 0"), ("@monthly", "0 0 1 * *")];
const FIELDS: &str = "five fields, or six with the second first";
const MONTHS: [&str; 12] = ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"];
const WEEKDAYS: [&str; 7] = ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"];
/// The longest a month can be, February of a leap year.
const MONTH_DAYS: [i8; 12] = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
/// Sunday's other number.
const SUNDAY_LAST: u8 = 7;

/// Permitted form of a field.
struct Form {
    field: CronField,
    least: u8,
    greatest: u8,
    /// Names of its numbers, from `least` on.
    names: &'static [&'static str],
    expected: &'static str,
}

const FORMS: [Form; 6] = [
    Form { field: CronField::Second, least: 0, greatest: 59, names: &[], expected: "a second from 0 to 59" },
    Form { field: CronField::Minute, least: 0, greatest: 59, names: &[], expected: "a minute from 0 to 59, or *" },
    Form { field: CronField::Hour, least: 0, greatest: 23, names: &[], expected: "an hour from 0 to 23, or *" },
    Form { field: CronField::DayOfMonth, least: 1, greatest: 31, names: &[], expected: "a day from 1 to 31, or *" },
    Form {
        field: CronField::Month,
        least: 1,
        greatest: 12,
        names: &MONTHS,
        expected: "a month from 1 to 12 or JAN to DEC, or *",
    },
    Form {
        field: CronField::DayOfWeek,
        least: 0,
        greatest: SUNDAY_LAST,
        names: &WEEKDAYS,
        expected: "a weekday from 0 to 7 or SUN to SAT, or *",
    },
];

/// A field as read.
#[derive(Debug, Clone, Copy, Default)]
struct Field {
    numbers: Set,
    /// It begins with `*`.
    is_free: bool,
    /// It holds `*` or a step.
    elapses: bool,
    /// Column where it begins, characters from 1.
    column: usize,
}

pub(super) fn parse(text: &str, gap_s: u8) -> Result<Cron, CronError> {
    let chars: Vec<char> = text.chars().collect();
    if chars.len() > CHARS_MAX {
        return Err(whole(CHARS_MAX + 1, format!("at most {CHARS_MAX} characters")));
    }
    let trimmed = text.trim();
    if let Some(first) = chars.iter().position(|c| *c == '@').filter(|_| trimmed.starts_with('@')) {
        let Some((_, fields)) = NAMED.iter().find(|(name, _)| *name == trimmed) else {
            return Err(whole(first + 1, format!("@hourly, @daily, @weekly, @monthly, or {FIELDS}")));
        };
        return parse(fields, gap_s).map(|cron| Cron { text: trimmed.to_owned(), ..cron });
    }
    let words = words(&chars);
    let forms = match words.len() {
        5 => &FORMS[1..],
        6 => &FORMS[..],
        0..=4 => return Err(whole(chars.len() + 1, FIELDS.to_owned())),
        _ => return Err(whole(words[6].0 + 1, FIELDS.to_owned())),
    };
    let fields = words.iter().zip(forms).map(|((start, end), form)| {
        let mut reader = Reader { chars: &chars, at: *start, end: *end, form };
        reader.field()
    });
    let fields: Vec<Field> = fields.collect::<Result<_, _>>()?;
    let cron = cron(trimmed, &fields);
    check_gap(&cron, fields[0].column, gap_s)?;
    check_comes(&cron, fields[fields.len() - 3].column)?;
    Ok(cron)
}

fn cron(text: &str, fields: &[Field]) -> Cron {
    let mut first_second = Set::default();
    first_second.insert(0);
    // Counted from the end: the seconds stand first and may be missing.
    let [minutes, hours, days, months, weekdays] = std::array::from_fn(|at| fields[fields.len() - 5 + at]);
    let mut weekday_numbers = weekdays.numbers;
    // The calendar gives Sunday one number, 0.
    if weekday_numbers.has(SUNDAY_LAST.cast_signed()) {
        weekday_numbers.remove(SUNDAY_LAST);
        weekday_numbers.insert(0);
    }
    Cron {
        text: text.to_owned(),
        seconds: if fields.len() == 6 { fields[0].numbers } else { first_second },
        minutes: minutes.numbers,
        hours: hours.numbers,
        days: days.numbers,
        months: months.numbers,
        weekdays: weekday_numbers,
        days_are_free: days.is_free,
        weekdays_are_free: weekdays.is_free,
        hours_elapse: hours.elapses,
    }
}

/// Two times of one minute, or of two minutes in a row, must not be too close.
fn check_gap(cron: &Cron, column: usize, gap_s: u8) -> Result<(), CronError> {
    let seconds: Vec<i8> = cron.seconds.iter().collect();
    // The last second of a minute is followed by the first of the next one.
    let around = seconds.first().map(|first| first + 60);
    let next = seconds.iter().skip(1).copied().chain(around);
    let least = seconds.iter().zip(next).map(|(this, next)| next - this).min();
    if least.is_some_and(|least| least >= gap_s.cast_signed()) {
        return Ok(());
    }
    let expected =
        if gap_s >= Cron::TURN_GAP_S { "one fixed second".into() } else { format!("seconds at least {gap_s} apart") };
    Err(CronError { field: CronField::Second, column, expected })
}

/// Some month must have some of the days, unless weekdays suffice.
fn check_comes(cron: &Cron, column: usize) -> Result<(), CronError> {
    let longest = cron.months.iter().filter_map(|month| MONTH_DAYS.get(usize::try_from(month - 1).ok()?)).max();
    let comes = cron.days.iter().next().zip(longest).is_some_and(|(first, longest)| first <= *longest);
    if comes || !(cron.days_are_free || cron.weekdays_are_free) {
        return Ok(());
    }
    let expected = "a day that one of the months has".into();
    Err(CronError { field: CronField::DayOfMonth, column, expected })
}

fn whole(column: usize, expected: String) -> CronError {
    CronError { field: CronField::Schedule, column, expected }
}

/// Start and end of each word, as indices of `chars`.
fn words(chars: &[char]) -> Vec<(usize, usize)> {
    let mut words = Vec::new();
    let mut start = None;
    for (at, c) in chars.iter().chain(std::iter::once(&' ')).enumerate() {
        match (c.is_whitespace(), start) {
            (false, None) => start = Some(at),
            (true, Some(from)) => {
                words.push((from, at));
                start = None;
            }
            (false, Some(_)) | (true, None) => {}
        }
    }
    words
}

/// Reads one field.
struct Reader<'a> {
    chars: &'a [char],
    at: usize,
    end: usize,
    form: &'a Form,
}

impl Reader<'_> {
    fn field(&mut self) -> Result<Field, CronError> {
        let mut field = Field { column: self.at + 1, is_free: self.peek() == Some('*'), ..Field::default() };
        loop {
            self.item(&mut field)?;
            if !self.eat(',') {
                break;
            }
        }
        if self.at < self.end {
            return Err(self.error(self.at, "',', '-', '/' or a blank"));
        }
        Ok(field)
    }

    /// `*`, a number or a range, with or without a step.
    fn item(&mut self, field: &mut Field) -> Result<(), CronError> {
        let (from, to, is_open) = if self.eat('*') {
            field.elapses = true;
            (self.form.least, self.everything(), true)
        } else {
            self.range()?
        };
        let Some(step) = self.step()? else {
            (from..=to).for_each(|number| field.numbers.insert(number));
            return Ok(());
        };
        field.elapses = true;
        // `5/15` is read as everybody means it: from 5 on.
        let to = if is_open { self.everything() } else { to };
        (from..=to).step_by(step).for_each(|number| field.numbers.insert(number));
        Ok(())
    }

    fn range(&mut self) -> Result<(u8, u8, bool), CronError> {
        let from = self.number()?;
        if !self.eat('-') {
            return Ok((from, from, true));
        }
        let start = self.at;
        let named = self.peek().is_some_and(|c| c.is_ascii_alphabetic());
        let to = self.number()?;
        // A week that ends on Sunday ends with it, whichever number its name has.
        let to = if named && to == 0 && from > 0 { SUNDAY_LAST } else { to };
        if to < from {
            return Err(self.error(start, "the end of the range not before its start"));
        }
        Ok((from, to, false))
    }

    fn step(&mut self) -> Result<Option<usize>, CronError> {
        if !self.eat('/') {
            return Ok(None);
        }
        let (start, greatest) = (self.at, usize::from(self.form.greatest));
        let step: Option<usize> = self.take(char::is_ascii_digit).parse().ok();
        match step.filter(|step| (1..=greatest).contains(step)) {
            Some(step) => Ok(Some(step)),
            None => Err(self.error(start, &format!("a step from 1 to {greatest}"))),
        }
    }

    fn number(&mut self) -> Result<u8, CronError> {
        let start = self.at;
        let word = self.take(char::is_ascii_alphanumeric);
        let named = || {
            let at = self.form.names.iter().position(|name| name.eq_ignore_ascii_case(&word))?;
            u8::try_from(at).ok()?.checked_add(self.form.least)
        };
        let number = if word.chars().all(|c| c.is_ascii_digit()) { word.parse().ok() } else { named() };
        let number = number.filter(|number| (self.form.least..=self.form.greatest).contains(number));
        number.ok_or_else(|| self.error(start, self.form.expected))
    }

    /// The last number of the field, each counted once.
    fn everything(&self) -> u8 {
        match self.form.field {
            CronField::DayOfWeek => SUNDAY_LAST - 1,
            CronField::Second
            | CronField::Minute
            | CronField::Hour
            | CronField::DayOfMonth
            | CronField::Month
            | CronField::Schedule => self.form.greatest,
        }
    }

    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied().filter(|_| self.at < self.end)
    }

    fn eat(&mut self, c: char) -> bool {
        let found = self.peek() == Some(c);
        self.at += usize::from(found);
        found
    }

    fn take(&mut self, is_wanted: impl Fn(&char) -> bool) -> String {
        let taken: String = self.chars[self.at..self.end].iter().take_while(|c| is_wanted(c)).collect();
        self.at += taken.chars().count();
        taken
    }

    fn error(&self, at: usize, expected: &str) -> CronError {
        CronError { field: self.form.field, column: at + 1, expected: expected.to_owned() }
    }
}
