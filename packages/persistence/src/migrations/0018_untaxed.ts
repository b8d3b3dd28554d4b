/** Why lines at a rate of zero carry no tax: of each invoice, and of the new invoices of a business. */
const columns = `
  ADD COLUMN untaxed_as     text NOT NULL DEFAULT 'zero_rated' CHECK (untaxed_as IN ('zero_rated', 'exempt', 'reverse_charge')),
  ADD COLUMN untaxed_reason text`

export const untaxed = `
ALTER TABLE invoices ${columns};
ALTER TABLE businesses ${columns};
`
