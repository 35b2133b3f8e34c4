-- People, lesson packs, drills, spacing, mistakes and appeals.
-- Times are UTC milliseconds since 1970; snowflakes are integers; every table of a person hangs on learner.

CREATE TABLE learner (
    user_id         INTEGER PRIMARY KEY,
    time_zone       TEXT    NOT NULL DEFAULT 'UTC',
    zone_chosen     INTEGER NOT NULL DEFAULT 0 CHECK (zone_chosen IN (0, 1)),
    language        TEXT    NOT NULL DEFAULT '',
    new_per_day     INTEGER NOT NULL DEFAULT 10  CHECK (new_per_day BETWEEN 0 AND 1000),
    reviews_per_day INTEGER NOT NULL DEFAULT 100 CHECK (reviews_per_day BETWEEN 0 AND 10000),
    drill_length    INTEGER NOT NULL DEFAULT 10  CHECK (drill_length BETWEEN 1 AND 50),
    furigana        INTEGER NOT NULL DEFAULT 1 CHECK (furigana IN (0, 1)),
    created_at      INTEGER NOT NULL,
    updated_at      INTEGER NOT NULL
) STRICT;

CREATE TABLE visit (
    user_id  INTEGER NOT NULL REFERENCES learner ON DELETE CASCADE,
    guild_id INTEGER NOT NULL,
    seen_at  INTEGER NOT NULL,
    PRIMARY KEY (user_id, guild_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE pack (
    id          INTEGER PRIMARY KEY,
    guild_id    INTEGER,                -- NULL: a starter pack
    name        TEXT    NOT NULL CHECK (length(name) BETWEEN 1 AND 60),
    folded      TEXT    NOT NULL CHECK (folded <> ''), -- the name as it is looked up
    title       TEXT    NOT NULL DEFAULT '',
    digest      TEXT    NOT NULL DEFAULT '', -- of the shipped file a starter pack was last brought up to
    language    TEXT    NOT NULL,
    strict_kana INTEGER NOT NULL CHECK (strict_kana IN (0, 1)),
    saved_by    INTEGER,                -- the moderator; no learner data hangs on it
    created_at  INTEGER NOT NULL,
    updated_at  INTEGER NOT NULL,
    removed_at  INTEGER
) STRICT;
CREATE UNIQUE INDEX pack_name ON pack (coalesce(guild_id, 0), folded);

CREATE TABLE item (
    id             INTEGER PRIMARY KEY,
    pack_id        INTEGER NOT NULL REFERENCES pack ON DELETE CASCADE,
    row_key        TEXT    NOT NULL,
    position       INTEGER NOT NULL,    -- file order, from 0
    line           INTEGER NOT NULL,    -- where the row stood in the file loaded last
    lesson         TEXT    NOT NULL,
    kind           TEXT    NOT NULL CHECK (kind IN ('cloze', 'vocab')),
    prompt         TEXT    NOT NULL,
    reading        TEXT    NOT NULL,
    meaning        TEXT    NOT NULL,
    hint           TEXT    NOT NULL,
    explanation    TEXT    NOT NULL,
    skill          TEXT,                -- an error type, or NULL when it follows from the part of speech
    tags           TEXT    NOT NULL,    -- separated by spaces
    part_of_speech TEXT    NOT NULL,
    furigana       TEXT    NOT NULL,
    dictionary     TEXT    NOT NULL,    -- of the readings and the furigana
    removed_at     INTEGER,
    UNIQUE (pack_id, row_key)
) STRICT;
CREATE INDEX item_order ON item (pack_id, position) WHERE removed_at IS NULL;
CREATE INDEX item_prompt ON item (pack_id, prompt);

-- The pack and an appeal may give the same answer: then it stays accepted when the pack drops it.
CREATE TABLE accepted_answer (
    id       INTEGER PRIMARY KEY,
    item_id  INTEGER NOT NULL REFERENCES item ON DELETE CASCADE,
    position INTEGER NOT NULL,
    text     TEXT    NOT NULL,
    folded   TEXT    NOT NULL,          -- as it is looked up for the typing tolerance
    readings TEXT    NOT NULL,          -- given by the pack, separated by '|'
    analysis TEXT    NOT NULL CHECK (json_valid(analysis)), -- the dictionary's words
    origin   TEXT    NOT NULL CHECK (origin IN ('pack', 'appeal')),
    guild_id INTEGER,                   -- an appeal accepted by one server for a starter pack
    added_at INTEGER NOT NULL,
    CHECK (origin = 'appeal' OR guild_id IS NULL)
) STRICT;
CREATE UNIQUE INDEX accepted_once ON accepted_answer (item_id, text, origin, coalesce(guild_id, 0));
CREATE INDEX accepted_folded ON accepted_answer (folded);

CREATE TABLE upload (
    id          INTEGER PRIMARY KEY,
    guild_id    INTEGER NOT NULL,
    user_id     INTEGER NOT NULL,       -- the moderator; the row lives a day at most
    pack_name   TEXT    NOT NULL,
    language    TEXT    NOT NULL,
    strict_kana INTEGER NOT NULL CHECK (strict_kana IN (0, 1)),
    file_name   TEXT    NOT NULL,
    data        BLOB    NOT NULL,
    at          INTEGER NOT NULL
) STRICT;

CREATE TABLE drill (
    id         INTEGER PRIMARY KEY,
    user_id    INTEGER NOT NULL REFERENCES learner ON DELETE CASCADE,
    guild_id   INTEGER,
    track      TEXT    NOT NULL CHECK (track IN ('lesson', 'exercise')),
    title      TEXT    NOT NULL,
    state      TEXT    NOT NULL CHECK (state IN ('open', 'finished', 'stopped')),
    started_at INTEGER NOT NULL,
    ended_at   INTEGER,
    CHECK ((state = 'open') = (ended_at IS NULL))
) STRICT;
CREATE INDEX drill_user ON drill (user_id, track, state);

CREATE TABLE exercise (
    id          INTEGER PRIMARY KEY,    -- what a button carries
    drill_id    INTEGER NOT NULL REFERENCES drill ON DELETE CASCADE,
    position    INTEGER NOT NULL,       -- from 1
    item_id     INTEGER NOT NULL REFERENCES item,
    hinted      INTEGER NOT NULL DEFAULT 0 CHECK (hinted IN (0, 1)),
    retried_by  INTEGER,                -- the interaction that used the free retry
    UNIQUE (drill_id, position)
) STRICT;
CREATE INDEX exercise_item ON exercise (item_id);

CREATE TABLE attempt (
    id             INTEGER PRIMARY KEY,
    exercise_id    INTEGER NOT NULL REFERENCES exercise ON DELETE CASCADE,
    user_id        INTEGER NOT NULL REFERENCES learner ON DELETE CASCADE,
    item_id        INTEGER NOT NULL REFERENCES item,
    interaction_id INTEGER NOT NULL UNIQUE,
    track          TEXT    NOT NULL CHECK (track IN ('lesson', 'exercise')),
    typed          TEXT    NOT NULL,
    verdict        TEXT    NOT NULL CHECK (verdict IN ('exact', 'equivalent', 'wrong', 'skipped', 'timeout', 'pending')),
    grade          TEXT    NOT NULL CHECK (json_valid(grade)), -- matched, remarks, diff
    hinted         INTEGER NOT NULL CHECK (hinted IN (0, 1)),
    rating         TEXT CHECK (rating IN ('again', 'hard', 'good')),
    at             INTEGER NOT NULL,
    overturned_at  INTEGER,             -- wrong until an appeal was accepted then
    UNIQUE (exercise_id, user_id)
) STRICT;
CREATE INDEX attempt_user ON attempt (user_id, track, at);
CREATE INDEX attempt_item ON attempt (user_id, item_id, at);

CREATE TABLE spacing (
    user_id     INTEGER NOT NULL REFERENCES learner ON DELETE CASCADE,
    item_id     INTEGER NOT NULL REFERENCES item ON DELETE CASCADE,
    learning    TEXT    NOT NULL CHECK (learning IN ('learning', 'review', 'relearning')),
    step        INTEGER,
    stability   REAL,                   -- days
    difficulty  REAL,                   -- 1 to 10
    due         INTEGER NOT NULL,
    last_review INTEGER,
    PRIMARY KEY (user_id, item_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX spacing_due ON spacing (user_id, due);

CREATE TABLE mistake (
    id             INTEGER PRIMARY KEY,
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
    pack_name      TEXT    NOT NULL,
    at             INTEGER NOT NULL
) STRICT;
CREATE INDEX mistake_user ON mistake (user_id, at);

CREATE TABLE appeal (
    id         INTEGER PRIMARY KEY,
    attempt_id INTEGER NOT NULL UNIQUE REFERENCES attempt ON DELETE CASCADE,
    user_id    INTEGER NOT NULL REFERENCES learner ON DELETE CASCADE,
    item_id    INTEGER NOT NULL REFERENCES item,
    guild_id   INTEGER,                 -- whose moderators decide; NULL: the operator
    folded     TEXT    NOT NULL,        -- the typed answer, folded: equal ones are decided together
    state      TEXT    NOT NULL CHECK (state IN ('open', 'accepted', 'declined')),
    at         INTEGER NOT NULL,
    decided_by INTEGER,                 -- the moderator
    decided_at INTEGER,
    CHECK ((state = 'open') = (decided_at IS NULL))
) STRICT;
CREATE INDEX appeal_waiting ON appeal (guild_id, at) WHERE state = 'open';
CREATE INDEX appeal_group ON appeal (item_id, folded);
CREATE INDEX appeal_user ON appeal (user_id);

-- What "visible" means is said here and nowhere else.
CREATE VIEW visible_pack AS
SELECT pack.*, (SELECT count(*) FROM item WHERE item.pack_id = pack.id AND item.removed_at IS NULL) AS items
FROM pack
WHERE pack.removed_at IS NULL;

CREATE VIEW visible_item AS
SELECT item.*
FROM item JOIN pack ON pack.id = item.pack_id
WHERE item.removed_at IS NULL AND pack.removed_at IS NULL;

CREATE VIEW drill_tally AS
SELECT
    drill.*,
    (SELECT count(*) FROM exercise WHERE exercise.drill_id = drill.id) AS total,
    (
        SELECT count(*) FROM exercise JOIN attempt ON attempt.exercise_id = exercise.id
        WHERE exercise.drill_id = drill.id AND attempt.verdict NOT IN ('skipped', 'timeout')
    ) AS answered,
    (
        SELECT count(*) FROM exercise JOIN attempt ON attempt.exercise_id = exercise.id
        WHERE exercise.drill_id = drill.id AND attempt.verdict IN ('exact', 'equivalent')
    ) AS answered_right,
    (
        SELECT count(*) FROM exercise JOIN attempt ON attempt.exercise_id = exercise.id
        WHERE exercise.drill_id = drill.id AND attempt.verdict IN ('skipped', 'timeout')
    ) AS skipped
FROM drill;

CREATE VIEW exercise_state AS
SELECT
    item.*,
    exercise.id AS exercise_id,
    exercise.drill_id,
    exercise.position AS place,
    exercise.hinted,
    exercise.retried_by,
    drill.user_id,
    drill.guild_id,
    drill.state,
    attempt.id AS attempt_id,
    attempt.verdict,
    attempt.typed,
    attempt.grade,
    EXISTS (SELECT 1 FROM appeal WHERE appeal.attempt_id = attempt.id) AS appealed
FROM exercise
JOIN drill ON drill.id = exercise.drill_id
JOIN item ON item.id = exercise.item_id
LEFT JOIN attempt ON attempt.exercise_id = exercise.id AND attempt.user_id = drill.user_id;

CREATE VIEW appeal_card AS
SELECT
    appeal.*,
    item.prompt,
    attempt.typed,
    pack.name AS pack_name,
    coalesce((
        SELECT text FROM accepted_answer
        WHERE accepted_answer.item_id = item.id AND origin = 'pack' ORDER BY position LIMIT 1
    ), '') AS reference,
    (
        SELECT count(DISTINCT other.user_id) FROM appeal AS other
        WHERE other.item_id = appeal.item_id AND other.folded = appeal.folded
            AND other.guild_id IS appeal.guild_id AND other.state = appeal.state
    ) AS times
FROM appeal
JOIN attempt ON attempt.id = appeal.attempt_id
JOIN item ON item.id = appeal.item_id
JOIN pack ON pack.id = item.pack_id;
