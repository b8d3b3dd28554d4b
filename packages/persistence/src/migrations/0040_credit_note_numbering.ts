/** The numbers that businesses choose for their credit notes. */
export const creditNoteNumbering = `
ALTER TABLE invoice_numbers ADD COLUMN credit_note_numbering jsonb;
COMMENT ON COLUMN invoice_numbers.credit_note_numbering IS 'The same as numbering, for credit notes; null for CN-000001 and so on.';

ALTER TABLE credit_notes ADD COLUMN shown_number text COLLATE "C";
COMMENT ON COLUMN credit_notes.number IS 'The place in the order of the credit notes of the business, without gaps.';
COMMENT ON COLUMN credit_notes.shown_number IS 'The number of a credit note whose business set a format; null: number is shown.';
CREATE UNIQUE INDEX credit_notes_by_shown_number ON credit_notes (business_id, shown_number) WHERE shown_number IS NOT NULL;
`
