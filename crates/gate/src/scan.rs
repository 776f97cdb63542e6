//! `scan`: robots in the reach of this computer, without anything that could move one.
//!
//! A domain of ROS 2 is joined by a participant that publishes nothing, serves nothing, and calls nothing but the
//! services by which nodes tell their parameters ([`dds`]); a Zenoh router is asked for its tokens of liveliness
//! ([`zenoh`]). Both fill a [`Seen`], which is plain data; [`robots`] tells robots apart in it, [`fields`] proposes
//! the fields of a manifest. Another protocol is a module beside these two that makes [`Find`]s.
//!
//! Everything that is seen was written by strangers: names that ROS 2 does not allow are left out, and every list has
//! a bound.

#[cfg(feature = "ros2")]
mod dds;
#[cfg(feature = "ros2")]
mod description;
#[cfg(feature = "ros2")]
mod fields;
#[cfg(feature = "ros2")]
mod group;
#[cfg(feature = "ros2")]
mod motion;
#[cfg(feature = "ros2")]
mod parameters;
#[cfg(feature = "ros2")]
mod pictures;
#[cfg(feature = "ros2")]
mod proposal;
#[cfg(feature = "ros2")]
mod robots;
#[cfg(feature = "ros2")]
mod seen;
#[cfg(test)]
#[cfg(feature = "ros2")]
mod tests;
#[cfg(feature = "ros2")]
mod zenoh;

#[cfg(feature = "ros2")]
use std::sync::Arc;
#[cfg(feature = "ros2")]
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

#[cfg(feature = "ros2")]
use robot::FindProtocol;
use robot::{FINDS_MAX, Find, SCAN_REPORT_BYTES_MAX, ScanReport};

use crate::code::GateCode;
use crate::error::GateError;

/// Domains whose ports lie below those that the system hands out itself.
const DOMAIN_MAX: u16 = 101;
/// Domains of one scan: each is a participant with threads of its own.
const DOMAINS_MAX: usize = 8;
/// Routers of one scan.
const ROUTERS_MAX: usize = 8;
/// Legal lengths of a scan, seconds.
const SECONDS: std::ops::RangeInclusive<u16> = 2..=60;

/// Places to look at, and for how long.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScanPlan {
    /// Domains of ROS 2 over DDS.
    pub domains: Vec<u16>,
    /// Endpoints of Zenoh routers, for example `tcp/192.168.1.5:7447`.
    pub routers: Vec<String>,
    /// Length of the scan, seconds.
    pub seconds: u16,
}

impl ScanPlan {
    fn check(&self) -> Result<(), GateError> {
        let bad = |message: String| Err(GateError::new(GateCode::BadScan, message));
        if let Some(domain) = self.domains.iter().find(|domain| **domain > DOMAIN_MAX) {
            return bad(format!("domain {domain} is above {DOMAIN_MAX}"));
        }
        if self.domains.len() > DOMAINS_MAX || self.routers.len() > ROUTERS_MAX {
            return bad(format!("at most {DOMAINS_MAX} domains and {ROUTERS_MAX} routers"));
        }
        if self.domains.is_empty() && self.routers.is_empty() {
            return bad("nothing to look at: name a domain or a router".to_owned());
        }
        if !SECONDS.contains(&self.seconds) {
            return bad(format!("{} to {} seconds", SECONDS.start(), SECONDS.end()));
        }
        Ok(())
    }
}

/// Looks at every place of `plan` at the same time.
///
/// # Errors
/// The plan cannot be carried out. A place that cannot be looked at is no error: the report says so.
pub async fn scan(plan: &ScanPlan) -> Result<ScanReport, GateError> {
    plan.check()?;
    let within = Duration::from_secs(plan.seconds.into());
    #[cfg(feature = "ros2")]
    let finds = look(plan, within).await;
    #[cfg(not(feature = "ros2"))]
    let finds = {
        let _ = within;
        ScanReport::default()
    };
    Ok(bounded(finds))
}

#[cfg(feature = "ros2")]
async fn look(plan: &ScanPlan, within: Duration) -> ScanReport {
    use robot::ScannedPlace;
    let ended = Ended::default();
    let mut looks = tokio::task::JoinSet::new();
    for domain in plan.domains.clone() {
        let ended = Arc::clone(&ended.0);
        looks.spawn(async move {
            // A look at a domain blocks its thread for the length of the scan.
            let seen = tokio::task::spawn_blocking(move || dds::look(domain, within, &ended)).await;
            let seen = seen.unwrap_or_else(|error| Err(error.to_string()));
            (FindProtocol::Ros2Dds, domain.to_string(), seen.map(|seen| vec![(domain, seen)]))
        });
    }
    for router in plan.routers.clone() {
        looks.spawn(async move {
            let seen = zenoh::look(&router, within).await;
            (FindProtocol::Ros2Zenoh, router, seen)
        });
    }
    let mut report = ScanReport::default();
    while let Some(looked) = looks.join_next().await {
        // A look that has panicked must not cost the finds of the others.
        let Ok((protocol, address, seen)) = looked else { continue };
        match seen {
            Ok(domains) => {
                for (domain, seen) in domains {
                    let at = seen::GraphPlace { protocol, address: address.clone(), domain };
                    report.finds.extend(robots::finds(&seen, &at));
                }
                report.places.push(ScannedPlace { protocol, address, problem: None });
            }
            Err(problem) => report.places.push(ScannedPlace { protocol, address, problem: Some(problem) }),
        }
    }
    report.places.sort_by(|a, b| (a.protocol, &a.address).cmp(&(b.protocol, &b.address)));
    report
}

/// Ends the threads of a scan that nobody waits for any more.
#[cfg(feature = "ros2")]
#[derive(Default)]
struct Ended(Arc<AtomicBool>);

#[cfg(feature = "ros2")]
impl Drop for Ended {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Release);
    }
}

/// The most certain finds that fit into a report.
fn bounded(mut report: ScanReport) -> ScanReport {
    report.finds.sort_by(|a: &Find, b: &Find| (a.certainty, &a.id).cmp(&(b.certainty, &b.id)));
    let found = report.finds.len();
    report.finds.truncate(FINDS_MAX);
    // A report that does not fit is refused by the station as a whole.
    let is_long = |report: &ScanReport| serde_json::to_vec(report).map_or(0, |json| json.len()) > SCAN_REPORT_BYTES_MAX;
    // The list is sorted, so that the least certain find goes first.
    while is_long(&report) && report.finds.pop().is_some() {}
    report.finds_left_out = u32::try_from(found - report.finds.len()).unwrap_or(u32::MAX);
    report
}
