-- The tutor: documents and profile of a learner, studies with their topics and turns, and what was recalled for them.

-- A mistake can be noted without an attempt now, so its number is no longer the attempt's: AUTOINCREMENT gives none twice,
-- for buttons and vectors on their way carry it. Nor may one be given that an attempt of before could still claim.
CREATE TABLE numbered_mistake (
    id             INTEGER PRIMARY KEY AUTOINCREMENT,
    user_id        INTEGER NOT NULL REFERENCES learner ON DELETE CASCADE,
    attempt_id     INTEGER UNIQUE REFERENCES attempt ON DELETE SET NULL,
    item_id        INTEGER REFERENCES item ON DELETE SET NULL,
    track          TEXT    NOT NULL CHECK (track IN ('lesson', 'exercise')),
    prompt         TEXT    NOT NULL,
    reference      TEXT    NOT NULL,
    typed          TEXT    NOT NULL,
    error_type     TEXT    NOT NULL,
    relabelled_at  INTEGER,
    part_of_speech TEXT    NOT NULL,
    feedback       TEXT    NOT NULL,
    level          TEXT    NOT NULL,
    pack_name      TEXT    NOT NULL,    -- or what else says where it was made
    at             INTEGER NOT NULL
) STRICT;
INSERT INTO numbered_mistake SELECT * FROM mistake ORDER BY id;
DROP TABLE mistake;
ALTER TABLE numbered_mistake RENAME TO mistake;
CREATE INDEX mistake_user ON mistake (user_id, at);
DELETE FROM sqlite_sequence WHERE name = 'mistake';
INSERT INTO sqlite_sequence (name, seq)
SELECT 'mistake', max(coalesce((SELECT max(id) FROM mistake), 0), coalesce((SELECT max(id) FROM attempt), 0));

CREATE TABLE document (
    id      INTEGER PRIMARY KEY AUTOINCREMENT,
    user_id INTEGER NOT NULL REFERENCES learner ON DELETE CASCADE,
    kind    TEXT    NOT NULL CHECK (kind IN ('goal', 'background')),
    name    TEXT    NOT NULL,
    text    TEXT    NOT NULL,
    in_ask  INTEGER NOT NULL CHECK (in_ask IN (0, 1)),
    at      INTEGER NOT NULL,
    UNIQUE (id, user_id)
) STRICT;
CREATE INDEX document_user ON document (user_id);

-- A chunk cannot be another person's than its document, nor a vector than its chunk.
CREATE TABLE chunk (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    document_id INTEGER NOT NULL,
    user_id     INTEGER NOT NULL REFERENCES learner ON DELETE CASCADE,
    position    INTEGER NOT NULL CHECK (position >= 0),
    text        TEXT    NOT NULL,
    UNIQUE (document_id, position),
    UNIQUE (id, user_id),
    FOREIGN KEY (document_id, user_id) REFERENCES document (id, user_id) ON DELETE CASCADE
) STRICT;
CREATE INDEX chunk_user ON chunk (user_id);

CREATE TABLE chunk_vector (
    chunk_id      INTEGER PRIMARY KEY,
    user_id       INTEGER NOT NULL REFERENCES learner ON DELETE CASCADE,
    embedder      TEXT    NOT NULL,     -- vectors of different embedders or frames are never compared
    frame_version INTEGER NOT NULL,
    width         INTEGER NOT NULL CHECK (width > 0),
    vector        BLOB    NOT NULL CHECK (length(vector) = 2 * width), -- little-endian float16
    FOREIGN KEY (chunk_id, user_id) REFERENCES chunk (id, user_id) ON DELETE CASCADE
) STRICT;
CREATE INDEX chunk_vector_user ON chunk_vector (user_id);
CREATE INDEX chunk_vector_space ON chunk_vector (embedder, frame_version, chunk_id);

