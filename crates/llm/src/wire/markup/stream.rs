//! Takes calls and thinking out of a text while it is being written.

use std::sync::Arc;

use super::echo::Untrusted;
use super::object::{self, Printed};
use crate::{Caps, Request, ToolChoice, ToolDecl};

const CALL: &str = "<tool_call>";
const CALL_END: &str = "</tool_call>";
const THINK: &str = "<think>";
const THINK_END: &str = "</think>";
const TAGS: [&str; 3] = [CALL, THINK, THINK_END];

/// Anything after this many tags is text: nobody means so many, and each is compared with all that was read.
const TAGS_MAX: usize = 64;

/// A text that begins like a call is held back up to here; a longer one is an answer that happens to be JSON.
const LEAD_BYTES_MAX: usize = 64 * 1024;

/// A part of a text whose kind became clear.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::wire) enum MarkupPart {
    /// Words.
    Text(String),
    /// Thinking.
    Thinking(String),
    /// All words so far were this thinking.
    TakenBack(String),
}

/// A text that is being written.
#[derive(Debug)]
pub(in crate::wire) struct Spoken {
    rules: Rules,
    pieces: Vec<Piece>,
    /// Not decided yet.
    pending: String,
    /// Up to here `pending` holds no end of the open tag.
    searched: usize,
    open: Option<Tag>,
    /// Tags so far.
    tags: usize,
    /// White space that counts if more words follow.
    blank: String,
    /// Something was taken out, so white space around it is no longer meant.
    is_cut: bool,
    is_ended: bool,
}

#[derive(Debug)]
struct Rules {
    /// True if calls can be printed in the text; thinking can be by every kind of server.
    has_calls: bool,
    tools: Arc<[ToolDecl]>,
    /// True if a printed call is one; without tools it is taken out.
    runs: bool,
    /// True if a text that is nothing but an object may be a call, and a tag around no call is words.
    asked: bool,
    untrusted: Untrusted,
}

#[derive(Debug)]
enum Piece {
    Text(String),
    Call(Printed),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Tag {
    Call,
    Think,
}

impl Spoken {
    /// Nothing yet, in the answer to `request`.
    pub fn new(caps: &Caps, request: &Request) -> Self {
        let has_calls = caps.text_calls || !caps.native_tools;
        let runs = has_calls && !request.tools.is_empty();
        let rules = Rules {
            has_calls,
            tools: Arc::clone(&request.tools),
            // Also where no call is wanted: it may be a stop, and the turn alone can tell.
            runs,
            asked: runs && request.choice != ToolChoice::None,
            untrusted: if has_calls { Untrusted::of(request) } else { Untrusted::default() },
        };
        Self {
            rules,
            pieces: Vec::new(),
            pending: String::new(),
            searched: 0,
            open: None,
            tags: 0,
            blank: String::new(),
            is_cut: false,
            is_ended: false,
        }
    }

    /// Takes more of the text.
    pub fn push(&mut self, text: &str) -> Vec<MarkupPart> {
        let mut heard = Vec::new();
        if self.is_ended {
            self.tell(text.to_owned(), &mut heard);
            return heard;
        }
        self.pending.push_str(text);
        // Nothing is shown while all of it may be one call: people should not read half of one.
        if !self.may_be_call() {
            while self.step(&mut heard) {}
        }
        heard
    }

    /// No more text comes. Gives the calls among it, but none if the server also sent calls in their own field.
    pub fn end(&mut self, has_calls: bool) -> (Vec<MarkupPart>, Vec<Printed>) {
        let mut heard = Vec::new();
        if std::mem::replace(&mut self.is_ended, true) {
            return (heard, Vec::new());
        }
        if !has_calls && let Some(call) = self.only_call() {
            self.pending.clear();
            return (heard, vec![call]);
        }
        while self.step(&mut heard) {}
        self.end_open(has_calls, &mut heard);
        if !self.is_cut {
            let blank = std::mem::take(&mut self.blank);
            self.tell(blank, &mut heard);
        }
        let calls = self.pieces.extract_if(.., |piece| matches!(piece, Piece::Call(_)));
        let calls = calls.filter_map(|piece| match piece {
            Piece::Text(_) => None,
            Piece::Call(call) => Some(call),
        });
        let calls: Vec<Printed> = calls.collect();
        // A server with a field for calls has read the printed ones itself.
        (heard, if has_calls { Vec::new() } else { calls })
    }

    /// The words so far.
    pub fn shown(&self) -> String {
        let texts = self.pieces.iter().filter_map(|piece| match piece {
            Piece::Text(text) => Some(text.as_str()),
            Piece::Call(_) => None,
        });
        texts.collect()
    }

    /// The reply as one call, if it is nothing else and the model's own.
    fn only_call(&self) -> Option<Printed> {
        if !self.may_be_call() {
            return None;
        }
        let text = self.pending.trim();
        let call = object::whole(text, &self.rules.tools)?;
        (!self.rules.untrusted.holds(object::unfenced(text))).then_some(call)
    }

    /// True if all of the text so far may turn out to be one call.
    fn may_be_call(&self) -> bool {
        let is_first = self.open.is_none() && self.pieces.iter().all(Piece::is_blank);
        self.rules.asked && is_first && self.pending.len() <= LEAD_BYTES_MAX && is_lead(self.pending.trim_start())
    }

    /// Decides on the next part of what is pending; false if that takes more text.
    fn step(&mut self, heard: &mut Vec<MarkupPart>) -> bool {
        match self.open {
            None => self.step_outside(heard),
            Some(Tag::Think) => self.step_thinking(heard),
            Some(Tag::Call) => self.step_call(heard),
        }
    }

