-- insert audit_history 002237f45f (commands)
DO $rotation$ DECLARE n integer; column_names text; old_index record; statements text[] := '{}'; triggers text[]; BEGIN LOCK TABLE audit_history IN ACCESS EXCLUSIVE MODE; SELECT generation INTO STRICT n FROM table_generations WHERE table_name = 'audit_log' AND ended_at IS NULL; FOR old_index IN SELECT c.relname AS name, pg_get_indexdef(c.oid) AS definition, i.indisprimary AS is_primary FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid WHERE i.indrelid = 'audit_log'::regclass LOOP EXECUTE format('ALTER INDEX %I RENAME TO %I', old_index.name, old_index.name || '_' || n); statements := statements || old_index.definition; IF old_index.is_primary THEN statements := statements || format('ALTER TABLE audit_log ADD CONSTRAINT %1$I PRIMARY KEY USING INDEX %1$I', old_index.name); END IF; END LOOP; SELECT coalesce(array_agg(pg_get_triggerdef(oid)), '{}') INTO triggers FROM pg_trigger WHERE tgrelid = 'audit_log'::regclass AND NOT tgisinternal AND tgparentid = 0; EXECUTE format('ALTER TABLE audit_log RENAME TO %I', 'audit_log_' || n); EXECUTE format('CREATE TABLE audit_log PARTITION OF audit_history (generation DEFAULT %1$s) FOR VALUES IN (%1$s)', n + 1); FOR i IN 1 .. cardinality(statements) LOOP EXECUTE statements[i]; END LOOP; FOR i IN 1 .. cardinality(triggers) LOOP EXECUTE triggers[i]; END LOOP; SELECT string_agg(quote_ident(attname), ', ') INTO column_names FROM pg_attribute WHERE attrelid = 'audit_log'::regclass AND attnum > 0 AND NOT attisdropped AND attname <> 'generation'; EXECUTE format('INSERT INTO audit_log (%1$s) SELECT %1$s FROM %2$I WHERE false', column_names, 'audit_log_' || n); EXECUTE format('DELETE FROM %I WHERE false', 'audit_log_' || n); UPDATE table_generations SET ended_at = clock_timestamp() WHERE table_name = 'audit_log' AND generation = n; INSERT INTO table_generations (table_name, generation) VALUES ('audit_log', n + 1); END $rotation$

-- lock audit_history 1edfd30950 (commands)
LOCK TABLE audit_history IN ACCESS EXCLUSIVE MODE

-- select audit_history 26a8362fe4 (ports)
SELECT audit_id, at, actor, action, subject, business_id, before, after, reason, request_id, (SELECT count(*) AS total FROM (SELECT FROM audit_history WHERE ((subject, audit_id) >= ($1, 0) AND (subject, audit_id) <= ($2, $3::bigint) AND action = $4) LIMIT $5) c) AS total FROM audit_history WHERE ((subject, audit_id) >= ($6, 0) AND (subject, audit_id) <= ($7, $8::bigint) AND action = $9) ORDER BY subject DESC, audit_id DESC LIMIT $10 OFFSET $11

-- select audit_history 74bc37877b (ports)
SELECT audit_id, at, actor, action, subject, business_id, before, after, reason, request_id, (SELECT count(*) AS total FROM (SELECT FROM audit_history WHERE ((actor, audit_id) >= ((SELECT $1::text), 0) AND (actor, audit_id) <= ((SELECT $2::text), $3::bigint)) LIMIT $4) c) AS total FROM audit_history WHERE ((actor, audit_id) >= ((SELECT $5::text), 0) AND (actor, audit_id) <= ((SELECT $6::text), $7::bigint)) ORDER BY actor DESC, audit_id DESC LIMIT 101

-- select audit_history b6d041f00d (ports)
SELECT audit_id, at, actor, action, subject, business_id, before, after, reason, request_id, (SELECT count(*) AS total FROM (SELECT FROM audit_history WHERE ((subject, audit_id) >= ((SELECT $1::text), 0) AND (subject, audit_id) <= ((SELECT $2::text), $3::bigint)) LIMIT $4) c) AS total FROM audit_history WHERE ((subject, audit_id) >= ((SELECT $5::text), 0) AND (subject, audit_id) <= ((SELECT $6::text), $7::bigint)) ORDER BY subject DESC, audit_id DESC LIMIT 101

