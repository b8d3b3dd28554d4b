/**
 * The moves of businesses to other installations, and from there. While a business is copied, triggers of its name on its
 * tables call `refuse_while_moving`; they exist only during that time. The error `LV001` becomes a response with `Retry-After`.
 */
export const moves = `
CREATE TABLE business_moves (
  business_id        bigint PRIMARY KEY REFERENCES businesses,
  move_id            text NOT NULL,
  target_url         text NOT NULL,
  state              text NOT NULL CONSTRAINT business_moves_state CHECK (state IN ('copying', 'aborting', 'moved', 'finished')),
  was_active         boolean NOT NULL,
  started_at         timestamptz NOT NULL,
  moved_at           timestamptz,
  target_business_id bigint,
  target_slug        text,
  sums               jsonb,
  CONSTRAINT business_moves_moved_at CHECK ((state IN ('moved', 'finished')) = (moved_at IS NOT NULL))
);
COMMENT ON TABLE business_moves IS
  'Moves to another installation. From moved on, that installation is the home of the business, and this one redirects.';
COMMENT ON COLUMN business_moves.sums IS 'The number and the checksum of the rows of each table, as they were moved.';

CREATE TABLE business_arrivals (
  move_id     text PRIMARY KEY,
  business_id bigint NOT NULL REFERENCES businesses,
  state       text NOT NULL CONSTRAINT business_arrivals_state CHECK (state IN ('copying', 'complete', 'open'))
);
COMMENT ON TABLE business_arrivals IS
  'Moves from another installation. Until open, the business is suspended here, and the other installation is its home.';

CREATE INDEX business_arrivals_closed ON business_arrivals (business_id) WHERE state <> 'open';

CREATE FUNCTION refuse_while_moving() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF coalesce(current_setting('livery.moves', true), '') <> 'on' THEN
    RAISE EXCEPTION 'The business is being moved to another installation' USING ERRCODE = 'LV001';
  END IF;
  IF TG_OP = 'DELETE' THEN RETURN OLD; END IF;
  RETURN NEW;
END;
$$;

CREATE OR REPLACE FUNCTION refuse_change_of_ledger() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND coalesce(current_setting('livery.moves', true), '') = 'on' THEN RETURN OLD; END IF;
  RAISE EXCEPTION 'the ledger is append-only: enter a refund or a reversal instead' USING ERRCODE = 'restrict_violation';
END
$$;
COMMENT ON FUNCTION refuse_change_of_ledger IS
  'Rows are deleted only with all data of a business that has another home, in a transaction that sets livery.moves.';
`
