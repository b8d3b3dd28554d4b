/** The indexes that list the invoices of some days, the newest first: all, of one status, and of one customer. */
export const invoiceDays = `
CREATE INDEX invoices_by_day ON invoices (business_id, created_at DESC, invoice_id DESC) WHERE deleted_at IS NULL;
CREATE INDEX invoices_by_status_and_day ON invoices (business_id, status, created_at DESC, invoice_id DESC)
  WHERE deleted_at IS NULL;
CREATE INDEX invoices_by_customer_and_day ON invoices (business_id, customer_id, created_at DESC, invoice_id DESC)
  WHERE customer_id IS NOT NULL AND deleted_at IS NULL;
`
