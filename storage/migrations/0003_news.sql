-- News: feeds, articles and what is asked about them; what a judge says, whom it waits for, and what models cost.

ALTER TABLE learner ADD COLUMN joined_tracks INTEGER NOT NULL DEFAULT 0 CHECK (joined_tracks IN (0, 1));

-- An article is a pack of another kind: the items of both are drilled, spaced and remembered alike.
ALTER TABLE pack ADD COLUMN kind TEXT NOT NULL DEFAULT 'lesson' CHECK (kind IN ('lesson', 'article'));
DROP INDEX pack_name;
CREATE UNIQUE INDEX pack_name ON pack (coalesce(guild_id, 0), folded) WHERE kind = 'lesson';
CREATE INDEX pack_lesson ON pack (guild_id) WHERE kind = 'lesson';
CREATE INDEX pack_article ON pack (guild_id, created_at) WHERE kind = 'article';

CREATE TABLE feed (
    id            INTEGER PRIMARY KEY AUTOINCREMENT, -- never used again: what is known of entries carries it
    guild_id      INTEGER NOT NULL,
    url           TEXT    NOT NULL CHECK (url <> ''),
    title         TEXT    NOT NULL,
    language      TEXT    NOT NULL,
    state         TEXT    NOT NULL CHECK (state IN ('active', 'paused')),
    next_check    INTEGER NOT NULL,
    checked_at    INTEGER,
    etag          TEXT    NOT NULL,
    last_modified TEXT    NOT NULL,
    failures      INTEGER NOT NULL CHECK (failures >= 0), -- in a row
    trouble       TEXT    NOT NULL,     -- of the last look
    added_by      INTEGER NOT NULL,     -- the moderator; no learner data hangs on it
    added_at      INTEGER NOT NULL,
    UNIQUE (guild_id, url)
) STRICT;
CREATE INDEX feed_due ON feed (next_check) WHERE state = 'active';

CREATE TABLE article (
    pack_id      INTEGER PRIMARY KEY REFERENCES pack ON DELETE CASCADE,
    feed_id      INTEGER REFERENCES feed ON DELETE SET NULL, -- NULL: by hand, or the feed is gone
    url          TEXT    NOT NULL,
    source       TEXT    NOT NULL,
    published_at INTEGER
) STRICT;
CREATE INDEX article_feed ON article (feed_id);

