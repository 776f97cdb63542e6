//! Alarms of certificates that end soon: a link closes with its certificate, and a robot without a link stops.

use std::sync::Arc;
use std::time::Duration;

use memory::StoredNetwork;
use world::alarm::{BuiltIn, Of};

use crate::network::days_left;
use crate::station::Station;

/// From then on a certificate is an alarm, days before its end.
const WARN_DAYS: i64 = 30;
/// From then on an urgent one.
const URGENT_DAYS: i64 = 3;
/// A look at the ends of all certificates.
const PERIOD: Duration = Duration::from_secs(60);

/// Looks now and then, until the station ends.
pub(super) fn start(station: &Arc<Station>) {
    let station = Arc::clone(station);
    station.runtime.tasks.clone().spawn(async move {
        let mut looks = tokio::time::interval(PERIOD);
        while station.runtime.ended.run_until_cancelled(looks.tick()).await.is_some() {
            look(&station).await;
        }
    });
}

async fn look(station: &Station) {
    let (stored, now_ms) = (station.network.stored().await, station.runtime.clock.now().wall_ms);
    for (name, left_days) in ends(&stored, now_ms) {
        let of = Of::station().item(name.clone()).urgent(left_days < URGENT_DAYS);
        station.sensing.alarms.set(BuiltIn::CertificateEnds, &of, left_days < WARN_DAYS, || match left_days {
            ..0 => format!("The certificate {name} has ended: its link is closed."),
            0 => format!("The certificate {name} ends within a day; its link closes then."),
            days => format!("The certificate {name} ends in {days} days; its link closes then."),
        });
    }
}

/// Names of certificates, and whole days until they end.
fn ends(stored: &StoredNetwork, now_ms: i64) -> Vec<(String, i64)> {
    let own = [&stored.authority, &stored.station, &stored.router].into_iter().flatten();
    let ends = own.chain(&stored.clients);
    ends.map(|certificate| (certificate.name.clone(), days_left(certificate, now_ms))).collect()
}

#[cfg(test)]
mod tests {
    use memory::StoredCertificate;

    use super::*;

    const DAY_MS: i64 = 24 * 60 * 60 * 1_000;

    #[test]
    fn att_15_days_until_an_end_are_whole_and_an_end_that_has_passed_is_below_zero() {
        let of = |name: &str, days: i64| StoredCertificate {
            name: name.into(),
            not_after_ms: days * DAY_MS,
            made_ms: 0,
            pem: None,
        };
        let stored = StoredNetwork {
            station: Some(of("station.lab", 40)),
            clients: vec![of("arm-1.lab", 11), of("rover-1.lab", 9)],
            ..StoredNetwork::default()
        };
        let ends = ends(&stored, 10 * DAY_MS + 1);
        let shown: Vec<(&str, i64)> = ends.iter().map(|(name, days)| (name.as_str(), *days)).collect();
        assert_eq!(shown, [("station.lab", 29), ("arm-1.lab", 0), ("rover-1.lab", -2)]);
    }
}
