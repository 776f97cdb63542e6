//! End of a turn: the gate looks at the answer, something visible is delivered, and the rest is said.

use llm::{Block, CallId, ToolChoice};
use robot::{Origin, Trust};

use super::Turn;
use super::state::{Form, Phase, Rescue};
use crate::context::view::{CallForm, view};
use crate::side_calls::side::SideCall;
use crate::turn::result::table;
use crate::untrusted::sanitise::marked;
use crate::{
    Delivery, Effect, EntryKind, EpochReason, Event, FinalCall, GateVerdict, Judge, Marker, Outcome, Purpose,
    TextBesideTools, digest, inspect, judge_request, judged,
};

/// Said for a model that found no words.
const NO_ANSWER: &str = "[Agent did not produce a final response]";
/// Said when tools ran and nobody wrote a word about them.
const FALLBACK: &str = "I ran the tools above but have no words for the result. Please look at what they gave.";
/// Said in front of the result of a call that a model made again and again.
const CIRCLED: &str =
    "The model asked for the same again and again and has no words for it. This is what it asked for:";
/// Said of a stop that the last reply of a turn has called.
const STOPPED: &str = "the station has taken this stop.";
/// Said of one that failed or was refused.
const NOT_STOPPED: &str = "this stop was NOT carried out, and robots may still move. Use the stop button.";
const ANCHOR: &str = "[Hint] Nothing of this turn was visible to the person. Answer the request now, in a few sentences, from what is above.";
const EXTEND: &str = "Go on with the answer below exactly where it ends. Say nothing twice.";
/// Tokens of a reply when nothing was visible.
const FALLBACK_TOKENS: u32 = 384;
/// Tokens of the rest of one that was cut off.
const EXTEND_TOKENS: u32 = 1_536;
/// Messages that the rest is written from.
const EXTEND_MESSAGES: usize = 4;

impl Turn {
    /// Ends the turn with `answer`, or with what was said already, if the gate has nothing against it.
    pub(super) fn conclude(&mut self, answer: Option<(u64, String)>) {
        let text = answer.as_ref().map(|(_, text)| text.clone()).unwrap_or_default();
        let facts = &mut self.state.facts;
        facts.seen = self.state.said.iter().map(String::as_str).chain([text.as_str()]).collect::<Vec<_>>().join("\n");
        facts.last_text = text;
        // The interpreter's answers need no judge, and without a further call no answer could get better.
        if !self.has_language_model() || self.state.form.is_final {
            return self.deliver(answer, Outcome::Answered);
        }
        match inspect(self.policy(), &self.state.facts) {
            GateVerdict::Done => self.deliver(answer, Outcome::Answered),
            GateVerdict::Continue(hint) => self.not_done(hint),
            GateVerdict::Ask(judge) => self.ask_judge(judge, answer),
        }
    }

    /// Takes the word of a judge.
    pub(super) fn judged(&mut self, words: Option<&str>) {
        let Phase::Judging { answer, .. } = &self.state.phase else { return };
        let answer = answer.clone();
        match judged(words) {
            GateVerdict::Continue(hint) => self.not_done(hint),
            GateVerdict::Done | GateVerdict::Ask(_) => self.deliver(answer, Outcome::Answered),
        }
    }

    fn ask_judge(&mut self, judge: Judge, answer: Option<(u64, String)>) {
        // A judge costs money as well, and an answer that was not judged is better than none.
        if self.spent().is_some() {
            return self.deliver(answer, Outcome::Answered);
        }
        let side = self.side();
        let request = judge_request(judge, side.session, side.caps, side.policy, &self.state.facts);
        let purpose = match judge {
            Judge::Grounded => Purpose::JudgeGrounded,
            Judge::Adequacy => Purpose::JudgeAdequacy,
        };
        self.log.effects.push(Effect::Call { purpose, request });
        self.state.phase = Phase::Judging { judge, answer };
    }

    fn not_done(&mut self, hint: String) {
        self.state.facts.failures += 1;
        // The turn goes on, so the model has to call `end_turn` anew.
        self.state.facts.ended_by_tool = false;
        self.state.hints.push(hint);
        self.next_step();
    }

    /// The model or its provider declined: the exchange stays on disk and leaves every later view.
    pub(super) fn refuse(&mut self, partial: String) {
        self.log.mark(Marker::Refused { from: self.state.first, partial });
        self.log.change_epoch(EpochReason::RefusedLeftOut);
        self.end(Outcome::Refused);
    }

