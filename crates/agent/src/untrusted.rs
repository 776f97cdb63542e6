//! Untrusted text: marked, cleaned, and followed into what is written under it.

pub(crate) mod quote;
pub(crate) mod sanitise;
pub(crate) mod taint;
