//! Admission of a reply's calls: known tool, legal arguments, permission, repeats, and the bound on a reply.

use llm::CallId;
use robot::{Effect, Stops};
use serde::{Deserialize, Serialize};

use super::agency::{self, AgencyCall};
use super::repeat::Streak;
use super::schema::Schemas;
use crate::text::cut;
use crate::{
    Circumstances, Mode, Permission, Policy, Rule, Ruler, Speaker, ToolCall, ToolKind, ToolOutcome, ToolOutput,
    ToolSpec, fits, ruling,
};

/// Names offered for a tool that does not exist.
const NEAREST_MAX: usize = 3;
/// Characters of such a name that are compared and repeated: what a model says has no end, and this grows with its square.
const NAME_CHARS_MAX: usize = 64;

/// A call as the model wrote it.
#[derive(Debug, Clone)]
pub(super) struct RawCall {
    pub id: CallId,
    pub name: String,
    pub args_raw: String,
}

/// A call that may run, or ask.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Admitted {
    pub call: ToolCall,
    pub stops: Stops,
    pub kind: ToolKind,
    pub output: ToolOutput,
    pub delivers: bool,
    pub timeout_ms: Option<u32>,
    /// A person is asked first.
    pub asks: bool,
    /// A person is asked first if untrusted text may speak through the model by the time it runs.
    pub asks_if_tainted: bool,
    /// A call that the turn itself answers.
    pub agency: Option<AgencyCall>,
    /// Hooks are asked about it first.
    pub hooked: bool,
    /// Its arguments are a hook's, and not the model's.
    pub changed: bool,
}

/// Tools, settings and rules that a call is checked against.
pub(super) struct Gatekeeper<'a> {
    pub tools: &'a [ToolSpec],
    pub schemas: &'a Schemas,
    pub policy: &'a Policy,
    pub speaker: Speaker,
    pub mode: &'a Mode,
    pub rules: &'a [Rule],
    /// Tools whose calls hooks are asked about.
    pub hooked: &'a [String],
}

impl Gatekeeper<'_> {
    /// Decides on call number `index` of a reply. A refused call gets its result without running.
    pub fn admit(&self, raw: &RawCall, index: usize, streak: &mut Streak) -> Result<Admitted, ToolOutcome> {
        let admitted = self.inspect(raw)?;
        // A stop runs however many calls stand before it and however often it was asked for.
        if admitted.stops == Stops::No {
            let most = usize::try_from(self.policy.budget.reply_calls).unwrap_or(usize::MAX);
            if index >= most {
                let message = format!("not run: a reply may hold {most} calls");
                return Err(ToolOutcome::error("too_many_calls", &message));
            }
            streak
                .count(raw, &self.policy.tools.repeat)
                .map_err(|message| ToolOutcome::error("repeated_call", &message))?;
        }
        Ok(admitted)
    }

    /// Decides anew on a call whose arguments a hook has changed.
    pub fn readmit(&self, raw: &RawCall) -> Result<Admitted, ToolOutcome> {
        self.inspect(raw).map(|admitted| Admitted { hooked: false, changed: true, ..admitted })
    }

    /// Checks of a call that do not depend on the calls beside it: its tool, its arguments, and its permission.
    fn inspect(&self, raw: &RawCall) -> Result<Admitted, ToolOutcome> {
        let Some(spec) = self.tools.iter().find(|spec| spec.name == raw.name) else {
            return Err(unknown_tool(self.tools, &raw.name));
        };
        let args = self
            .schemas
            .parse(&spec.name, &raw.args_raw)
            .map_err(|message| ToolOutcome::error("invalid_arguments", &message))?;
        // The tool stays declared for the sake of the cached prefix (decision 0062), so it is refused here.
        if let Some(why) = spec.scope.refusal(self.speaker) {
            return Err(ToolOutcome::error("out_of_scope", &format!("not run: {} {why}", spec.name)));
        }
        let ruled = |tainted| {
            // Standing approvals are the station's to know: it looks for one before it shows a card.
            let circumstances = Circumstances { mode: self.mode, rules: self.rules, tainted, covered: false };
            ruling(spec, circumstances)
        };
        // Results of earlier calls may still bring untrusted text, so both rulings are kept until the call
        // begins.
        let (calm, tainted) = (ruled(false), ruled(true));
        if calm.permission == Permission::Deny {
            return Err(forbidden(self.mode, calm.by, spec));
        }
        let agency = match spec.kind {
            ToolKind::Work => None,
            ToolKind::Agency => agency::read(&spec.name, &args, &self.policy.agency),
        };
        let (id, name, effect, on_cancel) = (raw.id.clone(), raw.name.clone(), spec.effect, spec.on_cancel);
        Ok(Admitted {
            call: ToolCall { id, name, args, effect, tainted: false, on_cancel },
            stops: spec.stops,
            kind: spec.kind,
            output: spec.output,
            delivers: spec.delivers,
            timeout_ms: spec.timeout_ms,
            asks: calm.permission == Permission::Ask,
            asks_if_tainted: tainted.permission == Permission::Ask,
            agency,
            // A stop waits for nobody.
            hooked: spec.stops == Stops::No && self.hooked.iter().any(|pattern| fits(pattern, &spec.name)),
            changed: false,
        })
    }

    /// True if a call of that name stops robots.
    pub fn stops(&self, name: &str) -> bool {
        self.tools.iter().any(|spec| spec.name == name && spec.stops != Stops::No)
    }

    /// True if a call of that name moves something, stops included.
    pub fn actuates(&self, name: &str) -> bool {
        self.tools.iter().any(|spec| spec.name == name && actuates(spec.effect))
    }
}

/// True for an effect that must be on disk before it happens and that nothing may run beside.
pub(super) const fn actuates(effect: Effect) -> bool {
    match effect {
        Effect::Actuate | Effect::Irreversible => true,
        Effect::Read | Effect::Write => false,
    }
}

fn forbidden(mode: &Mode, by: Ruler, spec: &ToolSpec) -> ToolOutcome {
    match by {
        Ruler::Rule(layer) => {
            let message = format!("not run: a rule of the layer {layer:?} denies {}", spec.name);
            ToolOutcome::error("rule_forbids", &message)
        }
        Ruler::Stop | Ruler::Taint | Ruler::Mode | Ruler::Envelope => {
            let message = format!("not run: the mode is \"{}\", and {} changes something", mode.label(), spec.name);
            ToolOutcome::error("mode_forbids", &message)
        }
    }
}

fn unknown_tool(tools: &[ToolSpec], name: &str) -> ToolOutcome {
    let name = cut(name, NAME_CHARS_MAX);
    let mut nearest: Vec<&str> = tools.iter().map(|spec| spec.name.as_str()).collect();
    nearest.sort_by_cached_key(|known| strsim::damerau_levenshtein(known, &name));
    nearest.truncate(NEAREST_MAX);
    ToolOutcome::error("unknown_tool", &format!("there is no tool {name:?}; nearest: {}", nearest.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn p_04_a_name_without_end_is_neither_compared_nor_repeated_whole() {
        let names = ["stop_all", "stop_robot", "list_robots", "send_command"];
        let tools = names.map(|name| ToolSpec::new(name, "", serde_json::json!({}), Effect::Read));
        let told = |name: &str| unknown_tool(&tools, name).json;
        assert!(told("stopall").contains("there is no tool \\\"stopall\\\"; nearest: stop_all"), "{}", told("stopall"));
        let long = told(&"stop_".repeat(50_000));
        assert!(long.len() < 300 && long.contains("stop_robot"), "{long}");
    }
}
