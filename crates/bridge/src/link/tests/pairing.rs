//! The session of a sealed pairing, and strangers that find it.

use super::*;
use crate::keys::{PairSide, pair_key};

/// Longer than any message of a pairing.
const GIANT: usize = 600 * 1024;

async fn waiting() -> Link {
    Link::open_for_pairing("127.0.0.1:0".parse().unwrap(), "lab", clock()).await.unwrap()
}

/// Puts until somebody hears it: the way has to be found first.
fn until_heard(heard: &Receiver<Sample>, put: impl Fn()) -> Sample {
    for _ in 0..400 {
        put();
        if let Ok(sample) = heard.recv_timeout(Duration::from_millis(50)) {
            return sample;
        }
    }
    panic!("nobody has heard it");
}

#[tokio::test(flavor = "multi_thread")]
async fn rg_36_the_session_of_a_pairing_carries_its_two_keys_and_nothing_else() {
    let station = waiting().await;
    let endpoint = station.endpoints().remove(0);
    let gate = Link::open_to_pairing(&endpoint, "lab", "rover-9", clock()).await.unwrap();
    let stranger = LinkConfig { connect: vec![endpoint], ..LinkConfig::default() };
    let stranger = Link::open(stranger, clock()).await.unwrap();
    let [of_gate, of_station] = [PairSide::Gate, PairSide::Station].map(|side| pair_key("lab", "rover-9", side));
    let (_everything, at_station) = listen(&station, "**").await;
    let (_gates, gates) = listen(&station, &pair_key("lab", "*", PairSide::Gate)).await;
    let (_own, at_gate) = listen(&gate, &of_station).await;
    let (_else, at_stranger) = listen(&stranger, "**").await;

    let from_gate = gate.sample_publisher(&of_gate, Codec::Json).unwrap();
    until_heard(&gates, || from_gate.put(b"\"gate\"".to_vec()).unwrap());
    let from_station = station.sample_publisher(&of_station, Codec::Json).unwrap();
    until_heard(&at_gate, || from_station.put(b"\"station\"".to_vec()).unwrap());
    assert!(at_stranger.try_recv().is_err(), "who asks for everything gets nothing");

    let put = |key: &str, payload: &[u8]| {
        let put = stranger.session.put(key, payload.to_vec());
        put.congestion_control(CongestionControl::Block).wait().unwrap();
    };
    let by_stranger = |sample: &Sample| sample.payload.as_ref() == b"\"stranger\"";
    put("lab/rover-9/cmd/stop", b"\"stranger\"");
    put(&of_station, b"\"stranger\"");
    put(&of_gate, &vec![b' '; GIANT]);
    until_heard(&at_station, || put("lab/pair/rover-8/gate", b"\"stranger\""));
    let mut heard = vec![];
    while let Ok(sample) = gates.try_recv() {
        heard.push(sample);
    }
    while let Ok(sample) = at_station.try_recv() {
        heard.push(sample);
    }
    assert!(heard.iter().all(|sample| sample.payload.len() < GIANT), "a giant came through");
    let strange = heard.iter().filter(|sample| by_stranger(sample)).map(|sample| sample.key_expr.as_ref());
    assert!(strange.clone().all(|key| key == "lab/pair/rover-8/gate"), "{:?}", strange.collect::<Vec<_>>());
    assert!(at_gate.try_iter().all(|sample| !by_stranger(&sample)), "the gate hears the station alone");
}

#[tokio::test(flavor = "multi_thread")]
async fn rg_36_a_pairing_waits_at_an_address_of_this_computer_that_is_free() {
    let station = waiting().await;
    let taken = station.endpoints().remove(0);
    let address = taken.strip_prefix("tcp/").unwrap().parse().unwrap();
    let refused = |address: SocketAddr| async move { Link::open_for_pairing(address, "lab", clock()).await.err() };
    assert!(matches!(refused(address).await, Some(BridgeError::Open { .. })));
    for address in ["0.0.0.0:7448", "[::]:7448", "224.0.0.1:7448"] {
        let refusal = refused(address.parse().unwrap()).await;
        assert!(matches!(refusal, Some(BridgeError::ConfigRefused { .. })), "{address}");
    }
    station.close().await;
    Link::open_for_pairing(address, "lab", clock()).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn rg_36_a_gate_looks_for_one_station_at_a_plain_endpoint() {
    for endpoint in ["tls/station.lab:7448", "tcp/station.lab", "tcp/:7448", "tcp/a:1#iface=lo", "udp/a:1", "a:1"] {
        let refusal = Link::open_to_pairing(endpoint, "lab", "rover-9", clock()).await.err();
        assert!(matches!(refusal, Some(BridgeError::ConfigRefused { .. })), "{endpoint}");
    }
}
