use super::*;
use crate::adapters::exec::process;

#[test]
fn rg_10_rg_52_a_program_that_has_ended_is_started_again_and_is_sent_the_stop_and_no_motion_of_before() {
    let (mouth, said) = sync_channel(1);
    let (next_mouth, next_said) = sync_channel(16);
    let (written, next_written) = (Arc::<Written>::default(), Arc::<Written>::default());
    let mut program = Program::over(Mouth { said, rest: Vec::new() }, Pen(Arc::clone(&written)));
    let mut nexts = vec![(next_said, Arc::clone(&next_written))];
    program.again = Some(Box::new(move || {
        let (said, written) = nexts.pop().ok_or(io::ErrorKind::NotFound)?;
        Ok(Program::over(Mouth { said, rest: Vec::new() }, Pen(written)))
    }));
    let mut adapter = ExecAdapter::open(program, wiring(), "map".parse().unwrap(), &stopped()).unwrap();
    mouth.send(b"{\"foreign\":\"joystick\"}\n{\"local\":true}\n".to_vec()).unwrap();
    until(|| adapter.poll(at(1_000)).foreign.is_some());
    drop(mouth);
    until(|| adapter.poll(at(1_000)).faults.contains(&GateFault::Ended));
    assert_eq!(adapter.motion.begin(|_| unreachable!()), None, "nothing waits for a program that is gone");
    adapter.stop(StopKind::Stop, 1, at(1_000));
    until(|| {
        adapter.motion.stop(1);
        !next_written.bytes.lock().unwrap().is_empty()
    });
    let stop = next_written.until(|line| line.get("stop").is_some());
    assert!(stop.iter().all(|line| line.get("move").is_none()), "{stop:?}");
    let now = adapter.poll(at(12_000));
    assert_eq!((now.foreign, now.local), (None, Some(false)), "it has said nothing of others yet");
    assert!(now.faults.contains(&GateFault::Silent), "ten seconds to its first line");
    next_mouth.send(b"{\"ack\":1}\n".to_vec()).unwrap();
    until(|| adapter.watcher.heard.waiting() > 0);
    adapter.poll(at(12_000));
    assert_eq!(adapter.stop(StopKind::Stop, 1, at(12_000)), StopEvidence::RobotAnswered);
    assert!(adapter.motion.begin(|_| String::new()).is_some());
}

#[test]
fn rg_10_rg_52_a_program_that_runs_on_without_its_output_is_not_joined_by_a_second() {
    let mut starts = 0;
    let program = Program::start(Path::new("sleep"), &["60".to_owned()], Path::new(".")).unwrap();
    let owned = process::Owned::new(program.process);
    let running = owned.running();
    let mut replaced = || {
        running.replace(|| {
            starts += 1;
            Program::start(Path::new("true"), &[], Path::new("."))
        })
    };
    assert!(replaced().unwrap().is_none());
    assert!(!owned.has_ended());
    drop(owned);
    assert!(replaced().unwrap().is_none(), "its owner is gone");
    assert_eq!(starts, 0);
}

fn shell(script: &str) -> Program {
    Program::start(Path::new("sh"), &["-c".to_owned(), script.to_owned()], Path::new(".")).unwrap()
}

#[test]
fn rg_10_rg_52_the_end_of_a_program_ends_what_it_has_started_too() {
    let Program { mut output, input, process, .. } = shell("sleep 600 & exec sleep 600");
    let (tell, ended) = sync_channel(1);
    std::thread::spawn(move || tell.send(output.read_to_end(&mut Vec::new()).is_ok()));
    drop(input);
    drop(process::Owned::new(process));
    assert_eq!(ended.recv_timeout(DEADLINE), Ok(true), "nobody is left who could write");
}

#[test]
fn rg_52_the_end_of_a_program_is_a_fault_although_something_that_it_has_started_holds_its_output() {
    let program = shell("sleep 600 & exit 0");
    let mut adapter = ExecAdapter::open(program, wiring(), "map".parse().unwrap(), &stopped()).unwrap();
    // A tick that nobody takes would be a fault of its own.
    adapter.watcher.mute = true;
    until(|| adapter.poll(at(1_000)).faults.contains(&GateFault::Ended));
    assert_eq!(adapter.poll(at(1_999)).faults, [], "what is left hears the stop first");
    until(|| adapter.poll(at(2_000)).faults.contains(&GateFault::Ended));
    assert_eq!(adapter.motion.begin(|_| unreachable!()), None, "its output has ended");
}
