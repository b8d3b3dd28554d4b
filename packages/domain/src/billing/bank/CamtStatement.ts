/** Reading a statement in the format `camt.053` of ISO 20022, in the versions 001.02 and 001.08. */
import type { EntryDirection } from "./BankStatement.ts"
import {
  currencyIn,
  dayIn,
  faultAt,
  minorIn,
  plainText,
  type ReadStatement,
  type StatementFault
} from "./StatementFaults.ts"
import type { XmlElement } from "./XmlReader.ts"

/** The elements at the end of a path of names. */
const allAt = (element: XmlElement | undefined, path: string): ReadonlyArray<XmlElement> =>
  path
    .split("/")
    .reduce<ReadonlyArray<XmlElement>>(
      (found, name) => found.flatMap(({ children }) => children.filter((child) => child.name === name)),
      element === undefined ? [] : [element]
    )

/** The text at the first of several paths that has one. */
const textAt = (element: XmlElement | undefined, ...paths: ReadonlyArray<string>): string | undefined =>
  paths.flatMap((path) => allAt(element, path).map(({ text }) => text.trim())).find((text) => text !== "")

/** Banks write `NOTPROVIDED` where there is no reference. */
const referenceAt = (element: XmlElement | undefined, ...paths: ReadonlyArray<string>) => {
  const text = plainText(textAt(element, ...paths), 200)
  return text === "NOTPROVIDED" ? null : text
}

const directions: Readonly<Record<string, typeof EntryDirection.Type>> = { CRDT: "credit", DBIT: "debit" }

/** The texts of a transaction: what the payer wrote, and the payer's own identification. */
const textsOf = (details: XmlElement | undefined, entry: XmlElement) => {
  const written = [
    ...allAt(details, "RmtInf/Ustrd").map(({ text }) => text),
    referenceAt(details, "Refs/EndToEndId") ?? ""
  ]
  return {
    payer_name: plainText(
      textAt(
        details,
        "RltdPties/Dbtr/Nm",
        "RltdPties/Dbtr/Pty/Nm",
        "RltdPties/UltmtDbtr/Nm",
        "RltdPties/UltmtDbtr/Pty/Nm"
      ),
      200
    ),
    text: plainText(written.join(" "), 1000) ?? plainText(textAt(entry, "AddtlNtryInf"), 1000),
    structured_reference: referenceAt(details, "RmtInf/Strd/CdtrRefInf/Ref")
  }
}

/**
 * Reads the booked entries of a document. A batch is read as its transactions if they have amounts in the currency of the entry
 * whose sum is that of the entry, and otherwise as one entry: no amount is made up.
 */
export const entriesOfCamt = (
  root: XmlElement
): ReadStatement & { readonly faults: ReadonlyArray<StatementFault> } => {
  const statements = allAt(root, "BkToCstmrStmt/Stmt")
  const faults: Array<StatementFault> = []
  const entries: Array<ReadStatement["entries"][number]> = []
  if (root.name !== "Document" || statements.length === 0)
    faults.push({ field: "file", issue: "invalid", reason: "The file is no camt.053 statement" })
  const all = statements.flatMap((statement) => allAt(statement, "Ntry"))
  for (const [index, entry] of all.entries()) {
    const fault = (column: string, reason: string) =>
      void faults.push(faultAt(["entries", index + 1], column, "invalid", reason))
    const [amount] = allAt(entry, "Amt")
    const currency = currencyIn(amount?.attributes["Ccy"] ?? "")
    const amount_minor = currency === undefined ? undefined : minorIn(amount?.text.trim() ?? "", currency)
    const direction = directions[textAt(entry, "CdtDbtInd") ?? ""]
    const booked_on = dayIn(textAt(entry, "BookgDt/Dt", "BookgDt/DtTm", "ValDt/Dt", "ValDt/DtTm") ?? "")
    // An entry that is pending or for information comes again once it is booked.
    if ((textAt(entry, "Sts/Cd", "Sts") ?? "BOOK") !== "BOOK") continue
    if (currency === undefined) fault("Amt", "the currency is unknown")
    else if (amount_minor === undefined)
      fault("Amt", `"${amount?.text.trim() ?? ""}" is no amount in ${currency}`)
    if (direction === undefined) fault("CdtDbtInd", "it is neither a credit nor a debit")
    if (booked_on === undefined) fault("BookgDt", "it has no day")
    if (
      currency === undefined ||
      amount_minor === undefined ||
      direction === undefined ||
      booked_on === undefined ||
      amount_minor === 0
    )
      continue
    const details = allAt(entry, "NtryDtls/TxDtls")
    const bank_reference = referenceAt(entry, "AcctSvcrRef")
    const common = { direction, booked_on, currency }
    const parts = details.map((detail) => {
      const [part] = [...allAt(detail, "AmtDtls/TxAmt/Amt"), ...allAt(detail, "Amt")]
      return part?.attributes["Ccy"] === currency ? (minorIn(part.text.trim(), currency) ?? 0) : 0
    })
    const isWhole =
      details.length > 1 &&
      parts.every((part) => part > 0) &&
      parts.reduce((sum, part) => sum + part, 0) === amount_minor &&
      details.every(
        (detail) =>
          directions[textAt(detail, "CdtDbtInd") ?? ""] !== (direction === "credit" ? "debit" : "credit")
      )
    if (isWhole)
      for (const [at, detail] of details.entries())
        entries.push({
          ...common,
          amount_minor: parts[at] ?? 0,
          ...textsOf(detail, entry),
          bank_reference: referenceAt(detail, "Refs/AcctSvcrRef") ?? bank_reference
        })
    else {
      const only = details.length === 1 ? details[0] : undefined
      entries.push({
        ...common,
        amount_minor,
        ...textsOf(only, entry),
        bank_reference: bank_reference ?? referenceAt(only, "Refs/AcctSvcrRef")
      })
    }
  }
  const account = plainText(textAt(statements[0], "Acct/Id/IBAN", "Acct/Id/Othr/Id"), 50)
  return { account, entries, faults }
}