-- What a server has met before: guids, addresses, texts, sentences, as short strings.
CREATE TABLE known_key (
    guild_id INTEGER NOT NULL,
    key      TEXT    NOT NULL,
    at       INTEGER NOT NULL,
    pack_id  INTEGER,                   -- the article it goes with; NULL: it stays whatever becomes of that
    PRIMARY KEY (guild_id, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX known_key_article ON known_key (pack_id) WHERE pack_id IS NOT NULL;

CREATE TABLE clipping (
    item_id     INTEGER PRIMARY KEY REFERENCES item ON DELETE CASCADE,
    sentence_id INTEGER NOT NULL,       -- the first item of the same sentence
    unit        TEXT    NOT NULL CHECK (unit IN ('particle', 'form', 'word')),
    level       TEXT    NOT NULL,
    certainty   REAL    NOT NULL CHECK (certainty BETWEEN 0 AND 1),
    closed      INTEGER NOT NULL CHECK (closed IN (0, 1))
) STRICT;
CREATE INDEX clipping_sentence ON clipping (sentence_id);

-- A person who is forgotten leaves what was spent, and no name on it.
CREATE TABLE model_usage (
    id             INTEGER PRIMARY KEY,
    at             INTEGER NOT NULL,
    day            INTEGER NOT NULL,    -- since 1970, UTC
    guild_id       INTEGER NOT NULL,    -- 0: a direct message, or the bot's own work
    user_id        INTEGER REFERENCES learner ON DELETE SET NULL,
    purpose        TEXT    NOT NULL CHECK (purpose <> ''),
    model          TEXT    NOT NULL,
    state          TEXT    NOT NULL CHECK (state IN ('reserved', 'settled', 'void')),
    reserve        INTEGER NOT NULL CHECK (reserve >= 0), -- millionths of a dollar, as all costs
    cost           INTEGER NOT NULL DEFAULT 0 CHECK (cost >= 0),
    outcome        TEXT CHECK (outcome IN ('done', 'cut', 'refused', 'timeout', 'error', 'lost')),
    input          INTEGER NOT NULL DEFAULT 0, -- tokens, as the four below
    cache_write_5m INTEGER NOT NULL DEFAULT 0,
    cache_write_1h INTEGER NOT NULL DEFAULT 0,
    cache_read     INTEGER NOT NULL DEFAULT 0,
    output         INTEGER NOT NULL DEFAULT 0,
    milliseconds   INTEGER NOT NULL DEFAULT 0,
    CHECK ((state = 'settled') = (outcome IS NOT NULL))
) STRICT;
CREATE INDEX model_usage_day ON model_usage (day, guild_id, state, reserve, cost); -- a day is summed up from it alone
CREATE INDEX model_usage_user ON model_usage (user_id, day);
CREATE INDEX model_usage_open ON model_usage (day) WHERE state = 'reserved';

CREATE TABLE judgement (
    item_id        INTEGER NOT NULL REFERENCES item ON DELETE CASCADE,
    folded         TEXT    NOT NULL,    -- the typed answer, folded
    language       TEXT    NOT NULL,    -- of the feedback
    user_id        INTEGER NOT NULL REFERENCES learner ON DELETE CASCADE, -- whose answer it was
    opinion        TEXT    NOT NULL CHECK (opinion IN ('correct', 'acceptable', 'incorrect')),
    error_type     TEXT,
    part_of_speech TEXT    NOT NULL,
    diagnosis      TEXT    NOT NULL,
    feedback       TEXT    NOT NULL,
    confidence     TEXT    NOT NULL CHECK (confidence IN ('low', 'medium', 'high')),
    attempt        INTEGER NOT NULL CHECK (attempt IN (0, 1)), -- 0: text that is no answer
    at             INTEGER NOT NULL,
    PRIMARY KEY (item_id, folded, language)
) STRICT, WITHOUT ROWID;
CREATE INDEX judgement_user ON judgement (user_id);

CREATE TABLE waiting_judgement (
    attempt_id INTEGER PRIMARY KEY REFERENCES attempt ON DELETE CASCADE,
    user_id    INTEGER NOT NULL REFERENCES learner ON DELETE CASCADE,
    language   TEXT    NOT NULL,        -- of the feedback
    tries      INTEGER NOT NULL DEFAULT 0 CHECK (tries >= 0),
    at         INTEGER NOT NULL,        -- since when
    next_at    INTEGER NOT NULL,        -- when the judge is asked again
    decided_at INTEGER                  -- NULL: nobody decided yet; the row goes when the learner was told
) STRICT;
CREATE INDEX waiting_open ON waiting_judgement (next_at) WHERE decided_at IS NULL;
CREATE INDEX waiting_user ON waiting_judgement (user_id);

DROP VIEW visible_pack;
CREATE VIEW visible_pack AS
SELECT pack.*, (SELECT count(*) FROM item WHERE item.pack_id = pack.id AND item.removed_at IS NULL) AS items
FROM pack
WHERE pack.kind = 'lesson' AND pack.removed_at IS NULL;

CREATE VIEW feed_tally AS
SELECT
    feed.*,
    (
        SELECT count(*) FROM article JOIN pack ON pack.id = article.pack_id
        WHERE article.feed_id = feed.id AND pack.removed_at IS NULL
    ) AS articles
FROM feed;

CREATE VIEW visible_article AS
SELECT
    pack.id,
    pack.guild_id,
    pack.title,
    pack.language,
    pack.created_at,
    article.feed_id,
    article.url,
    article.source,
    article.published_at,
    (
        SELECT count(DISTINCT clipping.sentence_id) FROM item JOIN clipping ON clipping.item_id = item.id
        WHERE item.pack_id = pack.id AND item.removed_at IS NULL
    ) AS sentences,
    (SELECT count(*) FROM item WHERE item.pack_id = pack.id AND item.removed_at IS NULL) AS blanks
FROM article JOIN pack ON pack.id = article.pack_id
WHERE pack.removed_at IS NULL;

-- An item with what it was clipped from; the columns of that are NULL for an item of a lesson pack.
CREATE VIEW clipped_item AS
SELECT
    item.*,
    clipping.sentence_id,
    clipping.unit,
    clipping.level,
    clipping.certainty,
    clipping.closed,
    pack.title AS article_title,
    pack.language AS article_language,
    article.source AS article_source,
    article.url AS article_url
FROM item
LEFT JOIN clipping ON clipping.item_id = item.id
LEFT JOIN article ON article.pack_id = item.pack_id
LEFT JOIN pack ON pack.id = article.pack_id;

DROP VIEW drill_tally;
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
    ) AS skipped,
    (
        SELECT count(*) FROM exercise JOIN attempt ON attempt.exercise_id = exercise.id
        WHERE exercise.drill_id = drill.id AND attempt.verdict = 'pending'
    ) AS waiting
FROM drill;

DROP VIEW exercise_state;
CREATE VIEW exercise_state AS
SELECT
    item.*,
    clipping.sentence_id,
    clipping.unit,
    clipping.level,
    clipping.certainty,
    clipping.closed,
    pack.title AS article_title,
    pack.language AS article_language,
    article.source AS article_source,
    article.url AS article_url,
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
LEFT JOIN clipping ON clipping.item_id = item.id
LEFT JOIN article ON article.pack_id = item.pack_id
LEFT JOIN pack ON pack.id = article.pack_id
LEFT JOIN attempt ON attempt.exercise_id = exercise.id AND attempt.user_id = drill.user_id;
