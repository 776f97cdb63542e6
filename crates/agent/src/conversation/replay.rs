//! A turn told again: its inputs with their times are all it takes. Up to any entry it can also be told with other
//! settings or another model, and its tools then answer as they did.

use llm::ReplyBlock;
use robot::Now;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{Effect, Input, ToolCall, ToolOutcome, Turn, TurnSetup};

/// One input and when it came: a line of a record.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Recorded {
    /// Time of the input.
    pub at: Now,
    /// The input itself.
    pub input: Input,
}

/// All inputs of a turn, in order.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Record {
    inputs: Vec<Recorded>,
}

impl Record {
    /// Reads JSON lines.
    ///
    /// # Errors
    /// A line holds no input: a record with a hole tells another story.
    pub fn load(lines: &str) -> Result<Self, serde_json::Error> {
        let lines = lines.lines().filter(|line| !line.trim().is_empty());
        Ok(Self { inputs: lines.map(serde_json::from_str).collect::<Result<_, _>>()? })
    }

    /// Adds an input before it is given to the turn.
    pub fn note(&mut self, input: &Input, at: Now) {
        self.inputs.push(Recorded { at, input: input.clone() });
    }

    /// Its JSON lines.
    ///
    /// # Errors
    /// None that an input can cause.
    pub fn lines(&self) -> Result<String, serde_json::Error> {
        self.inputs.iter().map(|recorded| serde_json::to_string(recorded).map(|line| line + "\n")).collect()
    }

    /// The effects of the whole turn, by input.
    #[must_use]
    pub fn replay(&self, setup: TurnSetup) -> Vec<Vec<Effect>> {
        let mut turn = Turn::new(setup);
        self.inputs.iter().map(|Recorded { at, input }| turn.step(input.clone(), *at)).collect()
    }

    /// The turn up to the entry `last`, under whatever `setup` says, and the effects of the input that wrote it: from
    /// there it goes its own way.
    #[must_use]
    pub fn fork(&self, setup: TurnSetup, last: u64) -> (Turn, Vec<Effect>) {
        let mut turn = Turn::new(setup);
        let mut effects = Vec::new();
        for Recorded { at, input } in &self.inputs {
            if turn.has_ended() || turn.transcript().next_id() > last {
                break;
            }
            effects = turn.step(input.clone(), *at);
        }
        (turn, effects)
    }

    /// Outcome of the same call in the recorded turn; none if it was never made.
    #[must_use]
    pub fn answer(&self, call: &ToolCall) -> Option<ToolOutcome> {
        let is_same = |block: &ReplyBlock| match block {
            ReplyBlock::Call { name, args_raw, .. } => {
                // Models send nothing for a call without arguments, and it was run with an empty object.
                let args = if args_raw.trim().is_empty() { "{}" } else { args_raw };
                *name == call.name && serde_json::from_str::<Value>(args).ok().as_ref() == Some(&call.args)
            }
            ReplyBlock::Text(_) => false,
        };
        self.inputs.iter().enumerate().find_map(|(at, recorded)| {
            let Input::ModelDone { reply, .. } = &recorded.input else { return None };
            let id = reply.blocks.iter().filter(|block| is_same(block)).find_map(|block| match block {
                ReplyBlock::Call { id, .. } => Some(id),
                ReplyBlock::Text(_) => None,
            })?;
            self.inputs[at..].iter().find_map(|later| {
                let Input::ToolDone { call, outcome } = &later.input else { return None };
                (call == id).then(|| outcome.clone())
            })
        })
    }
}
