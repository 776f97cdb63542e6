//! Fields that ask for thinking and for a choice of tools, as far as the model takes them.

use serde::Serialize;

use crate::{Caps, Choice, Effort, Request, Thinking, ThinkingOff, ThinkingWish, ToolChoice};

/// The least budget that is taken, tokens.
const BUDGET_MIN: u32 = 1_024;
/// Budgets that stand for an effort on models that know only budgets, and the other way round, tokens.
const BUDGET_MEDIUM: u32 = 4_096;
const BUDGET_HIGH: u32 = 16_384;

/// `thinking` and `output_config` of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct ThinkingFields {
    pub thinking: Option<ThinkingField>,
    pub output_config: Option<OutputConfig>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub(super) struct ThinkingField {
    #[serde(rename = "type")]
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    budget_tokens: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    block_binding: Option<BlockBinding>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
struct BlockBinding {
    prefix_mismatch_behavior: &'static str,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub(super) struct OutputConfig {
    effort: Effort,
}

impl ThinkingFields {
    pub fn of(caps: &Caps, request: &Request) -> Self {
        let fields = match caps.thinking {
            Thinking::No => Self::default(),
            Thinking::Budget => Self::by_budget(caps, request),
            Thinking::Adaptive | Thinking::Level | Thinking::Effort => Self::by_effort(caps, request.thinking),
        };
        if !request.drop_blocks || caps.thinking == Thinking::No {
            return fields;
        }
        // The rule for a changed prefix is a part of the thinking field, so one is sent in any case.
        let field = fields.thinking.unwrap_or(field("adaptive"));
        let block_binding = Some(BlockBinding { prefix_mismatch_behavior: "drop_block" });
        Self { thinking: Some(ThinkingField { block_binding, ..field }), ..fields }
    }

    /// True if the model is told to think by a budget, which forbids forced calls.
    pub fn is_budgeted(&self) -> bool {
        self.thinking.is_some_and(|thinking| thinking.budget_tokens.is_some())
    }

    /// True if the model is told to think, which forbids sampling.
    pub fn is_on(&self) -> bool {
        self.thinking.is_some_and(|thinking| thinking.kind == "enabled" || thinking.kind == "adaptive")
    }

    /// True if the request uses block binding, which only a beta header opens.
    pub fn binds(&self) -> bool {
        self.thinking.is_some_and(|thinking| thinking.block_binding.is_some())
    }

    fn by_budget(caps: &Caps, request: &Request) -> Self {
        let budget = match request.thinking {
            ThinkingWish::Own => return Self::default(),
            ThinkingWish::Off => return Self { thinking: off(caps), output_config: None },
            ThinkingWish::Effort(Effort::Low) => BUDGET_MIN,
            ThinkingWish::Effort(Effort::Medium) => BUDGET_MEDIUM,
            ThinkingWish::Effort(Effort::High) => BUDGET_HIGH,
            ThinkingWish::Budget(tokens) => tokens.max(BUDGET_MIN),
        };
        // The budget is a part of the output and must leave something of it.
        let budget_tokens = budget.min(output_max(caps, request).saturating_sub(1));
        // A smaller budget would be refused, so no thinking is asked for.
        if budget_tokens < BUDGET_MIN {
            return Self::default();
        }
        let enabled = ThinkingField { budget_tokens: Some(budget_tokens), ..field("enabled") };
        Self { thinking: Some(enabled), output_config: None }
    }

    fn by_effort(caps: &Caps, wish: ThinkingWish) -> Self {
        let effort = match wish {
            ThinkingWish::Own => return Self::default(),
            ThinkingWish::Off if caps.thinking_off.is_some() => {
                return Self { thinking: off(caps), output_config: None };
            }
            ThinkingWish::Off => {
                return Self { thinking: None, output_config: Some(OutputConfig { effort: Effort::Low }) };
            }
            ThinkingWish::Effort(effort) => effort,
            ThinkingWish::Budget(..BUDGET_MEDIUM) => Effort::Low,
            ThinkingWish::Budget(..BUDGET_HIGH) => Effort::Medium,
            ThinkingWish::Budget(_) => Effort::High,
        };
        Self { thinking: Some(field("adaptive")), output_config: Some(OutputConfig { effort }) }
    }
}

/// Most tokens of the reply.
pub(super) fn output_max(caps: &Caps, request: &Request) -> u32 {
    request.output_max.min(caps.output_max)
}

const fn field(kind: &'static str) -> ThinkingField {
    ThinkingField { kind, budget_tokens: None, block_binding: None }
}

fn off(caps: &Caps) -> Option<ThinkingField> {
    caps.thinking_off.map(|off| match off {
        ThinkingOff::Disabled | ThinkingOff::Zero => field("disabled"),
        ThinkingOff::BetweenTools => field("between_tools"),
    })
}

/// `tool_choice` of a request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum ToolChoiceField<'a> {
    None,
    Any,
    Tool { name: &'a str },
}

/// The choice as it is sent; absent leaves it to the model, which is also what a model gets that rejects the wish.
pub(super) fn tool_choice<'a>(
    caps: &Caps,
    request: &'a Request,
    thinking: &ThinkingFields,
) -> Option<ToolChoiceField<'a>> {
    if request.tools.is_empty() {
        return None;
    }
    let forces = caps.choice_required == Choice::Yes && !thinking.is_budgeted();
    match &request.choice {
        ToolChoice::Auto => None,
        ToolChoice::None => (caps.choice_none != Choice::Rejected).then_some(ToolChoiceField::None),
        ToolChoice::Named(name) if forces && caps.choice_named => Some(ToolChoiceField::Tool { name }),
        ToolChoice::Required | ToolChoice::Named(_) => forces.then_some(ToolChoiceField::Any),
    }
}
