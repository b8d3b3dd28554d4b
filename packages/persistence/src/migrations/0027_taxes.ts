/** How the prices of businesses and products are taxed, and which customers pay no tax. */
export const taxes = `
ALTER TABLE businesses
  ADD COLUMN default_taxes jsonb NOT NULL DEFAULT '[]',
  ADD COLUMN prices_include_tax boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN businesses.default_taxes IS 'The taxes of new lines, unless something more specific says otherwise.';
COMMENT ON COLUMN businesses.prices_include_tax IS 'Whether prices contain their taxes, unless something more specific says otherwise.';

ALTER TABLE customers
  ADD COLUMN untaxed_as text CHECK (untaxed_as IN ('zero_rated', 'exempt', 'reverse_charge')),
  ADD COLUMN untaxed_reason text;
COMMENT ON COLUMN customers.untaxed_as IS 'Why the customer pays no tax; null for a customer who does.';

ALTER TABLE products
  ADD COLUMN taxes jsonb,
  ADD COLUMN tax_included boolean;
COMMENT ON COLUMN products.taxes IS 'Null: those of the business.';
`
