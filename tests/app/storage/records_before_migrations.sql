-- The audit: each turn as it was answered, with what it cited.
CREATE TABLE IF NOT EXISTS turns (
    number INTEGER PRIMARY KEY, turn_id TEXT UNIQUE NOT NULL, thread_id TEXT NOT NULL, at TEXT NOT NULL,
    query TEXT NOT NULL, outcome TEXT NOT NULL, turn TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS turns_by_thread ON turns (thread_id, number);
CREATE INDEX IF NOT EXISTS turns_by_time ON turns (at);
CREATE TABLE IF NOT EXISTS sources (
    generation TEXT NOT NULL, evidence_id TEXT NOT NULL, evidence TEXT NOT NULL,
    PRIMARY KEY (generation, evidence_id));
CREATE TABLE IF NOT EXISTS dropped (turn_id TEXT NOT NULL, sentence TEXT NOT NULL, verdict TEXT);
CREATE TABLE IF NOT EXISTS gaps (
    turn_id TEXT NOT NULL, at TEXT NOT NULL, question TEXT NOT NULL, product_id TEXT);
CREATE TABLE IF NOT EXISTS tickets (
    ticket_id TEXT PRIMARY KEY, at TEXT NOT NULL, reason TEXT NOT NULL, team TEXT NOT NULL, summary TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS feedback (turn_id TEXT PRIMARY KEY, at TEXT NOT NULL, thumb TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS owners (thread_id TEXT PRIMARY KEY, owner TEXT NOT NULL, at TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS owners_by_owner ON owners (owner);
CREATE TABLE IF NOT EXISTS cited (
    turn_id TEXT NOT NULL, generation TEXT NOT NULL, evidence_id TEXT NOT NULL,
    PRIMARY KEY (turn_id, generation, evidence_id)) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS cited_by_source ON cited (evidence_id, generation);
-- A question stands in `begun` until its turn stands in `turns`; one that was interrupted stays, without a process.
CREATE TABLE IF NOT EXISTS begun (
    turn_id TEXT PRIMARY KEY, thread_id TEXT NOT NULL, at TEXT NOT NULL, query TEXT NOT NULL,
    after_turn TEXT, process TEXT);
CREATE INDEX IF NOT EXISTS begun_by_thread ON begun (thread_id);
CREATE TRIGGER IF NOT EXISTS turn_is_over AFTER INSERT ON turns
    BEGIN DELETE FROM begun WHERE turn_id = NEW.turn_id; END;
-- What goes, goes with all that belongs to it alone.
CREATE INDEX IF NOT EXISTS gaps_by_turn ON gaps (turn_id);
CREATE INDEX IF NOT EXISTS dropped_by_turn ON dropped (turn_id);
CREATE TRIGGER IF NOT EXISTS conversation_goes AFTER DELETE ON owners BEGIN
    DELETE FROM turns WHERE thread_id = OLD.thread_id;
    DELETE FROM begun WHERE thread_id = OLD.thread_id;
END;
CREATE TRIGGER IF NOT EXISTS turn_goes AFTER DELETE ON turns BEGIN
    DELETE FROM tickets WHERE ticket_id = json_extract(OLD.turn, '$.escalation.ticket_id');
    DELETE FROM gaps WHERE turn_id = OLD.turn_id;
    DELETE FROM dropped WHERE turn_id = OLD.turn_id;
    DELETE FROM feedback WHERE turn_id = OLD.turn_id;
    DELETE FROM sources WHERE (generation, evidence_id) IN
        (SELECT generation, evidence_id FROM cited WHERE turn_id = OLD.turn_id AND NOT EXISTS
            (SELECT 1 FROM cited other WHERE other.evidence_id = cited.evidence_id
             AND other.generation = cited.generation AND other.turn_id <> OLD.turn_id));
    DELETE FROM cited WHERE turn_id = OLD.turn_id;
END;