    fn deliver(&mut self, answer: Option<(u64, String)>, outcome: Outcome) {
        let has_said = !self.state.said.is_empty();
        match (self.policy().delivery, answer) {
            (Delivery::FinalOrSendTool, _) if self.state.delivered => self.end(Outcome::Delivered),
            // A turn without work tools that has said something has said it all.
            (Delivery::Say, _) if has_said && self.state.facts.works == 0 => self.end(Outcome::Delivered),
            // Words that the model said by `say` are the answer, and the turn needs no other.
            (_, None) if has_said => self.end(Outcome::Delivered),
            (_, None) => self.finish(outcome),
            (_, Some((entry, text))) => {
                let text = self.whole(text);
                self.say(entry, text, outcome);
            }
        }
    }

    /// The answer as the policy wants it: by itself, or with all that was said before.
    fn whole(&self, text: String) -> String {
        match self.policy().text_beside_tools {
            TextBesideTools::Joined => {
                let texts: Vec<String> = self.state.texts.iter().map(|text| without_thinking(text)).collect();
                texts.iter().map(|text| text.trim()).filter(|text| !text.is_empty()).collect::<Vec<_>>().join("\n\n")
            }
            TextBesideTools::Internal
            | TextBesideTools::Held
            | TextBesideTools::LastText
            | TextBesideTools::Progress => text,
        }
    }

    fn say(&mut self, entry: u64, text: String, outcome: Outcome) {
        if self.policy().text_beside_tools == TextBesideTools::Held {
            self.log.emit(Event::TextDelta { text: text.clone() });
        }
        self.log.emit(Event::Delivered { entry, text, model: self.log.model.clone() });
        self.end(outcome);
    }

    /// Ends a turn that came to no answer with the best there is.
    pub(super) fn finish(&mut self, outcome: Outcome) {
        if self.state.delivered && self.policy().delivery == Delivery::FinalOrSendTool {
            return self.end(Outcome::Delivered);
        }
        if let Some(table) = self.repeated_result() {
            // A model that goes in circles has asked for something; people get that result at least.
            return self.say_own(&format!("{CIRCLED}\n\n{table}"), outcome);
        }
        match self.policy().budget.final_call {
            FinalCall::GateForce if !self.state.said.is_empty() => self.end(outcome),
            FinalCall::GateForce if self.has_language_model() && self.spent().is_none() => self.rescue(),
            FinalCall::Fallback => {
                let words = self.whole(String::new());
                match self.state.last_text.clone() {
                    Some((entry, _)) if !words.is_empty() => self.say(entry, words, outcome),
                    Some(_) | None => self.say_own(FALLBACK, Outcome::Fallback),
                }
            }
            FinalCall::GateForce | FinalCall::ForceText => match self.state.last_text.clone() {
                Some((entry, text)) => {
                    // The pieces of an answer that was cut again and again belong together.
                    let pieces = std::mem::take(&mut self.state.cut);
                    self.say(entry, if pieces.is_empty() { text } else { pieces }, outcome);
                }
                None if !self.state.said.is_empty() => self.end(outcome),
                None => self.say_own(NO_ANSWER, outcome),
            },
        }
    }

    /// Ends a turn whose last reply was to be an answer and stopped robots, with its words and what became of the stops.
    pub(super) fn finish_stopped(&mut self, round: &[(String, bool)]) {
        let reply = self.transcript().entries().iter().rfind(|entry| entry.kind == EntryKind::Assistant);
        let calls = reply.into_iter().flat_map(|entry| &entry.blocks).filter_map(|block| match block {
            Block::Call { name, .. } => Some(name),
            Block::Text { .. } | Block::Result { .. } => None,
        });
        // A call that was refused is not in the round.
        let is_done =
            |name: &String| round.iter().any(|(ran, _)| ran == name) && !round.contains(&(name.clone(), true));
        let told = calls
            .map(|name| if is_done(name) { format!("{name}: {STOPPED}") } else { format!("{name}: {NOT_STOPPED}") });
        let (told, id) = (told.collect::<Vec<_>>().join("\n"), reply.map(|entry| entry.id));
        match self.state.last_text.clone().filter(|(entry, _)| Some(*entry) == id) {
            Some((entry, text)) => self.say(entry, format!("{}\n\n{told}", text.trim_end()), Outcome::Forced),
            None => self.say_own(&told, Outcome::Forced),
        }
    }

