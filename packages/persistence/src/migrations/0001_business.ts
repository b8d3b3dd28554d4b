/** Plans and businesses. Every other table of a business refers to `businesses`. Both tables are global. */
export const business = `
CREATE EXTENSION IF NOT EXISTS pg_trgm;

CREATE TABLE plans (
  plan_id    integer PRIMARY KEY,
  code       text NOT NULL UNIQUE,
  name       text NOT NULL,
  cars       integer CHECK (cars >= 0),
  drivers    integer CHECK (drivers >= 0),
  invoices   integer CHECK (invoices >= 0),
  seat_minor bigint CHECK (seat_minor >= 0),
  currency   text NOT NULL,
  active     boolean NOT NULL DEFAULT true
);
COMMENT ON TABLE plans IS 'Allowances by plan. Null means no limit; a null seat_minor means that no seats are sold.';

INSERT INTO plans (plan_id, code, name, cars, drivers, invoices, seat_minor, currency) VALUES
  (1, 'free',  'Free',  2,    2,  10,   NULL, 'USD'),
  (2, 'pro',   'Pro',   20,   10, 500,  1500, 'USD'),
  (3, 'fleet', 'Fleet', NULL, 50, NULL, 1000, 'USD');

CREATE TABLE businesses (
  business_id                   bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  business_name                 text NOT NULL,
  business_email                text NOT NULL,
  vendor_slug                   text NOT NULL UNIQUE,
  status                        text NOT NULL DEFAULT 'A' CHECK (status IN ('A', 'D')),
  subscription_plan_id          integer NOT NULL REFERENCES plans,
  subscription_status           text NOT NULL DEFAULT 'active'
    CHECK (subscription_status IN ('trialing', 'active', 'past_due', 'cancelled')),
  subscription_item_id          text,
  email_credits                 integer NOT NULL DEFAULT 0 CHECK (email_credits >= 0),
  currency                      text NOT NULL DEFAULT 'USD',
  timezone                      text NOT NULL DEFAULT 'UTC',
  website_url                   text,
  phone                         text,
  address                       text,
  logo_url                      text,
  clash_policy                  text NOT NULL DEFAULT 'warn' CHECK (clash_policy IN ('off', 'warn', 'enforce')),
  turnaround_minutes            integer NOT NULL DEFAULT 0 CHECK (turnaround_minutes BETWEEN 0 AND 1440),
  early_start_minutes           integer CHECK (early_start_minutes BETWEEN 0 AND 44640),
  booking_confirmation_required boolean NOT NULL DEFAULT false,
  country                       text,
  locale                        text,
  vat_number                    text,
  tax_number                    text,
  registration_number           text,
  iban                          text,
  bic                           text,
  untaxed_as                    text NOT NULL DEFAULT 'zero_rated'
    CHECK (untaxed_as IN ('zero_rated', 'exempt', 'reverse_charge')),
  untaxed_reason                text,
  payment_terms_days            integer CHECK (payment_terms_days BETWEEN 0 AND 365),
  reminder_days                 integer[] NOT NULL DEFAULT '{}',
  email_wording                 jsonb NOT NULL DEFAULT
    '{"quote_sent": null, "quote_accepted": null, "booking_confirmed": null, "booking_cancelled": null}',
  booking_page                  jsonb NOT NULL DEFAULT
    '{"lead_minutes": 0, "class_leads": [], "opening_hours": [], "blackout_dates": [], "manual_pricing_hours": 0}',
  created_at                    timestamptz NOT NULL,
  updated_at                    timestamptz NOT NULL
);
CREATE INDEX businesses_by_search ON businesses USING gin (
  business_name gin_trgm_ops, business_email gin_trgm_ops, vendor_slug gin_trgm_ops) WITH (fastupdate = off);
CREATE INDEX businesses_by_subscription_item ON businesses (subscription_item_id)
  WHERE subscription_item_id IS NOT NULL;
COMMENT ON COLUMN businesses.subscription_item_id IS
  'The item of the business''s subscription at the payment provider whose quantity is the number of its seats.';
`
