//! The log of a host: a thread of its own writes it to standard error. Whoever logs waits for nobody, the thread of stops
//! least of all: a terminal that is held, or a pipe that nobody reads, costs lines and no time.

use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::Duration;

use tracing_subscriber::EnvFilter;
use tracing_subscriber::fmt::MakeWriter;

/// Lines that may wait to be written.
const LINES_MAX: usize = 4_096;
/// Time for the last of them at the end of the process.
const LAST_WAIT: Duration = Duration::from_secs(1);

static LOG: OnceLock<Lines> = OnceLock::new();

enum Part {
    Line(Vec<u8>),
    /// Answered once everything before it is written.
    Written(SyncSender<()>),
}

/// Takes lines, and drops those for which there is no room.
#[derive(Clone)]
struct Lines {
    waiting: SyncSender<Part>,
    dropped: Arc<AtomicU64>,
}

impl Lines {
    fn new(most: usize) -> (Self, Receiver<Part>) {
        let (waiting, parts) = sync_channel(most);
        (Self { waiting, dropped: Arc::default() }, parts)
    }
}

impl Write for Lines {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        if self.waiting.try_send(Part::Line(line.to_vec())).is_err() {
            self.dropped.fetch_add(1, Ordering::Relaxed);
        }
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<'a> MakeWriter<'a> for Lines {
    type Writer = Self;

    fn make_writer(&'a self) -> Self {
        self.clone()
    }
}

/// Starts the log of this process, as `RUST_LOG` wants it.
///
/// # Errors
/// The system gives no thread.
pub fn start_log() -> io::Result<()> {
    let (lines, parts) = Lines::new(LINES_MAX);
    let dropped = Arc::clone(&lines.dropped);
    thread::Builder::new().name("log".to_owned()).spawn(move || write_out(&parts, &dropped, &mut io::stderr()))?;
    let lines = LOG.get_or_init(|| lines).clone();
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| "info,zenoh=error".into());
    let ansi = io::stderr().is_terminal();
    tracing_subscriber::fmt().with_env_filter(filter).with_ansi(ansi).with_writer(lines).init();
    Ok(())
}

/// Waits a moment until what was logged is written: the process ends.
pub fn end_log() {
    let Some(lines) = LOG.get() else { return };
    let (written, is_written) = sync_channel(1);
    if lines.waiting.try_send(Part::Written(written)).is_ok() {
        // A reader that has not read for so long will not read the end either.
        let _ = is_written.recv_timeout(LAST_WAIT);
    }
}

fn write_out(parts: &Receiver<Part>, dropped: &AtomicU64, out: &mut impl Write) {
    for part in parts {
        let count = dropped.swap(0, Ordering::Relaxed);
        if count > 0 {
            // There is nobody left to tell of an output that is closed.
            let _ = writeln!(out, "{count} lines of the log were dropped: nobody read them in time.");
        }
        match part {
            Part::Line(line) => {
                let _ = out.write_all(&line);
            }
            Part::Written(written) => {
                let _ = out.flush();
                let _ = written.try_send(());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_logs_waits_for_no_reader_and_what_is_dropped_is_counted() {
        let (lines, parts) = Lines::new(2);
        for number in 1..=5 {
            lines.make_writer().write_all(format!("{number}\n").as_bytes()).unwrap();
        }
        let (dropped, mut out) = (Arc::clone(&lines.dropped), Vec::new());
        drop(lines);
        write_out(&parts, &dropped, &mut out);
        let written = String::from_utf8(out).unwrap();
        let written: Vec<&str> = written.lines().collect();
        assert_eq!(written, ["3 lines of the log were dropped: nobody read them in time.", "1", "2"]);
    }

    #[test]
    fn a_line_is_written_before_the_end_that_was_waited_for_after_it() {
        let (lines, parts) = Lines::new(2);
        let (written, is_written) = sync_channel(1);
        lines.make_writer().write_all(b"the last\n").unwrap();
        lines.waiting.try_send(Part::Written(written)).ok().unwrap();
        let mut out = Vec::new();
        drop(lines);
        write_out(&parts, &AtomicU64::new(0), &mut out);
        assert_eq!(out, b"the last\n");
        is_written.try_recv().unwrap();
    }
}
