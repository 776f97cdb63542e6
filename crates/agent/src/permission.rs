//! Permissions of the agent. They never have the last word: the safety engine judges after them.

use robot::{Effect, MissionId, Stops};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::{Careful, ToolSpec};

/// Degree of autonomy of an agent. Set by a person only. On every wire its word: `watch`, `ask`, `assist` or
/// `run:<mission>`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema, TS)]
#[serde(try_from = "String", into = "String")]
#[schemars(with = "String")]
#[ts(rename = "AgentMode", type = "\"watch\" | \"ask\" | \"assist\" | `run:${string}`")]
pub enum Mode {
    /// Observe only.
    Watch,
    /// Ask for everything.
    #[default]
    Ask,
    /// Ask for motion.
    Assist,
    /// Within the standing approvals of this mission: what they cover moves without being asked.
    Run(MissionId),
}

/// A refusal of a text that is no mode.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a mode is watch, ask, assist or run:<mission>, not {text:?}")]
pub struct ModeError {
    /// The text as given.
    pub text: String,
}

/// Prefix of the mode's word before the id of a mission.
const RUN: &str = "run:";

impl Mode {
    /// The mode in an operator's words.
    #[must_use]
    pub const fn label(&self) -> &'static str {
        match self {
            Self::Watch => "Observe only",
            Self::Ask => "Ask for everything",
            Self::Assist => "Ask for motion",
            Self::Run(_) => "Within standing approvals",
        }
    }

    /// The mission whose standing approvals hold.
    #[must_use]
    pub const fn mission(&self) -> Option<&MissionId> {
        match self {
            Self::Run(mission) => Some(mission),
            Self::Watch | Self::Ask | Self::Assist => None,
        }
    }
}

impl TryFrom<String> for Mode {
    type Error = ModeError;
    fn try_from(text: String) -> Result<Self, ModeError> {
        match text.as_str() {
            "watch" => Ok(Self::Watch),
            "ask" => Ok(Self::Ask),
            "assist" => Ok(Self::Assist),
            _ => {
                let mission = text.strip_prefix(RUN).and_then(|mission| MissionId::new(mission).ok());
                mission.map(Self::Run).ok_or(ModeError { text })
            }
        }
    }
}

impl From<Mode> for String {
    fn from(mode: Mode) -> Self {
        match mode {
            Mode::Watch => "watch".to_owned(),
            Mode::Ask => "ask".to_owned(),
            Mode::Assist => "assist".to_owned(),
            Mode::Run(mission) => format!("{RUN}{mission}"),
        }
    }
}

/// Verdict on a call before anything else looks at it. The later of two is the more restrictive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Permission {
    /// It runs.
    Allow,
    /// A person decides.
    Ask,
    /// It does not run.
    Deny,
}

/// Source of a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Layer {
    /// This program.
    BuiltIn,
    /// The site's settings.
    Site,
    /// A person, for this agent.
    User,
    /// The mission that runs.
    Mission,
}

/// A decision on a tool, made ahead of any call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    /// Source of the rule.
    pub layer: Layer,
    /// The tool's name; `*` at the end stands for any rest.
    pub tool: String,
    /// Verdict on every call of the tool.
    pub verdict: Permission,
}

/// Verdict on a call, and its source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ruling {
    /// Verdict on the call.
    pub permission: Permission,
    /// Source of the verdict.
    pub by: Ruler,
}

/// Source of a verdict on a call, in the order in which they are asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ruler {
    /// A stop: no approval is needed.
    Stop,
    /// A rule of this layer.
    Rule(Layer),
    /// Untrusted text.
    Taint,
    /// The mode.
    Mode,
    /// A standing approval.
    Envelope,
}

/// Circumstances of a call, on which the verdict depends.
#[derive(Debug, Clone, Copy)]
pub struct Circumstances<'a> {
    /// The agent's mode.
    pub mode: &'a Mode,
    /// Decisions that people made ahead.
    pub rules: &'a [Rule],
    /// The call may have been put into the model's mouth by untrusted text.
    pub tainted: bool,
    /// A standing approval of the mission that runs covers it.
    pub covered: bool,
}

