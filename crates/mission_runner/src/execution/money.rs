//! Budgets of missions: what the models of a mission have cost, and that nothing of it begins once that is spent.

use std::collections::{BTreeMap, BTreeSet};

use missions::lifecycle::Status;
use robot::MissionId;

use crate::runner::{AgentMissions, MissionRunner, Money};
use runtime::lock::lock;

const MICROUSD_IN_USD: f64 = 1_000_000.0;

impl MissionRunner {
    /// Takes in what each mission with a budget has spent of it. People are told once of an active one that has nothing
    /// left.
    pub(crate) async fn look_at_money(&self, agent: &AgentMissions) {
        let now = self.money(agent).await;
        let before = std::mem::replace(&mut *lock(&agent.money), now.clone());
        for (id, money) in &now {
            let before = before.get(id).copied();
            if before == Some(*money) {
                continue;
            }
            self.runtime.bus.missions_changed(BTreeSet::from([id.clone()]));
            let is_news = is_spent(*money) && !before.is_some_and(is_spent);
            if is_news && agent.lives.status(id) == Some(Status::Active) {
                let sentence = format!("Mission {id} stands still: {}", words(*money));
                self.runtime.bus.event_of(&agent.id, "mission_budget_spent", sentence);
            }
        }
    }

    /// The money of each mission that has a budget. Nothing follows from it being read.
    pub(crate) async fn money(&self, agent: &AgentMissions) -> BTreeMap<MissionId, Money> {
        let mut money = BTreeMap::new();
        for id in agent.lives.with_budget() {
            let of_one = self.money_of(agent, &id).await;
            money.insert(id, of_one);
        }
        money
    }

    /// The money of a mission that has a budget.
    pub(crate) async fn money_of(&self, agent: &AgentMissions, id: &MissionId) -> Money {
        match self.host.agents.money(&agent.id, id).await {
            Ok(row) => Some(row),
            Err(error) => {
                tracing::error!(agent = %agent.id, mission = %id, %error, "what a mission has spent is not known");
                None
            }
        }
    }
}

impl AgentMissions {
    /// True if the budget of a mission was spent when it was last looked at: nothing of it begins.
    pub(crate) fn is_broke(&self, id: &MissionId) -> bool {
        lock(&self.money).get(id).is_some_and(|money| is_spent(*money))
    }

    /// The active missions whose budget was spent when it was last looked at.
    pub fn spent(&self) -> BTreeSet<MissionId> {
        let looked = lock(&self.money).clone();
        let is_active = |id: &MissionId| self.lives.status(id) == Some(Status::Active);
        looked.into_iter().filter(|(id, money)| is_spent(*money) && is_active(id)).map(|(id, _)| id).collect()
    }
}

/// The sentence that says why nothing of a mission with `money` begins; none if something is left.
pub(crate) fn told_if_spent(money: Money) -> Option<String> {
    is_spent(money).then(|| words(money))
}

fn is_spent(money: Money) -> bool {
    money.is_none_or(|row| row.is_spent())
}

/// The state of a spent budget, and what a person can do about it.
fn words(money: Money) -> String {
    let Some(row) = money else { return "What it has spent on models cannot be read.".to_owned() };
    let (spent, limit) = (usd(row.spent_microusd), usd(row.limit_microusd.unwrap_or_default()));
    let unknown = match row.unknown_calls {
        0 => String::new(),
        1 => ", and one more call has no known price".to_owned(),
        calls => format!(", and {calls} more calls have no known price"),
    };
    format!("It has spent {spent} of its {limit} USD on models{unknown}. It goes on once a person adds to its budget.")
}

/// An amount with as many digits as it takes, at least two.
fn usd(microusd: i64) -> String {
    #[expect(clippy::cast_precision_loss, reason = "an amount for people")]
    let exact = format!("{:.6}", microusd as f64 / MICROUSD_IN_USD);
    let kept = exact.trim_end_matches('0');
    let decimals = kept.rsplit_once('.').map_or(0, |(_, decimals)| decimals.len());
    format!("{kept}{}", "0".repeat(2_usize.saturating_sub(decimals)))
}

#[cfg(test)]
mod tests {
    use runtime::wire::BudgetRow;

    use super::*;

    fn row(spent_microusd: i64, limit_microusd: i64) -> BudgetRow {
        BudgetRow { spent_microusd, unknown_calls: 0, limit_microusd: Some(limit_microusd) }
    }

    #[test]
    fn k_03_a_budget_is_spent_with_its_last_cent_and_one_that_cannot_be_read_counts_as_spent() {
        assert!(!is_spent(Some(row(1_999_999, 2_000_000))));
        assert!(is_spent(Some(row(2_000_000, 2_000_000))));
        assert!(is_spent(None));
        assert!(!is_spent(Some(BudgetRow { limit_microusd: None, ..row(5, 0) })));
    }

    #[test]
    fn ml_30_a_spent_budget_is_told_with_its_numbers() {
        let told = words(Some(BudgetRow { unknown_calls: 2, ..row(2_000_450, 2_000_000) }));
        assert_eq!(
            told,
            "It has spent 2.00045 of its 2.00 USD on models, and 2 more calls have no known price. It goes on once a person \
             adds to its budget."
        );
        assert_eq!((usd(0), usd(100), usd(12_500_000)), ("0.00".into(), "0.0001".into(), "12.50".into()));
    }
}
