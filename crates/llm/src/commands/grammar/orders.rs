//! Commands to one robot: motions and stops.

use super::{Command, Complaint, Direction, Order, StopTarget, word};
use crate::commands::words::{ANGLE, DEGREE, FORCE, LENGTH, SPEED, Words, metres};

fn robot(words: &mut Words) -> Result<String, Complaint> {
    word(words).ok_or_else(|| Complaint::Expected("a robot".to_owned()))
}

pub(super) fn dry_run(words: &mut Words) -> Result<Command, Complaint> {
    if words.take_phrase("move") || words.take_phrase("drive") {
        return movement(words, true);
    }
    if words.take_phrase("turn") {
        return turn(words, true);
    }
    Err(Complaint::Expected("move".to_owned()))
}

pub(super) fn movement(words: &mut Words, dry: bool) -> Result<Command, Complaint> {
    let robot = robot(words)?;
    let order = if words.take_phrase("to") { place(words)? } else { step(words)? };
    Ok(Command::Motion { robot, order, dry })
}

fn place(words: &mut Words) -> Result<Order, Complaint> {
    let x = words.quantity("x", LENGTH)?;
    let y = words.quantity("y", LENGTH)?;
    // A base moves on the floor and is given no height.
    let z = words.has_number().then(|| words.quantity("z", LENGTH)).transpose()?;
    let (x_m, y_m, z_m) = match z {
        Some(z) => metres([x, y, z]).map(|[x_m, y_m, z_m]| (x_m, y_m, Some(z_m)))?,
        None => metres([x, y]).map(|[x_m, y_m]| (x_m, y_m, None))?,
    };
    let (mut frame, mut speed_mps) = (None, None);
    loop {
        if frame.is_none() && words.take_phrase("in") {
            frame = Some(word(words).ok_or_else(|| Complaint::Expected("a frame".to_owned()))?);
        } else if speed_mps.is_none() && words.take_phrase("at") {
            speed_mps = Some(words.quantity("a speed", SPEED)?.si(None));
        } else {
            return Ok(Order::To { x_m, y_m, z_m, frame, speed_mps });
        }
    }
}

fn step(words: &mut Words) -> Result<Order, Complaint> {
    const DIRECTIONS: [(&str, Direction); 8] = [
        ("forward", Direction::Forward),
        ("forwards", Direction::Forward),
        ("back", Direction::Back),
        ("backwards", Direction::Back),
        ("left", Direction::Left),
        ("right", Direction::Right),
        ("up", Direction::Up),
        ("down", Direction::Down),
    ];
    let Some((_, direction)) = DIRECTIONS.into_iter().find(|(name, _)| words.take_phrase(name)) else {
        return Err(Complaint::Expected("to, forward, back, left, right, up or down".to_owned()));
    };
    let distance_m = words.quantity("a distance", LENGTH)?.si(None);
    let speed_mps = words.take_phrase("at").then(|| words.quantity("a speed", SPEED)).transpose()?;
    Ok(Order::By { direction, distance_m, speed_mps: speed_mps.map(|speed| speed.si(None)) })
}

pub(super) fn turn(words: &mut Words, dry: bool) -> Result<Command, Complaint> {
    let robot = robot(words)?;
    let side = match (words.take_phrase("left"), words.take_phrase("right")) {
        (true, _) => 1.0,
        (false, true) => -1.0,
        (false, false) => return Err(Complaint::Expected("left or right".to_owned())),
    };
    // People say angles in degrees, and nobody turns a robot by 90 radians.
    let angle_rad = words.quantity("an angle", ANGLE)?.si(Some(DEGREE));
    Ok(Command::Motion { robot, order: Order::Turn { left_rad: side * angle_rad }, dry })
}

pub(super) fn grip(words: &mut Words) -> Result<Command, Complaint> {
    let robot = robot(words)?;
    let force = words.take_phrase("at").then(|| words.quantity("a force", FORCE)).transpose()?;
    Ok(Command::Motion { robot, order: Order::Grip { force_n: force.map(|force| force.si(None)) }, dry: false })
}

pub(super) fn open(words: &mut Words) -> Result<Command, Complaint> {
    let robot = robot(words)?;
    let opening = words.take_phrase("to").then(|| words.quantity("a distance", LENGTH)).transpose()?;
    Ok(Command::Motion { robot, order: Order::Open { opening_m: opening.map(|opening| opening.si(None)) }, dry: false })
}

pub(super) fn stop_target(words: &mut Words) -> StopTarget {
    let mut named = Vec::new();
    while let Some(word) = words.take() {
        named.push(word);
    }
    match named.as_slice() {
        [] => StopTarget::All,
        [word] if word.eq_ignore_ascii_case("all") => StopTarget::All,
        [word] => StopTarget::Robot((*word).to_owned()),
        // Several words may be a sentence; it is searched as a whole for the robots that it names.
        several => StopTarget::Unclear(several.join(" ")),
    }
}