/// Permission that `mode` gives to a call with this effect. A stop needs no approval in any mode.
#[must_use]
pub const fn permission(mode: &Mode, effect: Effect, stops: Stops) -> Permission {
    match stops {
        Stops::All | Stops::Named | Stops::Missions => return Permission::Allow,
        Stops::No => {}
    }
    match (mode, effect) {
        (Mode::Watch | Mode::Ask | Mode::Assist | Mode::Run(_), Effect::Read)
        | (Mode::Assist | Mode::Run(_), Effect::Write) => Permission::Allow,
        (Mode::Watch, Effect::Write | Effect::Actuate | Effect::Irreversible) => Permission::Deny,
        (Mode::Ask, Effect::Write | Effect::Actuate | Effect::Irreversible)
        | (Mode::Assist | Mode::Run(_), Effect::Actuate | Effect::Irreversible) => Permission::Ask,
    }
}

/// Judges a call of `tool`: what was denied by rule, taint, what is to be asked by rule, the mode, and last what may
/// lift the mode's question. The most restrictive wins, and a deny always does.
#[must_use]
pub fn ruling(tool: &ToolSpec, at: Circumstances) -> Ruling {
    let decided = |permission, by| Ruling { permission, by };
    // No rule, mode or taint stands in the way of a stop: one too many costs a release, one too few an accident.
    if tool.stops != Stops::No {
        return decided(Permission::Allow, Ruler::Stop);
    }
    let rule = |verdict| at.rules.iter().find(|rule| rule.verdict == verdict && fits(&rule.tool, &tool.name));
    // A deny of any layer wins, so the order of the rules does not matter.
    if let Some(rule) = rule(Permission::Deny) {
        return decided(Permission::Deny, Ruler::Rule(rule.layer));
    }
    let by_mode = permission(at.mode, tool.effect, tool.stops);
    if by_mode == Permission::Deny {
        return decided(Permission::Deny, Ruler::Mode);
    }
    // A rule may ask as well; the taint is named as the cause because a person has to know of it.
    if at.tainted && asks_when_tainted(tool) {
        return decided(Permission::Ask, Ruler::Taint);
    }
    if let Some(rule) = rule(Permission::Ask) {
        return decided(Permission::Ask, Ruler::Rule(rule.layer));
    }
    if by_mode == Permission::Allow {
        return decided(Permission::Allow, Ruler::Mode);
    }
    match tool.effect {
        // No rule allows motion once and for all: only a standing approval of the mission that runs lifts the
        // question.
        Effect::Actuate if at.mode.mission().is_some() && at.covered => decided(Permission::Allow, Ruler::Envelope),
        Effect::Actuate | Effect::Irreversible => decided(Permission::Ask, Ruler::Mode),
        Effect::Read | Effect::Write => match rule(Permission::Allow) {
            Some(rule) => decided(Permission::Allow, Ruler::Rule(rule.layer)),
            None => decided(Permission::Ask, Ruler::Mode),
        },
    }
}

/// True if a tainted call needs a person: it moves something, reaches beyond the station or plans for later.
fn asks_when_tainted(tool: &ToolSpec) -> bool {
    match tool.effect {
        Effect::Actuate | Effect::Irreversible => true,
        Effect::Read | Effect::Write => tool.careful == Careful::Asks,
    }
}

/// True if the tool `name` matches `pattern`; `*` at its end stands for any rest.
#[must_use]
pub fn fits(pattern: &str, name: &str) -> bool {
    pattern.strip_suffix('*').map_or(pattern == name, |start| name.starts_with(start))
}

#[cfg(test)]
mod tests {
    use super::*;
    use Permission::{Allow, Ask, Deny};

    fn run() -> Mode {
        Mode::Run(MissionId::new("patrol").unwrap())
    }

    #[test]
    fn p_14_a_mode_is_one_word_and_run_names_its_mission() {
        for (mode, word) in
            [(Mode::Watch, "watch"), (Mode::Ask, "ask"), (Mode::Assist, "assist"), (run(), "run:patrol")]
        {
            assert_eq!(serde_json::to_value(&mode).unwrap(), word);
            assert_eq!(serde_json::from_value::<Mode>(word.into()).unwrap(), mode);
        }
        for word in ["run", "run:", "run:A b", "Ask", ""] {
            assert!(Mode::try_from(word.to_owned()).is_err(), "{word}");
        }
    }

