/** Invoices, their numbers, and the ledger of payments. */
export const billing = `
CREATE TABLE invoices (
  business_id    bigint NOT NULL REFERENCES businesses,
  invoice_id     bigint GENERATED ALWAYS AS IDENTITY,
  number         text COLLATE "C" NOT NULL,
  customer_id    bigint,
  status         text NOT NULL DEFAULT 'unpaid' CHECK (status IN ('unpaid', 'partial', 'paid', 'void')),
  currency       text NOT NULL,
  lines          jsonb NOT NULL DEFAULT '[]',
  subtotal_minor bigint NOT NULL DEFAULT 0,
  tax_minor      bigint NOT NULL DEFAULT 0,
  total_minor    bigint NOT NULL DEFAULT 0,
  paid_minor     bigint NOT NULL DEFAULT 0,
  credited_minor bigint NOT NULL DEFAULT 0,
  excess_minor   bigint NOT NULL DEFAULT 0,
  untaxed_as     text NOT NULL DEFAULT 'zero_rated' CHECK (untaxed_as IN ('zero_rated', 'exempt', 'reverse_charge')),
  untaxed_reason text,
  spent_attempts jsonb NOT NULL DEFAULT '{}',
  refund_references jsonb NOT NULL DEFAULT '{}',
  due_date       date,
  notes          text,
  payment_hash   text NOT NULL,
  sent_at        timestamptz,
  viewed_at      timestamptz,
  voided_at      timestamptz,
  created_at     timestamptz NOT NULL,
  updated_at     timestamptz NOT NULL,
  deleted_at     timestamptz,
  PRIMARY KEY (business_id, invoice_id),
  UNIQUE (business_id, number),
  FOREIGN KEY (business_id, customer_id) REFERENCES customers (business_id, customer_id)
);
COMMENT ON COLUMN invoices.number IS 'In the order of bytes, so that an index has the numbers of one length in the order of counting.';
COMMENT ON COLUMN invoices.paid_minor IS 'The net of the ledger, written in the transaction of each entry.';
COMMENT ON COLUMN invoices.credited_minor IS 'What its credit notes take back, written in the transaction of each.';
COMMENT ON COLUMN invoices.excess_minor IS
  'What was received, does not count towards the invoice and was not refunded; written in the transaction of each entry.';
COMMENT ON COLUMN invoices.spent_attempts IS
  'How many attempts of a change (an intent, or one refund) failed in a way that the provider keeps under its idempotency key.';
COMMENT ON COLUMN invoices.refund_references IS
  'The references of refunds that were requested of the provider, by the names of the refunds.';
COMMENT ON COLUMN invoices.deleted_at IS 'A deleted invoice keeps its number, and is void.';
CREATE INDEX invoices_by_customer ON invoices (business_id, customer_id, length(number) DESC, number DESC, invoice_id DESC)
  WHERE customer_id IS NOT NULL AND deleted_at IS NULL;
CREATE INDEX invoices_referring_to_customer ON invoices (business_id, customer_id) WHERE customer_id IS NOT NULL;
COMMENT ON INDEX invoices_referring_to_customer IS
  'With deleted invoices: the deletion of a customer looks here for invoices that refer to it.';
CREATE INDEX invoices_listed ON invoices (business_id, length(number) DESC, number DESC, invoice_id DESC) WHERE deleted_at IS NULL;
CREATE INDEX invoices_by_status ON invoices (business_id, status, char_length(number) DESC, number DESC, invoice_id DESC) WHERE deleted_at IS NULL;
COMMENT ON INDEX invoices_by_status IS
  'With char_length, which equals length, because a search among the invoices of one status must not read invoices_listed: PostgreSQL cannot know how many numbers a range has, and would choose either.';
CREATE INDEX invoices_by_creation ON invoices (business_id, created_at);
CREATE INDEX invoices_by_day ON invoices (business_id, created_at DESC, invoice_id DESC) WHERE deleted_at IS NULL;
CREATE INDEX invoices_by_status_and_day ON invoices (business_id, status, created_at DESC, invoice_id DESC)
  WHERE deleted_at IS NULL;
CREATE INDEX invoices_by_customer_and_day ON invoices (business_id, customer_id, created_at DESC, invoice_id DESC)
  WHERE customer_id IS NOT NULL AND deleted_at IS NULL;
CREATE INDEX invoices_by_hash ON invoices (business_id, payment_hash);

CREATE INDEX invoices_to_remind ON invoices (business_id, due_date, invoice_id)
  WHERE status IN ('unpaid', 'partial') AND deleted_at IS NULL AND sent_at IS NOT NULL AND due_date IS NOT NULL;

CREATE TABLE invoice_reminders (
  business_id bigint NOT NULL,
  invoice_id  bigint NOT NULL,
  due_date    date NOT NULL,
  days        integer NOT NULL,
  sent_at     timestamptz NOT NULL,
  PRIMARY KEY (business_id, invoice_id, due_date, days),
  FOREIGN KEY (business_id, invoice_id) REFERENCES invoices (business_id, invoice_id)
);
COMMENT ON TABLE invoice_reminders IS
  'The reminders of invoices: so many days after the due date that the invoice had.';

CREATE TABLE invoice_numbers (
  business_id      bigint PRIMARY KEY REFERENCES businesses,
  last_number      bigint NOT NULL,
  last_credit_note bigint NOT NULL DEFAULT 0
);
COMMENT ON TABLE invoice_numbers IS
  'The last numbers of the invoices and of the credit notes of each business. A sequence would leave gaps: it does not take part in a rollback.';

CREATE TABLE credit_notes (
  business_id    bigint NOT NULL,
  credit_note_id bigint GENERATED ALWAYS AS IDENTITY,
  invoice_id     bigint NOT NULL,
  number         text NOT NULL,
  reason         text NOT NULL CHECK (reason IN ('cancellation', 'price', 'complaint', 'duplicate', 'other')),
  currency       text NOT NULL,
  lines          jsonb NOT NULL,
  taxes          jsonb NOT NULL,
  subtotal_minor bigint NOT NULL,
  tax_minor      bigint NOT NULL,
  total_minor    bigint NOT NULL CHECK (total_minor < 0),
  refund_minor   bigint NOT NULL CHECK (refund_minor >= 0),
  notes          text,
  created_at     timestamptz NOT NULL,
  PRIMARY KEY (business_id, credit_note_id),
  UNIQUE (business_id, number),
  FOREIGN KEY (business_id, invoice_id) REFERENCES invoices (business_id, invoice_id)
);
COMMENT ON TABLE credit_notes IS 'Credit notes are neither changed nor deleted. Their amounts are negative.';
CREATE INDEX credit_notes_by_invoice ON credit_notes (business_id, invoice_id, credit_note_id);

CREATE TABLE payments (
  business_id  bigint NOT NULL,
  payment_id   bigint GENERATED ALWAYS AS IDENTITY,
  invoice_id   bigint NOT NULL,
  kind         text NOT NULL CHECK (
    kind IN ('payment', 'refund', 'reversal', 'credit', 'excess', 'excess_refund', 'excess_reversal')),
  amount_minor bigint NOT NULL CHECK (amount_minor > 0),
  currency     text NOT NULL,
  method       text NOT NULL CHECK (method IN ('card', 'cash', 'bank_transfer', 'other')),
  received_at  timestamptz NOT NULL,
  reference    text,
  refund_of    bigint,
  provider_id  text,
  created_at   timestamptz NOT NULL,
  PRIMARY KEY (business_id, payment_id),
  FOREIGN KEY (business_id, invoice_id) REFERENCES invoices (business_id, invoice_id),
  FOREIGN KEY (business_id, refund_of) REFERENCES payments (business_id, payment_id),
  CHECK ((refund_of IS NULL) = (kind IN ('payment', 'excess')))
);
COMMENT ON TABLE payments IS 'The ledger: rows are only ever added.';
CREATE INDEX payments_by_invoice ON payments (business_id, invoice_id, payment_id);
CREATE UNIQUE INDEX payments_by_provider ON payments (business_id, provider_id, kind, refund_of) NULLS NOT DISTINCT
  WHERE provider_id IS NOT NULL;
COMMENT ON INDEX payments_by_provider IS
  'A card payment, a refund of the provider and its reversal are entered once for each entry that they refer to.';

CREATE FUNCTION refuse_change_of_ledger() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the ledger is append-only: enter a refund or a reversal instead' USING ERRCODE = 'restrict_violation';
END
$$;
CREATE TRIGGER payments_append_only BEFORE UPDATE OR DELETE ON payments
  FOR EACH ROW EXECUTE FUNCTION refuse_change_of_ledger();
CREATE TRIGGER payments_not_truncated BEFORE TRUNCATE ON payments
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_ledger();

CREATE TABLE card_intents (
  business_id  bigint NOT NULL,
  intent_id    text NOT NULL,
  invoice_id   bigint NOT NULL,
  amount_minor bigint NOT NULL,
  created_at   timestamptz NOT NULL,
  ended_at     timestamptz,
  PRIMARY KEY (business_id, intent_id),
  FOREIGN KEY (business_id, invoice_id) REFERENCES invoices (business_id, invoice_id)
);
CREATE INDEX card_intents_by_invoice ON card_intents (business_id, invoice_id, created_at);
CREATE INDEX card_intents_open ON card_intents (business_id, intent_id) WHERE ended_at IS NULL;

CREATE TABLE payment_notices (
  business_id bigint NOT NULL REFERENCES businesses,
  event_id    text NOT NULL,
  received_at timestamptz NOT NULL,
  PRIMARY KEY (business_id, event_id)
);
COMMENT ON TABLE payment_notices IS 'The notices of the payment provider that were handled: each one once.';
`