    fn step_outside(&mut self, heard: &mut Vec<MarkupPart>) -> bool {
        // Models behind every server may print thinking; calls are read only from declared ones (decision 0112).
        let tags = if self.rules.has_calls { &TAGS[..] } else { &TAGS[1..] };
        let may_begin = |at: &usize| {
            let rest = &self.pending[*at..];
            tags.iter().any(|tag| rest.starts_with(tag) || tag.starts_with(rest))
        };
        let mut begins = self.pending.match_indices('<').map(|(at, _)| at).filter(|_| self.tags < TAGS_MAX);
        let from = begins.find(may_begin).unwrap_or(self.pending.len());
        let before: String = self.pending.drain(..from).collect();
        self.say(&before, heard);
        let Some(tag) = tags.iter().find(|tag| self.pending.starts_with(**tag)) else { return false };
        self.pending.drain(..tag.len());
        self.tags += 1;
        match *tag {
            CALL => self.enter(Tag::Call),
            THINK => self.enter(Tag::Think),
            _ => self.take_back(heard),
        }
        true
    }

    const fn enter(&mut self, tag: Tag) {
        self.searched = 0;
        self.open = Some(tag);
        self.is_cut = true;
    }

    fn step_thinking(&mut self, heard: &mut Vec<MarkupPart>) -> bool {
        let end = self.pending.find(THINK_END);
        let thought = end.unwrap_or_else(|| self.pending.len() - beginning(&self.pending, THINK_END));
        let text: String = self.pending.drain(..thought).collect();
        heard.extend((!text.is_empty()).then_some(MarkupPart::Thinking(text)));
        if end.is_some() {
            self.pending.drain(..THINK_END.len());
            self.open = None;
        }
        end.is_some()
    }

    fn step_call(&mut self, heard: &mut Vec<MarkupPart>) -> bool {
        let Some(end) = self.pending[self.searched..].find(CALL_END).map(|at| at + self.searched) else {
            self.searched = self.pending.len() - beginning(&self.pending, CALL_END);
            return false;
        };
        let inner: String = self.pending.drain(..end).collect();
        self.pending.drain(..CALL_END.len());
        self.open = None;
        self.close_call(&inner, CALL_END, heard);
        true
    }

    fn close_call(&mut self, inner: &str, end: &str, heard: &mut Vec<MarkupPart>) {
        // Compared before it is read as a call: what a stranger wrote first stays text.
        let is_echo = self.rules.untrusted.holds(inner);
        match object::tagged(inner) {
            _ if is_echo => self.say(&format!("{CALL}{inner}{end}"), heard),
            Some(call) if self.rules.runs => self.pieces.push(Piece::Call(call)),
            None if self.rules.asked => self.say(&format!("{CALL}{inner}{end}"), heard),
            Some(_) | None => {}
        }
    }

    /// Ends the text in the middle of whatever is open.
    fn end_open(&mut self, has_calls: bool, heard: &mut Vec<MarkupPart>) {
        let rest = std::mem::take(&mut self.pending);
        match self.open.take() {
            None => self.say(&rest, heard),
            Some(Tag::Think) => heard.extend((!rest.is_empty()).then_some(MarkupPart::Thinking(rest))),
            // The rest of a call that the server has already given in its own field.
            Some(Tag::Call) if has_calls => {}
            Some(Tag::Call) => self.close_call(&rest, "", heard),
        }
    }

    /// A template that opens the thinking itself leaves only its end in the text: all before the first tag was thinking.
    fn take_back(&mut self, heard: &mut Vec<MarkupPart>) {
        self.is_cut = true;
        self.blank.clear();
        if self.tags > 1 {
            return;
        }
        let thought = self.shown();
        self.pieces.clear();
        heard.extend((!thought.is_empty()).then_some(MarkupPart::TakenBack(thought)));
    }

    /// Words that count, white space at their end only if more follow.
    fn say(&mut self, text: &str, heard: &mut Vec<MarkupPart>) {
        let is_first = self.pieces.iter().all(Piece::is_blank);
        let words = text.trim_end();
        if words.is_empty() {
            // Held back: white space between words and a call is not meant for people.
            self.blank.push_str(text);
            return;
        }
        let before = std::mem::replace(&mut self.blank, text[words.len()..].to_owned());
        let all = before + words;
        let all = if is_first && self.is_cut { all.trim_start().to_owned() } else { all };
        self.tell(all, heard);
    }

    fn tell(&mut self, text: String, heard: &mut Vec<MarkupPart>) {
        if text.is_empty() {
            return;
        }
        match self.pieces.last_mut() {
            Some(Piece::Text(said)) => said.push_str(&text),
            Some(Piece::Call(_)) | None => self.pieces.push(Piece::Text(text.clone())),
        }
        heard.push(MarkupPart::Text(text));
    }
}

impl Piece {
    fn is_blank(&self) -> bool {
        match self {
            Self::Text(text) => text.trim().is_empty(),
            Self::Call(_) => false,
        }
    }
}

/// True if a text begins like a bare or fenced object.
fn is_lead(text: &str) -> bool {
    let Some(fenced) = text.strip_prefix("```") else {
        return text.starts_with('{') || "```".starts_with(text);
    };
    match fenced.split_once('\n') {
        None => fenced.trim_end().chars().all(|letter| letter.is_ascii_alphanumeric()),
        Some((_, block)) => block.trim_start().is_empty() || block.trim_start().starts_with('{'),
    }
}

/// Bytes at the end of `text` that may be the beginning of `tag`.
fn beginning(text: &str, tag: &str) -> usize {
    let longest = tag.len().min(text.len() + 1) - 1;
    (1..=longest).rev().find(|length| text.ends_with(&tag[..*length])).unwrap_or(0)
}
