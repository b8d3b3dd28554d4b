/** What became of the emails of invoices, and the letters to customers that could not be delivered. */
export const failedLetters = `
ALTER TABLE invoices ADD COLUMN email_status text;
ALTER TABLE invoices ADD COLUMN email_failed_at timestamptz;
COMMENT ON COLUMN invoices.email_status IS 'What became of its latest email: queued, sent or failed.';
UPDATE invoices SET email_status = 'sent' WHERE sent_at IS NOT NULL;

CREATE TABLE failed_letters (
  business_id bigint NOT NULL REFERENCES businesses,
  letter_id   bigint GENERATED ALWAYS AS IDENTITY,
  kind        text NOT NULL,
  reference   text NOT NULL,
  attempts    integer NOT NULL,
  reason      text NOT NULL,
  posted_at   timestamptz NOT NULL,
  failed_at   timestamptz NOT NULL,
  PRIMARY KEY (business_id, letter_id)
);
COMMENT ON TABLE failed_letters IS
  'Letters to customers that were given up. The record that a letter names has the address; this table names no person.';
`
