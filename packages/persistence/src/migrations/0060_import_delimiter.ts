/** What is between the cells of an imported file, so that its refused lines come back in the same form. */
export const importDelimiter = `
ALTER TABLE imports ADD COLUMN delimiter text NOT NULL DEFAULT ',';
`
