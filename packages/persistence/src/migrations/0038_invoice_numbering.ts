/** The numbers that businesses choose for their invoices. */
export const invoiceNumbering = `
ALTER TABLE invoice_numbers ADD COLUMN numbering jsonb;
COMMENT ON COLUMN invoice_numbers.numbering IS 'The format that the business set, and its last counts; null for INV-000001 and so on.';

ALTER TABLE invoices ADD COLUMN shown_number text COLLATE "C";
COMMENT ON COLUMN invoices.number IS 'The place in the order of the invoices of the business, without gaps. In the order of bytes, so that an index has the numbers of one length in the order of counting.';
COMMENT ON COLUMN invoices.shown_number IS 'The number of an invoice whose business set a format; null: number is shown.';
CREATE UNIQUE INDEX invoices_by_shown_number ON invoices (business_id, shown_number) WHERE shown_number IS NOT NULL;
`