    /// Says something of the loop's own.
    fn say_own(&mut self, text: &str, outcome: Outcome) {
        let block = Block::Text { text: text.to_owned(), trust: self.take_trust() };
        let entry = self.log.append(EntryKind::Assistant, vec![block], Origin::Agent);
        self.say(entry, text.to_owned(), outcome);
    }

    /// The result of the call that the model makes again and again, for a person to read. Untrusted text is not in it:
    /// that stands quoted in the call's own row.
    pub(super) fn repeated_result(&self) -> Option<String> {
        let (name, args_raw) = self.state.streak.circling()?;
        let blocks = || self.transcript().entries().iter().flat_map(|entry| &entry.blocks);
        let is_it = |id: &CallId| {
            blocks().any(|block| match block {
                Block::Call { id: of, name: called, args_raw: with } => of == id && called == name && with == args_raw,
                Block::Text { .. } | Block::Result { .. } => false,
            })
        };
        let mut results = blocks().filter_map(|block| match block {
            Block::Result { call, json, is_error: false, trust: Trust::Trusted | Trust::Typed, .. } if is_it(call) => {
                Some(json)
            }
            Block::Result { .. } | Block::Text { .. } | Block::Call { .. } => None,
        });
        table::of(results.next_back()?)
    }

    /// Asks for one short reply that is visible.
    fn rescue(&mut self) {
        self.state.form = Form { is_final: true, bare: false, nudges: Vec::new() };
        let nudges = vec![ANCHOR.to_owned()];
        let form = CallForm { is_final: true, with_tools: true, profile: self.profile(), nudges };
        let mut request = view(&self.log.transcript, &self.frame, &form);
        // The tools stay declared, because other ones would change the cached prefix; the choice forbids calls.
        request.choice = ToolChoice::None;
        request.output_max = request.output_max.min(FALLBACK_TOKENS);
        self.log.effects.push(Effect::Call { purpose: Purpose::Fallback, request });
        self.state.phase = Phase::Rescuing(Rescue::Fallback);
    }

    /// Takes what was said for the person after all; the words, and whether they were cut off.
    pub(super) fn rescued(&mut self, reply: Option<(String, bool)>) {
        let Phase::Rescuing(rescue) = &self.state.phase else { return };
        let (words, is_cut) = reply.map_or_else(Default::default, |(words, is_cut)| (marked(&words), is_cut));
        let (text, extends) = match rescue {
            Rescue::Fallback => (words, is_cut),
            // An answer is extended once: one that is cut off again would go on without end.
            Rescue::Extend { text } => (format!("{text}{words}"), false),
        };
        if text.trim().is_empty() {
            return self.say_own(NO_ANSWER, Outcome::Fallback);
        }
        if extends {
            return self.extend(text);
        }
        self.say_own(&text, Outcome::Fallback);
    }

    fn extend(&mut self, text: String) {
        let side = self.side();
        let before = digest(&self.log.transcript, EXTEND_MESSAGES);
        let request = SideCall {
            session: side.session,
            // The model that began the answer also ends it, so it is that model's limits that count.
            caps: &self.frame.caps,
            temperature: self.policy().sampling.main,
            output_max: EXTEND_TOKENS,
            system: EXTEND.to_owned(),
            text: format!("{before}\n\nThe answer so far:\n{text}"),
            trust: Trust::Text,
        }
        .request();
        self.log.effects.push(Effect::Call { purpose: Purpose::Extend, request });
        self.state.phase = Phase::Rescuing(Rescue::Extend { text });
    }

    pub(super) fn end(&mut self, outcome: Outcome) {
        self.log.emit(Event::TurnEnded { outcome, calls: self.state.calls, usage: self.state.usage });
        let has_answered = match outcome {
            Outcome::Answered | Outcome::Delivered | Outcome::Forced | Outcome::Fallback | Outcome::Partial(_) => true,
            Outcome::Refused | Outcome::Cancelled(_) | Outcome::Failed(_) | Outcome::Paused(_) => false,
        };
        self.log.effects.extend(self.warm().filter(|_| has_answered).map(Effect::Warm));
        self.log.effects.push(Effect::End(outcome));
        self.state.phase = Phase::Ended;
    }
}

/// The words without what a model printed of its thinking; one that never closes goes to the end.
fn without_thinking(text: &str) -> String {
    let mut kept = String::new();
    let mut rest = text;
    while let Some((before, thought)) = rest.split_once("<think>") {
        kept.push_str(before);
        rest = thought.split_once("</think>").map_or("", |(_, after)| after);
    }
    kept + rest
}
