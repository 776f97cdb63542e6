//! Judges a command against limits and state; the only place that makes an Approved command; pure and total.
