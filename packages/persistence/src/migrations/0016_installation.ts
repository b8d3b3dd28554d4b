/** The name of the installation. The table is global. */
export const installation = `
CREATE TABLE installation (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  name     text NOT NULL
);
INSERT INTO installation (name) VALUES (replace(gen_random_uuid()::text, '-', ''));
COMMENT ON TABLE installation IS
  'A random name, under which this installation keeps its records at the payment provider. Several installations may share an account there.';
`
