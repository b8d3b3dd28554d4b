/** Writes XML: elements in the order given, texts escaped, and only characters that XML 1.0 has. */

/** An element, or null if the part is absent. Null writes nothing. */
export type Xml = string | null

const forbidden = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu

/** A text of ASCII without the characters that are escaped, as most are: the replacements would take longer than all else. */
const plain = /^[\t\n\r !#-%'-;=?-~]*$/u

/** A text as it stands between two tags or within quotation marks. */
const escaped = (text: string): string =>
  plain.test(text)
    ? text
    : text
        .toWellFormed()
        .replaceAll(forbidden, "")
        .replaceAll("&", "&amp;")
        .replaceAll("<", "&lt;")
        .replaceAll(">", "&gt;")
        .replaceAll('"', "&quot;")

const attributesOf = (attributes: Readonly<Record<string, string>>) =>
  Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${escaped(value)}"`)
    .join("")

/** An element with a text; nothing if the text is absent or blank. */
export const leaf = (
  name: string,
  text: string | null,
  attributes: Readonly<Record<string, string>> = {}
): Xml =>
  text === null || text.trim() === ""
    ? null
    : `<${name}${attributesOf(attributes)}>${escaped(text.trim())}</${name}>`

/** An element with others inside; nothing if all of them are absent. */
export const group = (
  name: string,
  parts: ReadonlyArray<Xml>,
  attributes: Readonly<Record<string, string>> = {}
): Xml => {
  const present = parts.filter((part) => part !== null)
  return present.length === 0 ? null : `<${name}${attributesOf(attributes)}>${present.join("")}</${name}>`
}
