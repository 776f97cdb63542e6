use proptest::prelude::*;

use super::*;

const MANIFEST: &str = "id = \"rover-9\"\n";

fn gate() -> Pairing {
    Pairing::begin(Arc::new(SigningKey::generate().unwrap()), Introduction::Gate { manifest: MANIFEST.to_owned() })
        .unwrap()
}

fn station() -> Pairing {
    let station = StationId::new("st-1").unwrap();
    Pairing::begin(Arc::new(SigningKey::generate().unwrap()), Introduction::Station { station }).unwrap()
}

/// Each hears what the other puts, as often as it takes.
fn talk(gate: &mut Pairing, station: &mut Pairing) {
    for _ in 0..4 {
        station.hear(carried(&gate.message())).unwrap();
        gate.hear(carried(&station.message())).unwrap();
    }
}

fn carried(message: &PairMessage) -> PairMessage {
    PairMessage::parse(&message.encode().unwrap()).unwrap()
}

#[test]
fn rg_34_both_show_the_same_digits_and_take_up_the_key_only_after_both_persons_have_confirmed() {
    let (mut gate, mut station) = (gate(), station());
    assert_eq!((gate.digits(), station.digits()), (None, None));
    gate.confirm();
    assert!(!gate.is_confirmed(), "nobody can confirm digits that are not there");
    talk(&mut gate, &mut station);
    let digits = gate.digits().unwrap();
    assert_eq!(station.digits().unwrap(), digits);
    assert!(digits.len() == 6 && digits.bytes().all(|digit| digit.is_ascii_digit()), "{digits}");

    gate.confirm();
    talk(&mut gate, &mut station);
    assert_eq!((gate.agreed(), station.agreed()), (None, None));
    station.confirm();
    talk(&mut gate, &mut station);
    assert_eq!(gate.agreed().unwrap().public_key, station.key.public());
    let agreed = station.agreed().unwrap();
    assert_eq!(agreed.public_key, gate.key.public());
    assert_eq!(agreed.introduction, Introduction::Gate { manifest: MANIFEST.to_owned() });

    assert!(!gate.other_is_done());
    station.take_up();
    talk(&mut gate, &mut station);
    assert!(gate.other_is_done() && !station.other_is_done());
}

#[test]
fn rg_34_nothing_is_revealed_before_the_other_has_promised() {
    let (gate, mut station) = (gate(), station());
    assert_eq!(gate.message().revealed, None);
    station.hear(carried(&gate.message())).unwrap();
    assert!(station.message().revealed.is_some());
    assert!(station.peer().is_none());
}

#[test]
fn rg_34_a_stranger_in_between_makes_other_digits() {
    let (mut gate, mut station) = (gate(), station());
    let (mut to_gate, mut to_station) = (self::station(), self::gate());
    talk(&mut gate, &mut to_gate);
    talk(&mut to_station, &mut station);
    assert_ne!(gate.digits().unwrap(), station.digits().unwrap());
}

#[test]
fn rg_34_who_speaks_second_or_reveals_something_else_ends_the_pairing() {
    let (mut gate, mut station) = (gate(), station());
    station.hear(gate.message()).unwrap();
    assert_eq!(station.hear(self::gate().message()), Err(PairFault::AnotherSpeaks));

    gate.hear(station.message()).unwrap();
    let mut looser = gate.message();
    if let Some(Revealed { introduction: Introduction::Gate { manifest }, .. }) = &mut looser.revealed {
        manifest.push_str("speed = 9\n");
    }
    assert_eq!(station.hear(looser), Err(PairFault::NotAsPromised));
    assert_eq!(station.digits(), None);
}

#[test]
fn rg_34_a_side_whose_person_ends_the_pairing_ends_it_at_the_other_too() {
    let (mut gate, mut station) = (gate(), station());
    talk(&mut gate, &mut station);
    station.confirm();
    assert_eq!(station.hear(carried(&gate.farewell())), Err(PairFault::GivenUp));
    assert_eq!(station.agreed(), None);
}

#[test]
fn rg_34_a_side_cannot_be_answered_with_its_own_words() {
    let mut gate = gate();
    gate.hear(gate.message()).unwrap();
    assert_eq!(gate.hear(gate.message()), Err(PairFault::NotAsPromised));
}

#[test]
fn rg_34_a_confirmation_under_another_key_or_of_another_pairing_is_refused() {
    let (mut gate, mut station) = (gate(), station());
    talk(&mut gate, &mut station);
    let (mut other_gate, mut other_station) = (self::gate(), self::station());
    talk(&mut other_gate, &mut other_station);
    other_gate.confirm();
    for confirmation in [other_gate.message().confirmation, Some("AAAA".to_owned()), Some(String::new())] {
        let message = PairMessage { confirmation, ..gate.message() };
        assert_eq!(station.hear(message), Err(PairFault::BadConfirmation));
    }
    assert_eq!(station.agreed(), None);
}

proptest! {
    #[test]
    fn rg_34_no_bytes_are_taken_for_a_message_that_agrees(bytes in prop::collection::vec(any::<u8>(), 0..256)) {
        let mut gate = gate();
        if let Ok(message) = PairMessage::parse(&bytes) {
            let _ = gate.hear(message);
        }
        prop_assert!(gate.agreed().is_none());
    }
}
