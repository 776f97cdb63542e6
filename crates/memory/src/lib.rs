//! Persistence: the station database, the agent database and transcripts; owns migrations.
