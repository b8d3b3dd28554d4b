/** The payment statuses of bookings, by which they are listed. Part of the migration of sales. */
export const bookingPayments = `
CREATE TABLE booking_payments (
  business_id    bigint NOT NULL,
  booking_id     bigint NOT NULL,
  payment_status text NOT NULL CHECK (payment_status IN ('unpaid', 'partial', 'paid')),
  status         text NOT NULL,
  starts_at      timestamptz NOT NULL,
  product_id     bigint NOT NULL,
  customer_id    bigint,
  PRIMARY KEY (business_id, booking_id),
  FOREIGN KEY (business_id, booking_id) REFERENCES bookings (business_id, booking_id) ON DELETE CASCADE
);
COMMENT ON TABLE booking_payments IS
  'The payment status of each booking for the filter of the list, copied from its trip or invoice by triggers. A row of its own, because a payment locks the invoice first, and a booking is locked before its invoice.';
CREATE INDEX booking_payments_by_status ON booking_payments (business_id, payment_status, starts_at, booking_id);
CREATE INDEX booking_payments_by_both ON booking_payments (business_id, payment_status, status, starts_at, booking_id);
CREATE INDEX booking_payments_by_product ON booking_payments (business_id, product_id, payment_status, starts_at, booking_id);
CREATE INDEX booking_payments_by_customer ON booking_payments (business_id, customer_id, payment_status, starts_at, booking_id)
  WHERE customer_id IS NOT NULL;

CREATE FUNCTION copy_booking_payment() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.deleted_at IS NOT NULL THEN
    DELETE FROM booking_payments WHERE business_id = NEW.business_id AND booking_id = NEW.booking_id;
  ELSIF TG_OP = 'UPDATE' AND (NEW.trip_id, NEW.invoice_id) IS NOT DISTINCT FROM (OLD.trip_id, OLD.invoice_id) THEN
    -- Without the payment status, which a concurrent payment may be changing.
    UPDATE booking_payments SET status = NEW.status, starts_at = NEW.starts_at, customer_id = NEW.customer_id
    WHERE business_id = NEW.business_id AND booking_id = NEW.booking_id;
  ELSE
    INSERT INTO booking_payments (business_id, booking_id, payment_status, status, starts_at, product_id, customer_id)
    VALUES (NEW.business_id, NEW.booking_id, coalesce(
      CASE WHEN NEW.trip_id IS NULL THEN (
        SELECT i.status FROM invoices i
        WHERE i.business_id = NEW.business_id AND i.invoice_id = NEW.invoice_id AND i.voided_at IS NULL
          AND (i.credited_minor = 0 OR i.credited_minor < i.total_minor))
      ELSE (
        SELECT t.payment_status FROM trips t WHERE t.business_id = NEW.business_id AND t.trip_id = NEW.trip_id)
      END, 'unpaid'), NEW.status, NEW.starts_at, NEW.product_id, NEW.customer_id)
    ON CONFLICT (business_id, booking_id) DO UPDATE
      SET payment_status = excluded.payment_status, status = excluded.status, starts_at = excluded.starts_at,
        customer_id = excluded.customer_id;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER bookings_payment_of_new AFTER INSERT ON bookings FOR EACH ROW EXECUTE FUNCTION copy_booking_payment();
CREATE TRIGGER bookings_payment_of_changed AFTER UPDATE ON bookings FOR EACH ROW
  WHEN ((OLD.trip_id, OLD.invoice_id, OLD.status, OLD.starts_at, OLD.customer_id, OLD.deleted_at)
    IS DISTINCT FROM (NEW.trip_id, NEW.invoice_id, NEW.status, NEW.starts_at, NEW.customer_id, NEW.deleted_at))
  EXECUTE FUNCTION copy_booking_payment();

CREATE FUNCTION copy_trip_payment() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE booking_payments SET payment_status = NEW.payment_status
  WHERE business_id = NEW.business_id AND booking_id IN (
    SELECT b.booking_id FROM bookings b WHERE b.business_id = NEW.business_id AND b.trip_id = NEW.trip_id);
  RETURN NULL;
END $$;
CREATE TRIGGER trips_payment AFTER UPDATE ON trips FOR EACH ROW
  WHEN (OLD.payment_status IS DISTINCT FROM NEW.payment_status) EXECUTE FUNCTION copy_trip_payment();

CREATE FUNCTION copy_invoice_payment() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE in_force boolean := NEW.voided_at IS NULL AND (NEW.credited_minor = 0 OR NEW.credited_minor < NEW.total_minor);
BEGIN
  -- The trips that were deleted while they were on the invoice, because their bookings still show them.
  UPDATE trips SET payment_status = CASE WHEN in_force THEN NEW.status ELSE 'unpaid' END,
    invoice_id = CASE WHEN in_force THEN NEW.invoice_id END
  WHERE business_id = NEW.business_id AND invoice_id = NEW.invoice_id AND deleted_at IS NOT NULL;
  UPDATE booking_payments SET payment_status =
    CASE WHEN in_force THEN NEW.status ELSE 'unpaid' END
  WHERE business_id = NEW.business_id AND booking_id IN (
    SELECT b.booking_id FROM bookings b
    WHERE b.business_id = NEW.business_id AND b.invoice_id = NEW.invoice_id AND b.trip_id IS NULL);
  RETURN NULL;
END $$;
CREATE TRIGGER invoices_payment AFTER UPDATE ON invoices FOR EACH ROW
  WHEN ((OLD.status, OLD.voided_at, OLD.credited_minor, OLD.total_minor)
    IS DISTINCT FROM (NEW.status, NEW.voided_at, NEW.credited_minor, NEW.total_minor))
  EXECUTE FUNCTION copy_invoice_payment();
`
