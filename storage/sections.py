"""What a person's books are made of: for every kind of record a question whose columns are named for a reader.

A name ends in `_at` for a moment, `_day` for a day, `_id` for an id, `_json` for what is stored as JSON, and begins
with `is_` for yes or no; `storage.records` writes them accordingly. A statement asks for one page of rows.
"""

from __future__ import annotations

from typing import Final

_YOU: Final = """
    SELECT user_id AS person_id, created_at AS first_seen_at, updated_at AS settings_changed_at, time_zone,
        zone_chosen AS is_time_zone_chosen, language AS language_of_feedback, new_per_day AS new_items_a_day,
        reviews_per_day AS reviews_a_day, drill_length AS questions_in_a_drill, furigana AS is_reading_shown,
        joined_tracks AS is_lesson_joined_with_news, named AS is_named_on_shared_cards,
        counted AS is_counted_in_group_reviews, streaks AS is_streak_shown
    FROM learner WHERE user_id = :user LIMIT :limit OFFSET :offset
"""

_SERVERS: Final = """
    SELECT guild_id AS server_id, seen_at AS last_seen_there_at
    FROM visit WHERE user_id = :user ORDER BY guild_id LIMIT :limit OFFSET :offset
"""

_DAYS: Final = """
    SELECT day AS practised_day FROM study_day WHERE user_id = :user ORDER BY day LIMIT :limit OFFSET :offset
"""

_DRILLS: Final = """
    SELECT drill.id AS drill, drill.guild_id AS server_id, drill.track, drill.title, drill.state,
        drill.started_at, drill.ended_at, shared.kind AS shared_with_others, shared.id AS shared_drill
    FROM drill LEFT JOIN shared_drill AS shared ON shared.id = drill.shared_id
    WHERE drill.user_id = :user ORDER BY drill.id LIMIT :limit OFFSET :offset
"""

_EXERCISES: Final = """
    SELECT exercise.drill_id AS drill_id, exercise.position AS question, pack.name AS pack, item.prompt AS asked,
        exercise.hinted AS is_hint_shown, exercise.retried_by AS free_retry_by_interaction_id,
        attempt.typed AS you_wrote, attempt.verdict, attempt.grade AS why_json, attempt.hinted AS is_answered_with_hint,
        attempt.rating AS counted_as, attempt.track, attempt.at AS answered_at, attempt.overturned_at,
        attempt.interaction_id
    FROM drill
    JOIN exercise ON exercise.drill_id = drill.id
    JOIN item ON item.id = exercise.item_id
    JOIN pack ON pack.id = item.pack_id
    LEFT JOIN attempt ON attempt.exercise_id = exercise.id AND attempt.user_id = :user
    WHERE drill.user_id = :user ORDER BY drill.id, exercise.position LIMIT :limit OFFSET :offset
"""

_SPACING: Final = """
    SELECT pack.name AS pack, item.prompt AS asked, spacing.learning AS state, spacing.step,
        spacing.stability AS stability_in_days, spacing.difficulty, spacing.due AS due_at,
        spacing.last_review AS last_review_at
    FROM spacing JOIN item ON item.id = spacing.item_id JOIN pack ON pack.id = item.pack_id
    WHERE spacing.user_id = :user ORDER BY spacing.item_id LIMIT :limit OFFSET :offset
"""

_MISTAKES: Final = """
    SELECT mistake.id AS mistake, mistake.at AS made_at, mistake.track, mistake.pack_name AS pack, mistake.prompt AS asked,
        mistake.reference AS right_answer, mistake.typed AS you_wrote, mistake.error_type AS kind, mistake.relabelled_at,
        mistake.part_of_speech, mistake.level, mistake.feedback, stored.embedder AS likened_by,
        stored.width AS numbers_in_its_vector, stored.card_version AS vector_version
    FROM mistake
    LEFT JOIN mistake_vector AS stored ON stored.mistake_id = mistake.id AND stored.user_id = mistake.user_id
    WHERE mistake.user_id = :user ORDER BY mistake.id LIMIT :limit OFFSET :offset
"""

_DISMISSALS: Final = """
    SELECT one AS mistake, other AS not_like_mistake, at AS said_at
    FROM dismissal WHERE user_id = :user ORDER BY one, other LIMIT :limit OFFSET :offset
"""

