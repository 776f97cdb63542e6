//! Mission files: parse and check; pure.
