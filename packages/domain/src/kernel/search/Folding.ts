/** Folding: the form in which a search compares texts, without case and accents. */

/**
 * Latin letters that Unicode does not decompose, with the letters that people type in their place: those of the rules of
 * PostgreSQL's `unaccent`.
 */
const plainLetters: ReadonlyMap<string, string> = new Map(
  (
    "ß:ss æ:ae œ:oe ø:o ł:l đ:d ð:d þ:th ħ:h ı:i ĸ:k ŋ:n ŧ:t ə:e ɛ:e ƀ:b ɓ:b ƃ:b ƈ:c ȼ:c ɗ:d ɖ:d ƌ:d ɇ:e ƒ:f ǥ:g ɠ:g " +
    "ɨ:i ɩ:i ɉ:j ȷ:j ƙ:k ƚ:l ɫ:l ɬ:l ɱ:m ɲ:n ƞ:n ɵ:o ɔ:o ƥ:p ɋ:q ɍ:r ɽ:r ȿ:s ʂ:s ƫ:t ƭ:t ʈ:t ȶ:t ʉ:u ʊ:u ʋ:v ⱳ:w ƴ:y ɏ:y " +
    "ƶ:z ȥ:z ɀ:z ʐ:z ς:σ ƕ:hv ƣ:oi ȡ:d ȴ:l ȵ:n ȸ:db ȹ:qp ⱥ:a ⱦ:t ɕ:c ɟ:j ɡ:g ɢ:g ɦ:h ɧ:h ɪ:i ɭ:l ɳ:n ɴ:n ɶ:oe ɼ:r ɾ:r ʀ:r ʏ:y ʑ:z ʙ:b ʛ:g " +
    "ʜ:h ʝ:j ʟ:l ʠ:q ʣ:dz ʥ:dz ʦ:ts ʪ:ls ʫ:lz ᴀ:a ᴁ:ae ᴃ:b ᴄ:c ᴅ:d ᴆ:d ᴇ:e ᴊ:j ᴋ:k ᴌ:l ᴍ:m ᴏ:o ᴘ:p ᴛ:t ᴜ:u ᴠ:v ᴡ:w " +
    "ᴢ:z ᵫ:ue ᵬ:b ᵭ:d ᵮ:f ᵯ:m ᵰ:n ᵱ:p ᵲ:r ᵳ:r ᵴ:s ᵵ:t ᵶ:z ᵺ:th ᵻ:i ᵽ:p ᵾ:u ᶀ:b ᶁ:d ᶂ:f ᶃ:g ᶄ:k ᶅ:l ᶆ:m ᶇ:n ᶈ:p ᶉ:r " +
    "ᶊ:s ᶌ:v ᶍ:x ᶎ:z ᶏ:a ᶑ:d ᶒ:e ᶓ:e ᶖ:i ᶙ:u ẜ:s ẝ:s ỻ:ll ỽ:v ỿ:y ⱡ:l ⱨ:h ⱪ:k ⱬ:z ⱱ:v ⱴ:v ⱸ:e ⱺ:o ꜰ:f ꜱ:s ꜳ:aa ꜵ:ao " +
    "ꜷ:au ꜹ:av ꜻ:av ꜽ:ay ꝁ:k ꝃ:k ꝅ:k ꝇ:l ꝉ:l ꝋ:o ꝍ:o ꝏ:oo ꝑ:p ꝓ:p ꝕ:p ꝗ:q ꝙ:q ꝟ:v ꝡ:vy ꝥ:th ꝧ:th ꝱ:d ꝲ:l ꝳ:m ꝴ:n ꝵ:r " +
    "ꝶ:r ꝷ:t ꝺ:d ꝼ:f ꞇ:t ꞑ:n ꞓ:c ꞡ:g ꞣ:k ꞥ:n ꞧ:r ꞩ:s"
  )
    .split(" ")
    .map((pair) => pair.split(":") as [string, string])
)

const isPlain = /^\p{ASCII}*$/u

/**
 * A text in lower case, without accents, and with plain letters: `Straße` becomes `strasse`, `Łódź` `lodz`. A final sigma
 * becomes the ordinary one. Signs of Hangul stay whole.
 */
export const folded = (text: string): string => {
  if (isPlain.test(text)) return text.toLowerCase()
  return text
    .normalize("NFKD")
    .replaceAll(/[\p{M}\p{Lm}]/gu, (sign) =>
      /[\u3005\u3031-\u3035\u303b\u309d\u309e\u30fc-\u30fe]/u.test(sign) ? sign : ""
    )
    .toLowerCase()
    .replaceAll(/\P{ASCII}/gu, (letter) => plainLetters.get(letter) ?? letter)
    .normalize("NFC")
}

/** The signs of scripts that write no spaces between words: Chinese, Japanese and Korean. */
const sign = String.raw`[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Bopo}]`
const signs = new RegExp(`${sign}+`, "u")

/** The gaps between the signs of a name: `山田 太郎` and `ジョン・スミス` are also written without them. */
const gaps = new RegExp(`(?<=${sign})[\\s・]+(?=${sign})`, "gu")

/** Words that are a part of the name after them, as in `van der Berg`, `Mc Donald` and `St. John`. */
const particles =
  /(?<=^|[\s,(])(?:mc|mac|o|d|de|del|della|der|den|di|da|do|dos|du|la|le|van|von|zu|ter|ten|el|al|bin|ibn|st)\.?\s+(?=\p{L})/giu

/** The signs within a name that people leave out, and the dots of initials. */
const signsInNames = /(?<=\p{L})['’‘ʼʻ`´ʹ\-‐‑–]\s?(?=\p{L})|(?<=(?<!\p{L})\p{L})\.\s?(?=\p{L}(?!\p{L}))/gu

/**
 * A text whose names are in one word each: `O'Brien` becomes `OBrien`, `Jean-Luc` `JeanLuc`, `J.R.` `JR.`, `van der Berg`
 * `vanderBerg`, and `山田 太郎` `山田太郎`.
 */
export const withJoinedNames = (text: string): string =>
  text
    .replaceAll(signsInNames, "")
    .replaceAll(particles, (particle) => particle.replace(/\.?\s+$/u, ""))
    .replaceAll(gaps, "")

/** How many signs a stored word of such a script has. */
const signsOfWord = 4

const isSigns = (word: string) => signs.test(word)

/** A word, divided where signs and letters meet. */
const divided = (word: string): ReadonlyArray<string> =>
  word.split(new RegExp(`(${signs.source})`, "u")).filter((part) => part !== "")

/**
 * The words by which a word is found. Signs are found from any of them on: `山田太郎` has `山田太郎`, `田太郎`, `太郎` and `郎`.
 */
export const storedForms = (word: string): ReadonlyArray<string> => {
  if (!isSigns(word)) return [word]
  const fromEachSign = divided(word).flatMap((part) => {
    if (!isSigns(part)) return [part]
    const all = Array.from(part)
    return all.map((_, start) => all.slice(start, start + signsOfWord).join(""))
  })
  return [word, ...fromEachSign]
}

/** The words to search for, for a word of a search: signs in groups as long as the stored words. */
export const searchedForms = (word: string): ReadonlyArray<string> => {
  if (!isSigns(word)) return [word]
  return divided(word).flatMap((part) => {
    const all = Array.from(part)
    if (!isSigns(part) || all.length <= signsOfWord) return [part]
    const starts = Array.from({ length: Math.ceil(all.length / signsOfWord) }, (_, group) =>
      Math.min(group * signsOfWord, all.length - signsOfWord)
    )
    return starts.map((start) => all.slice(start, start + signsOfWord).join(""))
  })
}
