//! The turn loop as a sans-IO state machine, transcript, policy, context view, tool traits.
