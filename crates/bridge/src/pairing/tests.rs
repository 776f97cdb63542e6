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

mod sealed {
    use secrecy::ExposeSecret as _;

    use super::*;

    fn gate() -> Pairing {
        let introduction = Introduction::Gate { manifest: MANIFEST.to_owned() };
        Pairing::begin_sealed(Arc::new(SigningKey::generate().unwrap()), introduction).unwrap()
    }

    fn station() -> Pairing {
        let introduction = Introduction::Station { station: StationId::new("st-1").unwrap() };
        Pairing::begin_sealed(Arc::new(SigningKey::generate().unwrap()), introduction).unwrap()
    }

    fn rover() -> RobotId {
        RobotId::new("rover-9").unwrap()
    }

    fn bundle() -> RobotBundle {
        RobotBundle {
            robot: rover(),
            router: "tls/router.lab:7447".to_owned(),
            authority: "authority".to_owned(),
            certificate: "certificate".to_owned(),
            key: "the robot's key".into(),
        }
    }

    /// Both sides after both persons have confirmed, with the bundle on its way.
    fn handed_over(bundle: &RobotBundle) -> (Pairing, Pairing) {
        let (mut gate, mut station) = (gate(), station());
        talk(&mut gate, &mut station);
        assert_eq!(gate.digits().unwrap(), station.digits().unwrap());
        gate.confirm();
        station.confirm();
        talk(&mut gate, &mut station);
        station.hand_over(bundle).unwrap();
        talk(&mut gate, &mut station);
        (gate, station)
    }

    #[test]
    fn rg_36_the_gate_gets_its_credentials_once_both_persons_have_confirmed_and_only_it_can_read_them() {
        let (gate, station) = handed_over(&bundle());
        let opened = gate.bundle(&rover()).unwrap().unwrap();
        assert_eq!(opened.key.expose_secret(), "the robot's key");
        assert_eq!((opened.robot, opened.router), (rover(), "tls/router.lab:7447".to_owned()));
        let sent = station.message();
        let read = BASE64.decode(sent.sealed.clone().unwrap()).unwrap();
        let holds = |bytes: &[u8], word: &str| bytes.windows(word.len()).any(|part| part == word.as_bytes());
        assert!(!holds(&sent.encode().unwrap(), "robot's key") && !holds(&read, "robot's key"));
        assert!(!format!("{:?}", bundle()).contains("robot's key"));
    }

    #[test]
    fn rg_36_without_the_word_of_either_person_nothing_is_sealed() {
        for gate_confirms in [true, false] {
            let (mut gate, mut station) = (gate(), station());
            talk(&mut gate, &mut station);
            if gate_confirms {
                gate.confirm()
            } else {
                station.confirm()
            }
            talk(&mut gate, &mut station);
            station.hand_over(&bundle()).unwrap();
            assert!(!station.has_handed_over() && station.message().sealed.is_none());
            talk(&mut gate, &mut station);
            assert!(gate.bundle(&rover()).unwrap().is_none());
        }
    }

    #[test]
    fn rg_36_one_key_seals_one_bundle() {
        let (_, mut station) = handed_over(&bundle());
        let first = station.message().sealed;
        let other = RobotBundle { certificate: "another".to_owned(), ..bundle() };
        station.hand_over(&other).unwrap();
        assert_eq!(station.message().sealed, first);
    }

    #[test]
    fn rg_36_a_stranger_in_between_makes_other_digits_and_cannot_open_what_is_sealed() {
        let (mut gate, mut station) = (gate(), station());
        let (mut to_gate, mut to_station) = (self::station(), self::gate());
        talk(&mut gate, &mut to_gate);
        talk(&mut to_station, &mut station);
        assert_ne!(gate.digits().unwrap(), station.digits().unwrap());

        // The key for what is sealed is covered too, though nothing is signed with it.
        let (mut gate, mut station) = (self::gate(), self::station());
        station.hear(gate.message()).unwrap();
        gate.hear(station.message()).unwrap();
        let mut posing = gate.message();
        posing.revealed.as_mut().unwrap().seal_key = self::gate().own.seal_key;
        assert_eq!(station.hear(posing), Err(PairFault::NotAsPromised));
    }

    #[test]
    fn rg_36_a_bundle_of_an_earlier_pairing_or_of_another_robot_is_refused() {
        let (earlier, _) = handed_over(&bundle());
        let Theirs::Revealed(known) = &earlier.theirs else { panic!("it was revealed") };
        let (mut gate, station) = handed_over(&bundle());
        gate.hear(PairMessage { sealed: known.sealed.clone(), ..station.message() }).unwrap();
        assert_eq!(gate.bundle(&rover()).unwrap_err(), PairFault::BadBundle);

        let other = RobotBundle { robot: RobotId::new("arm-1").unwrap(), ..bundle() };
        assert_eq!(handed_over(&other).0.bundle(&rover()).unwrap_err(), PairFault::OtherRobot);
        let elsewhere = RobotBundle { router: "tcp/192.168.7.9:7447".to_owned(), ..bundle() };
        assert_eq!(handed_over(&elsewhere).0.bundle(&rover()).unwrap_err(), PairFault::BadBundle);
    }

    #[test]
    fn rg_36_messages_of_an_earlier_pairing_begin_none() {
        let (earlier_gate, _) = handed_over(&bundle());
        let (mut gate, mut station) = (gate(), station());
        station.hear(earlier_gate.message()).unwrap();
        gate.hear(station.message()).unwrap();
        assert_eq!(station.hear(gate.message()), Err(PairFault::AnotherSpeaks));
        // A gate that is played again says what it said, and signs another exchange.
        let mut station = self::station();
        station.hear(earlier_gate.message()).unwrap();
        assert_eq!(station.hear(earlier_gate.message()), Err(PairFault::BadConfirmation));
    }

    #[test]
    fn rg_36_a_gate_on_the_stations_computer_and_a_station_behind_a_router_do_not_pair() {
        let (mut here, mut beyond) = (super::gate(), station());
        beyond.hear(carried(&here.message())).unwrap();
        here.hear(carried(&beyond.message())).unwrap();
        assert_eq!(beyond.hear(carried(&here.message())), Err(PairFault::OtherProfile));
        assert_eq!(here.hear(carried(&beyond.message())), Err(PairFault::OtherProfile));
    }

    #[test]
    fn rg_36_a_bundle_becomes_the_files_of_an_exported_one() {
        let files = bundle().files();
        let names: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["ca.pem", "certificate.pem", "key.pem", "zenoh.json5"]);
        let config = String::from_utf8(files[3].1.clone()).unwrap();
        assert!(config.contains("tls/router.lab:7447") && config.contains("key.pem"), "{config}");
    }
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
