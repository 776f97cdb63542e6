-- The money of a mission is added up before each of its calls.
CREATE INDEX model_call_mission ON model_call (mission_id, cost_microusd, ended_ms) WHERE mission_id IS NOT NULL;
