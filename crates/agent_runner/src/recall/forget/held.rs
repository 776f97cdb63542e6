//! Forgetting in memory: texts that the station holds, would show, and would write again.

use std::sync::Arc;

use memory::forget::Forgetting;

use crate::agents::AgentUnit;
use crate::runner::AgentRunner;
use runtime::wire::Tag;

/// Tags that are told to have changed when something was forgotten.
const TAGS: [Tag; 7] =
    [Tag::Transcript, Tag::World, Tag::Proposals, Tag::Alerts, Tag::Events, Tag::Missions, Tag::Jobs];

/// Takes what is forgotten out of memory. What was on its way to the disk has arrived there, or is forgotten, when this
/// returns: the rows come next.
pub(super) async fn forget(runner: &Arc<AgentRunner>, agent: &Arc<AgentUnit>, forgetting: &Forgetting) {
    let (needles, mark) = (forgetting.needles(), forgetting.mark());
    if needles.is_empty() {
        return;
    }
    agent.world.ingest.forget(&runner.sensing, &agent.world, &needles, &mark).await;
    // Fires and moves of rules are dealt with first, so that their words are found.
    agent.world.rules.deal(&runner.sensing, &agent.world);
    agent.world.rules.forget(&needles, &mark).await;
    agent.episodes.forget(&needles, &mark);
    agent.turns.forget_words(&needles, &mark);
    agent.jobs.forget(&needles, &mark).await;
    runner.missions.forget(&agent.id, &needles, &mark).await;
    runner.sensing.alarms.forget(&agent.id, &needles, &mark).await;
    runner.runtime.bus.events().forget(&agent.id, &needles, &mark).await;
    runner.proposer.forget(&needles, &mark);
    TAGS.iter().for_each(|tag| runner.runtime.bus.changed(*tag));
}