CREATE TABLE profile_line (
    user_id INTEGER NOT NULL REFERENCES learner ON DELETE CASCADE,
    field   TEXT    NOT NULL CHECK (field <> ''),
    origin  TEXT    NOT NULL CHECK (origin IN ('learner', 'analysis')),
    text    TEXT    NOT NULL CHECK (text <> ''),
    at      INTEGER NOT NULL,
    PRIMARY KEY (user_id, field, origin)
) STRICT, WITHOUT ROWID;

CREATE TABLE study (
    id         INTEGER PRIMARY KEY AUTOINCREMENT, -- what a button carries
    user_id    INTEGER NOT NULL REFERENCES learner ON DELETE CASCADE,
    guild_id   INTEGER,                 -- NULL: direct messages
    channel_id INTEGER,                 -- NULL: there is no thread yet
    mode       TEXT    NOT NULL CHECK (mode IN ('study', 'roleplay', 'interview')),
    subject    TEXT    NOT NULL,
    persona    TEXT    NOT NULL,
    state      TEXT    NOT NULL CHECK (state IN ('open', 'ended')),
    pack_id    INTEGER REFERENCES pack ON DELETE SET NULL,
    lesson     TEXT    NOT NULL,
    started_at INTEGER NOT NULL,
    ended_at   INTEGER,
    CHECK ((state = 'open') = (ended_at IS NULL))
) STRICT;
CREATE UNIQUE INDEX study_open ON study (channel_id) WHERE state = 'open';
CREATE INDEX study_user ON study (user_id, state);

CREATE TABLE study_topic (
    study_id   INTEGER NOT NULL REFERENCES study ON DELETE CASCADE,
    position   INTEGER NOT NULL,
    title      TEXT    NOT NULL,
    reason     TEXT    NOT NULL,
    first_step TEXT    NOT NULL,
    target     TEXT,                    -- an error type
    state      TEXT    NOT NULL CHECK (state IN ('ahead', 'current', 'done')),
    steps      INTEGER NOT NULL CHECK (steps >= 0),
    PRIMARY KEY (study_id, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE study_document (
    study_id    INTEGER NOT NULL REFERENCES study ON DELETE CASCADE,
    document_id INTEGER NOT NULL REFERENCES document ON DELETE CASCADE, -- a forgotten one is linked nowhere
    PRIMARY KEY (study_id, document_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX study_document_document ON study_document (document_id);

CREATE TABLE study_turn (
    id       INTEGER PRIMARY KEY,
    study_id INTEGER REFERENCES study ON DELETE CASCADE, -- NULL: a question outside of any
    user_id  INTEGER NOT NULL REFERENCES learner ON DELETE CASCADE, -- the learner, whoever speaks
    speaker  TEXT    NOT NULL CHECK (speaker IN ('learner', 'tutor')),
    text     TEXT    NOT NULL,
    source   INTEGER NOT NULL,          -- the interaction or message: a turn of each speaker at most
    at       INTEGER NOT NULL,
    UNIQUE (source, speaker)
) STRICT;
CREATE INDEX study_turn_study ON study_turn (study_id);
CREATE INDEX study_turn_user ON study_turn (user_id);

-- For the operator: ids and scores, never a text.
CREATE TABLE recall_event (
    id         INTEGER PRIMARY KEY,
    user_id    INTEGER NOT NULL REFERENCES learner ON DELETE CASCADE,
    at         INTEGER NOT NULL,
    surface    TEXT    NOT NULL CHECK (surface <> ''),
    candidates INTEGER NOT NULL CHECK (candidates >= 0),
    scores     TEXT    NOT NULL CHECK (json_valid(scores)), -- [[chunk, score] ...], the best first
    admitted   INTEGER NOT NULL CHECK (admitted >= 0),
    silence    TEXT    NOT NULL         -- why none was admitted; '' when some were
) STRICT;
CREATE INDEX recall_event_user ON recall_event (user_id);
CREATE INDEX recall_event_at ON recall_event (at);
