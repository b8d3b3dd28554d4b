/** Runs that invoice a month for all customers. */
export const monthlyRuns = `
CREATE TABLE monthly_runs (
  business_id            bigint NOT NULL REFERENCES businesses,
  run_id                 bigint GENERATED ALWAYS AS IDENTITY,
  month                  text NOT NULL,
  terms                  jsonb NOT NULL,
  trips_without_customer integer NOT NULL,
  created_at             timestamptz NOT NULL,
  finished_at            timestamptz,
  PRIMARY KEY (business_id, run_id)
);
COMMENT ON TABLE monthly_runs IS 'Runs that invoice a month for all customers of a business.';
CREATE UNIQUE INDEX monthly_runs_unfinished ON monthly_runs (business_id, month) WHERE finished_at IS NULL;

CREATE TABLE monthly_run_items (
  business_id bigint NOT NULL,
  run_id      bigint NOT NULL,
  customer_id bigint NOT NULL,
  currency    text NOT NULL,
  outcome     text NOT NULL,
  invoice_id  bigint,
  left_out    jsonb NOT NULL,
  sending     text,
  reason      text,
  PRIMARY KEY (business_id, run_id, customer_id, currency),
  FOREIGN KEY (business_id, run_id) REFERENCES monthly_runs (business_id, run_id),
  FOREIGN KEY (business_id, invoice_id) REFERENCES invoices (business_id, invoice_id)
);
COMMENT ON TABLE monthly_run_items IS 'What became of the month of each customer in each currency.';
COMMENT ON COLUMN monthly_run_items.customer_id IS 'Without a foreign key: the customer may be deleted later.';
CREATE INDEX monthly_run_items_to_raise ON monthly_run_items (business_id, run_id, customer_id, currency)
  WHERE outcome = 'pending';
CREATE INDEX monthly_run_items_to_send ON monthly_run_items (business_id, run_id, customer_id, currency)
  WHERE sending = 'pending';
`
