/** The index by which an erasure finds the entries of the audit log that have an email address or a name. */
export const auditTexts = `
CREATE INDEX audit_log_by_text ON audit_log USING gin (
  (coalesce(before::text, '') || ' ' || coalesce(after::text, '') || ' ' || coalesce(reason, '')) gin_trgm_ops);
COMMENT ON INDEX audit_log_by_text IS
  'Generations that ended before this index was made have none: an erasure reads their texts.';
`
