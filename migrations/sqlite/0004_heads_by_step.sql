-- Every commit and every removal asks which memory an entry is the text of; without an index that reads the
-- whole table. (The lineage has both of its directions already: its key, and `step_inputs_by_input`.)

CREATE INDEX memories_by_step ON memories (step_id);
