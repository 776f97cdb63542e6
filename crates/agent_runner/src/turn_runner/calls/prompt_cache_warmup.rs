//! A local server reads what every turn begins with before anybody has spoken.

use std::pin::pin;
use std::sync::Arc;

use agent::{Message, Purpose, SelectWhen, Turn};
use llm::{ModelKind, Request};
use robot::{Role, TurnId};
use tokio_util::sync::CancellationToken;

use crate::agents::AgentUnit;
use crate::models::ledger::Place;
use crate::models::model_registry::TurnModels;
use crate::runner::AgentRunner;
use crate::turn_runner::calls::model::{ModelCall, model_for};
use crate::turn_runner::running::place_of;
use crate::turn_runner::setup::setup;
use crate::turn_runner::{Start, TurnRunner};

impl TurnRunner {
    /// Has the model read system and tools of the desk's conversation in the background, if the policy wants that. Not
    /// while a turn runs, which does the same; and not if the first message decides which tools there are.
    pub(crate) fn warm(&self, runner: &Arc<AgentRunner>, agent: &Arc<AgentUnit>) {
        let (runner, agent) = (Arc::clone(runner), Arc::clone(agent));
        runner.runtime.tasks.clone().spawn(async move {
            let abort = runner.runtime.ended.child_token();
            tokio::select! {
                () = abort.cancelled() => {}
                () = warm(&runner, &agent, abort.clone()) => {}
            }
        });
    }
}

async fn warm(runner: &Arc<AgentRunner>, agent: &Arc<AgentUnit>, abort: CancellationToken) {
    // The lock is given back at once: a warm-up must not keep a turn waiting.
    if agent.turns.turns.try_lock().is_err() {
        return;
    }
    let models = runner.models.for_turn(&agent.id).await;
    if models.main.caps().kind == ModelKind::Interpreter {
        return;
    }
    while let Some((call, request)) = call(runner, agent, &models, &abort).await {
        let abort = call.abort.clone();
        let mut reading = pin!(call.warm(model_for(&models, Purpose::Warm), request));
        tokio::select! {
            () = &mut reading => return,
            // The next prompt is the short one: what is left of this one is not worth its time.
            () = agent.health.reading.becomes_slow() => {}
        }
        abort.cancel();
        // Awaited to its end, so that its row in the ledger is closed.
        reading.await;
    }
}

/// The call that reads what every turn begins with.
async fn call(
    runner: &Arc<AgentRunner>,
    agent: &Arc<AgentUnit>,
    models: &TurnModels,
    abort: &CancellationToken,
) -> Option<(ModelCall, Request)> {
    let as_of = agent.ledger.as_of().await;
    let tools = runner.toolbox.tools(&agent.id).await;
    // The message only has to exist: the part of the prompt that is read ahead ends before it.
    let nothing = Message::operator("", Role::Viewer, "-").ok()?;
    let start = Start::of(TurnId::from(""), nothing, Arc::clone(&agent.turns.desk));
    let setup = setup(runner, agent, &start, models, tools).await;
    let select = &setup.policy.tools.select;
    if select.when != SelectWhen::All && setup.tools.len() > select.all_up_to as usize {
        return None;
    }
    let request = Turn::new(setup).warm()?;
    let place = Place { turn: None, ..place_of(&start) };
    let (inputs, _nobody) = tokio::sync::mpsc::channel(1);
    let (runner, agent, abort) = (Arc::clone(runner), Arc::clone(agent), abort.child_token());
    Some((ModelCall { runner, agent, place, as_of, inputs, abort }, request))
}
