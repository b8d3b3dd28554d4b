/** Folding: the form in which a search compares texts, without case and accents. */

/** Latin letters that Unicode does not decompose, with the letters that people type in their place. */
const plainLetters: ReadonlyMap<string, string> = new Map(
  (
    "ß:ss æ:ae œ:oe ø:o ł:l đ:d ð:d þ:th ħ:h ı:i ĸ:k ŋ:n ŧ:t ə:e ɛ:e ƀ:b ɓ:b ƃ:b ƈ:c ȼ:c ɗ:d ɖ:d ƌ:d ɇ:e ƒ:f ǥ:g ɠ:g " +
    "ɨ:i ɩ:i ɉ:j ȷ:j ƙ:k ƚ:l ɫ:l ɬ:l ɱ:m ɲ:n ƞ:n ɵ:o ɔ:o ƥ:p ɋ:q ɍ:r ɽ:r ȿ:s ʂ:s ƫ:t ƭ:t ʈ:t ȶ:t ʉ:u ʊ:u ʋ:v ⱳ:w ƴ:y ɏ:y " +
    "ƶ:z ȥ:z ɀ:z ʐ:z ς:σ"
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
const signs = /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Bopo}]+/u

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