-- select audit_history c7e1f6935d (ports)
SELECT audit_id::text AS key, text FROM ( SELECT r.audit_id, json_build_object('before', r.before, 'after', r.after, 'reason', r.reason, 'user_id', CASE WHEN r.subject = ANY ($1::text[]) THEN substring(r.subject FROM 6)::bigint END)::text AS text FROM audit_history r WHERE ((coalesce(r.before::text, '') || ' ' || coalesce(r.after::text, '') || ' ' || coalesce(r.reason, '')) ILIKE $2 OR r.subject = ANY ($3::text[])) AND r.business_id = $4 OFFSET 0) found WHERE audit_id > $5 ORDER BY audit_id LIMIT $6

-- select audit_history ce8c4ca5bb (requests)
SELECT audit_id, at, actor, action, subject, business_id, before, after, reason, request_id, (SELECT count(*) AS total FROM (SELECT FROM audit_history WHERE true LIMIT $1) c) AS total FROM audit_history WHERE true ORDER BY audit_id DESC LIMIT 21

-- select audit_history d1b0b0ad5c (ports)
SELECT audit_id, at, actor, action, subject, business_id, before, after, reason, request_id, (SELECT count(*) AS total FROM (SELECT FROM audit_history WHERE ((subject, audit_id) >= ($1, 0) AND (subject, audit_id) <= ($2, $3::bigint) AND actor = $4) LIMIT $5) c) AS total FROM audit_history WHERE ((subject, audit_id) >= ($6, 0) AND (subject, audit_id) <= ($7, $8::bigint) AND actor = $9) ORDER BY subject DESC, audit_id DESC LIMIT $10 OFFSET $11

-- select audit_history db54ce1f09 (ports)
SELECT audit_id, at, actor, action, subject, business_id, before, after, reason, request_id, (SELECT count(*) AS total FROM (SELECT FROM audit_history WHERE ((business_id, audit_id) >= ((SELECT $1::bigint), 0) AND (business_id, audit_id) <= ((SELECT $2::bigint), $3::bigint)) LIMIT $4) c) AS total FROM audit_history WHERE ((business_id, audit_id) >= ((SELECT $5::bigint), 0) AND (business_id, audit_id) <= ((SELECT $6::bigint), $7::bigint)) ORDER BY business_id DESC, audit_id DESC LIMIT 101

-- select audit_history e078fd797c (commands)
SELECT a.business_id AS "businessId", EXISTS ( SELECT FROM audit_history d WHERE d.action = $1 AND d.subject = a.subject) AS "isComplete" FROM audit_history a WHERE a.action = $2 AND a.after ->> 'sha256' = $3 ORDER BY a.audit_id DESC LIMIT 1

-- select audit_history e7dab4eb9b (requests)
SELECT audit_id, at, actor, action, subject, business_id, before, after, reason, request_id, (SELECT count(*) AS total FROM (SELECT FROM audit_history WHERE true LIMIT $1) c) AS total FROM audit_history WHERE true ORDER BY audit_id DESC LIMIT $2 OFFSET $3

-- select audit_history ed142bb9bc (requests)
SELECT audit_id::text AS key, text FROM ( SELECT r.audit_id, json_build_object('before', r.before, 'after', r.after, 'reason', r.reason, 'user_id', CASE WHEN r.subject = ANY ($1::text[]) THEN substring(r.subject FROM 6)::bigint END)::text AS text FROM audit_history r WHERE ((coalesce(r.before::text, '') || ' ' || coalesce(r.after::text, '') || ' ' || coalesce(r.reason, '')) ILIKE $2 OR (coalesce(r.before::text, '') || ' ' || coalesce(r.after::text, '') || ' ' || coalesce(r.reason, '')) ILIKE $3 OR r.subject = ANY ($4::text[])) AND true OFFSET 0) found WHERE audit_id > $5 ORDER BY audit_id LIMIT $6

-- update audit_history 33121c335b (ports, requests)
UPDATE audit_history a SET before = erased.before::jsonb, after = erased.after::jsonb, reason = erased.reason FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[]) AS erased (audit_id, before, after, reason) WHERE a.audit_id = erased.audit_id