    #[test]
    fn p_14_a_mode_decides_by_effect() {
        let effects = [Effect::Read, Effect::Write, Effect::Actuate, Effect::Irreversible];
        for (mode, expected) in [
            (Mode::Watch, [Allow, Deny, Deny, Deny]),
            (Mode::Ask, [Allow, Ask, Ask, Ask]),
            (Mode::Assist, [Allow, Allow, Ask, Ask]),
            (run(), [Allow, Allow, Ask, Ask]),
        ] {
            assert_eq!(effects.map(|effect| permission(&mode, effect, Stops::No)), expected, "{mode:?}");
        }
    }

    #[test]
    fn p_12_a_stop_is_allowed_in_every_mode() {
        for mode in [Mode::Watch, Mode::Ask, Mode::Assist, run()] {
            for stops in [Stops::All, Stops::Named, Stops::Missions] {
                assert_eq!(permission(&mode, Effect::Actuate, stops), Allow, "{mode:?} {stops:?}");
            }
        }
    }
    /// `rules` as `layer verdict tool`, and what is decided on a tool of that effect by whom.
    fn check(mode: &Mode, effect: Effect, rules: &[(Layer, Permission, &str)], tainted: bool, expected: Ruling) {
        let rules: Vec<Rule> = rules
            .iter()
            .map(|(layer, verdict, tool)| Rule { layer: *layer, tool: (*tool).into(), verdict: *verdict })
            .collect();
        let tool = ToolSpec::new("open_gate", "", serde_json::json!({}), effect);
        let at = Circumstances { mode, rules: &rules, tainted, covered: true };
        assert_eq!(ruling(&tool, at), expected, "{mode:?} {effect:?} {rules:?} {tainted}");
    }

    fn by(permission: Permission, by: Ruler) -> Ruling {
        Ruling { permission, by }
    }

    #[test]
    fn p_15_the_most_restrictive_wins_and_a_deny_always_does() {
        use Layer::{BuiltIn, Mission, Site, User};
        let rules = [(User, Allow, "open_gate"), (Site, Deny, "open_*"), (BuiltIn, Ask, "*")];
        check(&run(), Effect::Write, &rules, true, by(Deny, Ruler::Rule(Site)));
        check(&Mode::Watch, Effect::Write, &rules[..1], false, by(Deny, Ruler::Mode));
        check(&Mode::Assist, Effect::Write, &[(Mission, Ask, "open_gate")], false, by(Ask, Ruler::Rule(Mission)));
        check(&Mode::Ask, Effect::Write, &[(User, Allow, "open_gate")], false, by(Allow, Ruler::Rule(User)));
        check(
            &Mode::Ask,
            Effect::Write,
            &[(User, Allow, "open_gate"), (Site, Ask, "*")],
            false,
            by(Ask, Ruler::Rule(Site)),
        );
        check(&Mode::Ask, Effect::Write, &[(User, Allow, "close_*")], false, by(Ask, Ruler::Mode));
    }

    #[test]
    fn p_15_no_rule_says_once_that_something_may_always_move() {
        let rules = [(Layer::User, Allow, "*")];
        check(&Mode::Assist, Effect::Actuate, &rules, false, by(Ask, Ruler::Mode));
        check(&Mode::Ask, Effect::Irreversible, &rules, false, by(Ask, Ruler::Mode));
        check(&run(), Effect::Irreversible, &rules, false, by(Ask, Ruler::Mode));
        check(&run(), Effect::Actuate, &[], false, by(Allow, Ruler::Envelope));
        check(&run(), Effect::Actuate, &[(Layer::Site, Ask, "*")], false, by(Ask, Ruler::Rule(Layer::Site)));
    }

    #[test]
    fn p_22_taint_asks_whatever_covers_the_call() {
        check(&run(), Effect::Actuate, &[], true, by(Ask, Ruler::Taint));
        check(&Mode::Assist, Effect::Irreversible, &[], true, by(Ask, Ruler::Taint));
        check(&Mode::Assist, Effect::Write, &[], true, by(Allow, Ruler::Mode));
        let mut tool = ToolSpec::new("schedule_task", "", serde_json::json!({}), Effect::Write);
        tool.careful = Careful::Asks;
        let at = Circumstances { mode: &Mode::Assist, rules: &[], tainted: true, covered: false };
        assert_eq!(ruling(&tool, at), by(Ask, Ruler::Taint));
        tool.stops = Stops::All;
        assert_eq!(ruling(&tool, at), by(Allow, Ruler::Stop));
    }
}
