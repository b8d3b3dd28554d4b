/**
 * No word that customers are found by is longer than 512 bytes. One that is longer than a `tsvector` can hold was
 * stored all the same, cut in the middle of a letter: no such row could be read or copied. Only letters that become
 * many when they are folded made such words, so only long texts are looked at; their words are made anew from what
 * they say, the accents of the letters in question left out. A Greek word's last letter is written like any other.
 */
export const boundedWords = String.raw`
CREATE FUNCTION pg_temp.bounded(word text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT left(word, max(length)) FROM generate_series(1, 512) AS length WHERE octet_length(left(word, length)) <= 512
$$;
CREATE FUNCTION pg_temp.folded(typed text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT lower(regexp_replace(normalize(typed, NFKD), '[\u0300-\u036f\u3099\u309a]', '', 'g'))
$$;
CREATE FUNCTION pg_temp.is_long(typed text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN octet_length(typed) > 180 THEN octet_length(normalize(typed, NFKD)) > 2000 ELSE false END
$$;

UPDATE customers
SET search = array_to_tsvector(ARRAY(
  SELECT business_id || ':' || pg_temp.bounded(word)
  FROM (
    SELECT regexp_split_to_table(
      pg_temp.folded(concat_ws(' ', name, email)), '[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u2000-\u206f\u3000-\u303f]+')
    UNION
    SELECT pg_temp.folded(email)
    UNION
    SELECT right(digits, length)
    FROM (SELECT regexp_replace(phone, '\D', '', 'g')) AS called (digits), generate_series(3, least(15, length(digits))) AS length
  ) AS words (word)
  WHERE word <> ''))
WHERE pg_temp.is_long(name) OR pg_temp.is_long(email);

UPDATE customers
SET search = array_to_tsvector(ARRAY(SELECT replace(word, 'ς', 'σ') FROM unnest(tsvector_to_array(search)) AS word))
WHERE search::text LIKE '%ς%';

DROP FUNCTION pg_temp.bounded(text), pg_temp.folded(text), pg_temp.is_long(text);
`
