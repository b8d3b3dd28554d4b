/** Levels of reminders with fees. A business that sent reminders on some days has these as its levels. */
export const dunning = `
ALTER TABLE businesses ADD COLUMN dunning jsonb NOT NULL DEFAULT '{"automatic": false, "levels": []}';
COMMENT ON COLUMN businesses.dunning IS 'The levels of reminders, and whether they are sent without a request.';
COMMENT ON COLUMN businesses.reminder_days IS 'Of earlier versions; later ones read dunning.';
UPDATE businesses SET dunning = jsonb_build_object('automatic', true, 'levels', (
  SELECT jsonb_agg(jsonb_build_object('days', days) ORDER BY days) FROM (SELECT DISTINCT unnest(reminder_days) AS days) d))
WHERE reminder_days <> '{}';

ALTER TABLE invoices ADD COLUMN fee_of_invoice_id bigint;
ALTER TABLE invoices ADD COLUMN reminder_level integer NOT NULL DEFAULT 0;
ALTER TABLE invoices ADD COLUMN last_reminder_at timestamptz;
ALTER TABLE invoices ADD COLUMN reminder_fees_minor bigint NOT NULL DEFAULT 0;
COMMENT ON COLUMN invoices.fee_of_invoice_id IS 'The invoice whose reminder this one is the fee of.';
CREATE INDEX invoices_by_fee_of ON invoices (business_id, fee_of_invoice_id) WHERE fee_of_invoice_id IS NOT NULL;
UPDATE invoices i SET reminder_level = r.level, last_reminder_at = r.last
FROM (
  SELECT business_id, invoice_id, due_date, count(*) AS level, max(sent_at) AS last FROM invoice_reminders
  GROUP BY business_id, invoice_id, due_date) r
WHERE r.business_id = i.business_id AND r.invoice_id = i.invoice_id AND r.due_date = i.due_date;

ALTER TABLE businesses DROP CONSTRAINT businesses_untaxed_as_check;
ALTER TABLE invoices DROP CONSTRAINT invoices_untaxed_as_check;
ALTER TABLE customers DROP CONSTRAINT customers_untaxed_as_check;
`
