/** Files that businesses uploaded. The contents are kept elsewhere, by file name. */
export const uploads = `
CREATE TABLE uploads (
  business_id  bigint NOT NULL REFERENCES businesses,
  upload_id    bigint GENERATED ALWAYS AS IDENTITY,
  file_name    text NOT NULL,
  content_type text NOT NULL,
  size         bigint NOT NULL CHECK (size > 0),
  created_at   timestamptz NOT NULL,
  PRIMARY KEY (business_id, upload_id),
  UNIQUE (business_id, file_name)
);
COMMENT ON COLUMN uploads.file_name IS 'It cannot be guessed: a caller that has the name may read the file.';
`
