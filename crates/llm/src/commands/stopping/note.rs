//! The note that the station puts in front of words that have stopped robots, for the model that reads them afterwards.

/// The beginning of such a note, and its end.
const BEGIN: &str = "[Stop #";
const END: &str = " was carried out before you read this; only a person releases it] ";
/// Its words if every robot was stopped, and if there was none.
const ALL: &str = "all robots";
const NONE: &str = "none";

/// A stop that words asked for and that is in force.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StopDone {
    /// Its number.
    pub stop_id: u64,
    /// It was for every robot, also for those that come later.
    pub all: bool,
    /// The robots that it binds.
    pub robots: Vec<String>,
}

impl StopDone {
    /// `words` with the note in front of them.
    #[must_use]
    pub fn noted(&self, words: &str) -> String {
        format!("{BEGIN}{} of {}{END}{words}", self.stop_id, self.whom())
    }

    /// The note in front of `text`, if there is one, and the words behind it.
    #[must_use]
    pub fn read(text: &str) -> (Option<Self>, &str) {
        match Self::split(text) {
            Some((done, words)) => (Some(done), words),
            None => (None, text),
        }
    }

    /// The sentence that tells a person of it.
    #[must_use]
    pub fn sentence(&self) -> String {
        let Self { stop_id, .. } = self;
        format!("Stop #{stop_id} was sent to {}. Only a person can release it.", self.whom())
    }

    fn whom(&self) -> String {
        let robots = if self.robots.is_empty() { NONE.to_owned() } else { self.robots.join(", ") };
        if self.all { format!("{ALL} ({robots})") } else { robots }
    }

    fn split(text: &str) -> Option<(Self, &str)> {
        let (note, words) = text.strip_prefix(BEGIN)?.split_once(END)?;
        let (number, whom) = note.split_once(" of ")?;
        let listed = whom.strip_prefix(ALL).map(|rest| rest.trim_start_matches(" (").trim_end_matches(')'));
        let robots = listed.unwrap_or(whom).split(", ").filter(|robot| *robot != NONE).map(str::to_owned).collect();
        Some((Self { stop_id: number.parse().ok()?, all: listed.is_some(), robots }, words))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn m_10_what_was_stopped_can_be_read_again_and_other_words_stay() {
        let done = |all, robots: &[&str]| StopDone {
            stop_id: 7,
            all,
            robots: robots.iter().map(|robot| (*robot).to_owned()).collect(),
        };
        for done in [done(true, &["arm-1", "rover-1"]), done(false, &["arm-1"]), done(true, &[])] {
            let noted = done.noted("stop [it] now");
            assert_eq!(StopDone::read(&noted), (Some(done), "stop [it] now"));
        }
        assert_eq!(StopDone::read("[Stop #x] stop"), (None, "[Stop #x] stop"));
    }
}
