-- The reason of a stop as a code with what it names, JSON. A stop that was kept before has its sentence alone.
ALTER TABLE latch ADD COLUMN reason_kind TEXT;