_APPEALS: Final = """
    SELECT item.prompt AS asked, attempt.typed AS you_wrote, appeal.folded AS compared_as, appeal.guild_id AS server_id,
        appeal.state, appeal.at AS filed_at, appeal.decided_at
    FROM appeal JOIN attempt ON attempt.id = appeal.attempt_id JOIN item ON item.id = appeal.item_id
    WHERE appeal.user_id = :user ORDER BY appeal.id LIMIT :limit OFFSET :offset
"""

_JUDGEMENTS: Final = """
    SELECT item.prompt AS asked, judgement.folded AS your_answer, judgement.language, judgement.opinion,
        judgement.error_type AS kind, judgement.part_of_speech, judgement.diagnosis, judgement.feedback,
        judgement.confidence, judgement.attempt AS is_an_attempt_at_an_answer, judgement.at AS judged_at
    FROM judgement JOIN item ON item.id = judgement.item_id
    WHERE judgement.user_id = :user ORDER BY judgement.at, judgement.item_id LIMIT :limit OFFSET :offset
"""

_WAITING: Final = """
    SELECT attempt.typed AS you_wrote, waiting.language, waiting.tries, waiting.at AS waiting_since_at,
        waiting.next_at AS asked_again_at, waiting.decided_at
    FROM waiting_judgement AS waiting JOIN attempt ON attempt.id = waiting.attempt_id
    WHERE waiting.user_id = :user ORDER BY waiting.attempt_id LIMIT :limit OFFSET :offset
"""

_DOCUMENTS: Final = """
    SELECT document.id AS document, document.kind, document.name, document.in_ask AS is_read_by_ask,
        document.at AS saved_at, document.text,
        (SELECT count(*) FROM chunk WHERE chunk.document_id = document.id AND chunk.user_id = :user) AS pieces,
        (
            SELECT count(*) FROM chunk JOIN chunk_vector AS stored ON stored.chunk_id = chunk.id AND stored.user_id = :user
            WHERE chunk.document_id = document.id AND chunk.user_id = :user
        ) AS vectors
    FROM document WHERE document.user_id = :user ORDER BY document.id LIMIT :limit OFFSET :offset
"""

_PROFILE: Final = """
    SELECT field, origin AS said_by, text, at AS said_at
    FROM profile_line WHERE user_id = :user ORDER BY field, origin LIMIT :limit OFFSET :offset
"""

_STUDIES: Final = """
    SELECT study.id AS study, study.guild_id AS server_id, study.channel_id, study.mode, study.subject, study.persona AS tutor,
        study.state, pack.name AS pack, study.lesson, study.started_at, study.ended_at,
        (
            SELECT json_group_array(json_object(
                'title', title, 'reason', reason, 'first_step', first_step, 'kind', target, 'state', topic.state, 'steps', steps
            ))
            FROM (SELECT * FROM study_topic WHERE study_id = study.id ORDER BY position) AS topic
        ) AS topics_json,
        (
            SELECT json_group_array(document_id) FROM study_document WHERE study_id = study.id
        ) AS documents_json
    FROM study LEFT JOIN pack ON pack.id = study.pack_id
    WHERE study.user_id = :user ORDER BY study.id LIMIT :limit OFFSET :offset
"""

_TURNS: Final = """
    SELECT study_id AS study, speaker, text, at AS said_at, source AS came_by_id
    FROM study_turn WHERE user_id = :user ORDER BY id LIMIT :limit OFFSET :offset
"""

_RECALLS: Final = """
    SELECT at AS recalled_at, surface AS asked_in, candidates, admitted, silence AS why_none, scores AS pieces_and_scores_json
    FROM recall_event WHERE user_id = :user ORDER BY id LIMIT :limit OFFSET :offset
"""

