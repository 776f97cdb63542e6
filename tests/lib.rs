//! Shared parts of the scenarios.
