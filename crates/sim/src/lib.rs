//! Simulated robots as a process of their own over real Zenoh; seeded; fault injection.
