/** The texts of a document that its PDF cannot show, and the packages whose fonts can. */
import { InvalidInput } from "../../kernel/Errors.ts"
import { firstCharacters } from "../../kernel/fields/Text.ts"
import { fontPackageFor } from "./FontPackages.ts"
import type { InvoiceDocument } from "./InvoiceDocument.ts"

/** A text of a document and the path to it. */
type Located = readonly [path: string, text: string]

const textsOf = (value: unknown, path: string): ReadonlyArray<Located> => {
  if (typeof value === "string") return [[path, value]]
  if (typeof value !== "object" || value === null || value instanceof Uint8Array) return []
  return Object.entries(value).flatMap(([name, inner]) =>
    textsOf(inner, path === "" ? name : `${path}.${name}`)
  )
}

/** The most texts that a refusal quotes. */
const mostQuoted = 3

/**
 * The refusal to send a PDF that shows replacement signs for `missing` characters. It names the fields of the document with such
 * characters, quotes their texts, and names the packages to install.
 */
export const cannotShow = (document: InvoiceDocument, missing: ReadonlyArray<string>): InvalidInput => {
  const { lines: items, ...rest } = document
  const found = textsOf({ items, ...rest }, "").filter(([, text]) =>
    missing.some((character) => text.normalize("NFC").includes(character))
  )
  const packages = [...new Set(missing.flatMap((character) => fontPackageFor(character) ?? []))]
  const quoted = found.slice(0, mostQuoted).map(([, text]) => `"${firstCharacters(text, 60)}"`)
  const install = packages.length === 0 ? "" : `install ${packages.join(" ")} on the server, or `
  return new InvalidInput({
    issues:
      found.length === 0
        ? [{ field: "force", issue: "required" }]
        : found.map(([field]) => ({ field, issue: "invalid" as const })),
    advice: `The PDF has no font for ${quoted.join(", ")}: ${install}send it with replacement signs by force: true`
  })
}
