/**
 * The balance of email credits moves to `business_counters`. A node of the previous version adds `businesses.email_credits` to it, which
 * is 0 from now on.
 */
export const emailCredits = `
INSERT INTO business_counters AS c (business_id, email_credits_change)
SELECT business_id, email_credits FROM businesses WHERE email_credits <> 0
ON CONFLICT (business_id) DO UPDATE SET email_credits_change = c.email_credits_change + excluded.email_credits_change;
UPDATE businesses SET email_credits = 0 WHERE email_credits <> 0;
COMMENT ON COLUMN business_counters.email_credits_change IS 'The balance of email credits.';
COMMENT ON COLUMN businesses.email_credits IS 'Always 0 and read by previous versions only: see business_counters.';
`
