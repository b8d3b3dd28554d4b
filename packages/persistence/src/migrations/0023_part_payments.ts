/** Whether customers may pay an invoice in parts. */
export const partPayments = `
ALTER TABLE businesses ADD COLUMN part_payments_allowed boolean NOT NULL DEFAULT false;
`