_SCHEDULES: Final = """
    SELECT schedule.id AS schedule, schedule.kind, schedule.guild_id AS server_id, schedule.channel_id, schedule.time_zone,
        printf('%02d:%02d', schedule.minute / 60, schedule.minute % 60) AS local_time,
        trim(
            iif(schedule.weekdays & 1, 'Monday ', '') || iif(schedule.weekdays & 2, 'Tuesday ', '')
            || iif(schedule.weekdays & 4, 'Wednesday ', '') || iif(schedule.weekdays & 8, 'Thursday ', '')
            || iif(schedule.weekdays & 16, 'Friday ', '') || iif(schedule.weekdays & 32, 'Saturday ', '')
            || iif(schedule.weekdays & 64, 'Sunday', '')
        ) AS weekdays,
        pack.name AS pack,
        schedule.lessons, schedule.news AS is_of_news, schedule.count AS questions, schedule.state,
        schedule.next_due AS next_at, schedule.next_day, schedule.last_day, schedule.paused_why, schedule.paused_at,
        schedule.told_at, schedule.made_at
    FROM schedule LEFT JOIN pack ON pack.id = schedule.pack_id
    WHERE schedule.user_id = :user OR schedule.made_by = :user ORDER BY schedule.id LIMIT :limit OFFSET :offset
"""

_RUNS: Final = """
    SELECT schedule_id AS schedule, due_at, day AS local_day, late AS passed_over_before, state, why, tried_at, settled_at,
        message_id, answered_at
    FROM run WHERE user_id = :user ORDER BY id LIMIT :limit OFFSET :offset
"""

_SHARED: Final = """
    SELECT id AS shared_drill, kind, guild_id AS server_id, channel_id, track, title, state, ended_why, started_at, ended_at
    FROM shared_drill WHERE started_by = :user ORDER BY id LIMIT :limit OFFSET :offset
"""

_USAGE: Final = """
    SELECT at AS asked_at, guild_id AS server_id, purpose, model, state, reserve AS reserved_in_millionths_of_a_dollar,
        cost AS cost_in_millionths_of_a_dollar, outcome, input AS tokens_read, cache_write_5m AS tokens_kept_5_minutes,
        cache_write_1h AS tokens_kept_1_hour, cache_read AS tokens_reread, output AS tokens_written, milliseconds
    FROM model_usage WHERE user_id = :user ORDER BY id LIMIT :limit OFFSET :offset
"""

_UPLOADS: Final = """
    SELECT guild_id AS server_id, pack_name AS pack, language, strict_kana AS is_kana_strict, file_name,
        length(data) AS bytes, at AS sent_at
    FROM upload WHERE user_id = :user ORDER BY id LIMIT :limit OFFSET :offset
"""

_PACKS: Final = """
    SELECT guild_id AS server_id, kind, name, title, created_at, updated_at, removed_at
    FROM pack WHERE saved_by = :user ORDER BY id LIMIT :limit OFFSET :offset
"""

_FEEDS: Final = """
    SELECT guild_id AS server_id, title, url, added_at FROM feed WHERE added_by = :user ORDER BY id LIMIT :limit OFFSET :offset
"""

_DECISIONS: Final = """
    SELECT guild_id AS server_id, state AS decided_as, decided_at
    FROM appeal WHERE decided_by = :user ORDER BY decided_at, id LIMIT :limit OFFSET :offset
"""

SECTIONS: Final = {
    "you": _YOU,
    "servers_you_used_kizuki_in": _SERVERS,
    "days_of_practice": _DAYS,
    "drills": _DRILLS,
    "questions_and_answers": _EXERCISES,
    "when_items_come_back": _SPACING,
    "mistakes": _MISTAKES,
    "mistakes_you_said_are_not_alike": _DISMISSALS,
    "answers_you_said_were_right": _APPEALS,
    "what_the_judge_said_of_your_answers": _JUDGEMENTS,
    "answers_that_wait_for_the_judge": _WAITING,
    "documents": _DOCUMENTS,
    "profile": _PROFILE,
    "studies": _STUDIES,
    "what_you_and_the_tutor_said": _TURNS,
    "what_the_tutor_recalled": _RECALLS,
    "schedules": _SCHEDULES,
    "posts_of_your_schedules": _RUNS,
    "drills_you_started_for_others": _SHARED,
    "use_of_the_language_model": _USAGE,
    "files_you_sent_as_a_moderator": _UPLOADS,
    "packs_and_articles_you_saved_as_a_moderator": _PACKS,
    "feeds_you_added_as_a_moderator": _FEEDS,
    "answers_you_decided_about_as_a_moderator": _DECISIONS,
}
"""What is asked for each section, in the order of the file."""
