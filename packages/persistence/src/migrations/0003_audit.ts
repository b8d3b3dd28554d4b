/**
 * The log of administrative changes, and the generations of the tables that grow
 * (docs/engineering/0019-retention.md). Both are global: some changes concern no business.
 */
export const audit = `
CREATE TABLE table_generations (
  table_name text NOT NULL,
  generation integer NOT NULL,
  started_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  ended_at   timestamptz,
  PRIMARY KEY (table_name, generation)
);
COMMENT ON TABLE table_generations IS
  'The generations of the tables that grow: each is a partition. New rows go to the one that has not ended.';

CREATE SEQUENCE audit_ids;
CREATE TABLE audit_history (
  generation  integer NOT NULL,
  audit_id    bigint NOT NULL DEFAULT nextval('audit_ids'),
  at          timestamptz NOT NULL,
  actor       text NOT NULL,
  action      text NOT NULL,
  subject     text NOT NULL,
  business_id bigint REFERENCES businesses,
  before      jsonb,
  after       jsonb,
  reason      text,
  request_id  text
) PARTITION BY LIST (generation);
CREATE TABLE audit_log PARTITION OF audit_history (generation DEFAULT 1, PRIMARY KEY (audit_id)) FOR VALUES IN (1);
INSERT INTO table_generations (table_name, generation) VALUES ('audit_log', 1);
CREATE INDEX audit_log_by_subject ON audit_log (subject, audit_id);
CREATE INDEX audit_log_by_business ON audit_log (business_id, audit_id);
CREATE INDEX audit_log_by_actor ON audit_log (actor, audit_id);
CREATE INDEX audit_log_by_action ON audit_log (action, audit_id);
COMMENT ON TABLE audit_history IS
  'All generations of audit_log: entries are only ever added. Erasing a person replaces their data in before, after and reason.';

CREATE FUNCTION refuse_change_of_audit() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    IF (NEW.generation, NEW.audit_id, NEW.at, NEW.actor, NEW.action, NEW.subject, NEW.business_id, NEW.request_id)
      IS NOT DISTINCT FROM
      (OLD.generation, OLD.audit_id, OLD.at, OLD.actor, OLD.action, OLD.subject, OLD.business_id, OLD.request_id)
    THEN RETURN NEW;
    END IF;
  END IF;
  RAISE EXCEPTION 'the audit log is append-only: its entries end with their retention period'
    USING ERRCODE = 'restrict_violation';
END
$$;
CREATE TRIGGER audit_append_only BEFORE UPDATE OR DELETE ON audit_history
  FOR EACH ROW EXECUTE FUNCTION refuse_change_of_audit();
-- A partition does not inherit triggers of statements; the next generation gets a copy of this one.
CREATE TRIGGER audit_log_not_truncated BEFORE TRUNCATE ON audit_log
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_audit();
CREATE TRIGGER audit_history_not_truncated BEFORE TRUNCATE ON audit_history
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_audit();
`
