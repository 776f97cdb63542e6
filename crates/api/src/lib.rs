//! The wire contract of the operation table: calls, errors, event frames, TypeScript bindings.
