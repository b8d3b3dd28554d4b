/**
 * XRechnung 3.0, the German form of the electronic invoice of EN 16931 (docs/billing/invoice-pdf.md). The names of rules (BR-DE-…) are
 * those of its specification.
 */
import { Schema } from "effect"
import { crossIndustryInvoice, type ElectronicProfile } from "./CrossIndustryInvoice.ts"
import { meansCodeOf } from "./ElectronicCodes.ts"
import type { InvoiceDocument, InvoiceParty, PostalAddress } from "./InvoiceDocument.ts"
import { electronicInvoiceFaults } from "./InvoiceDocumentFaults.ts"
import { ublInvoice } from "./UblInvoice.ts"

/** The two syntaxes of an electronic invoice. */
export const XRechnungSyntax = Schema.Literals(["ubl", "cii"])
export type XRechnungSyntax = typeof XRechnungSyntax.Type

const profile: ElectronicProfile = {
  guideline: "urn:cen.eu:en16931:2017#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0",
  process: "urn:fdc:peppol.eu:2017:poacc:billing:01:1.0"
}

const place = /^(?:[A-Z]{1,3}[- ])?(?<code>\d{4,6}|[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2})[ ,]+(?<city>\D.*)$/u

/** An address whose last line is a postal code and a city, in parts; unchanged if no line is. */
const inParts = (address: PostalAddress): PostalAddress => {
  if (address.city !== null && address.postal_code !== null) return address
  const at = address.lines.findLastIndex((line) => place.test(line))
  const groups = place.exec(address.lines[at] ?? "")?.groups
  return groups === undefined
    ? address
    : {
        ...address,
        lines: address.lines.filter((_, index) => index !== at),
        postal_code: groups["code"] ?? null,
        city: groups["city"] ?? null
      }
}

const withParts = (party: InvoiceParty): InvoiceParty => ({ ...party, address: inParts(party.address) })

/** A document as XRechnung states it: addresses in parts, and a person to contact. */
const prepared = (document: InvoiceDocument): InvoiceDocument => {
  const seller = withParts(document.seller)
  return {
    ...document,
    seller: { ...seller, contact: seller.contact ?? seller.name },
    buyer: withParts(document.buyer)
  }
}

const absent = (name: string, value: string | null): ReadonlyArray<string> =>
  value === null || value.trim() === "" ? [name] : []

const placeFaults = (role: "seller" | "buyer", { address }: InvoiceParty) => [
  ...absent(`${role}.address.city`, address.city),
  ...absent(`${role}.address.postal_code`, address.postal_code)
]

/** The code for a means of payment that is not stated: a credit note is paid back as it was paid. */
const undefinedMeans = "1"

const meansOf = (document: InvoiceDocument) =>
  meansCodeOf(document) ??
  (document.kind === "credit_note" || document.due_minor <= 0 ? undefinedMeans : null)

/** The fields that XRechnung demands and the document lacks, beside those that EN 16931 demands; none if it is complete. */
export const xRechnungFaults = (document: InvoiceDocument): ReadonlyArray<string> => {
  const { buyer, seller } = prepared(document)
  return [
    ...new Set([
      ...electronicInvoiceFaults(document),
      // BR-DE-15
      ...absent("buyer_reference", document.buyer_reference),
      // BR-DE-3, BR-DE-4, BR-DE-8, BR-DE-9
      ...placeFaults("seller", seller),
      ...placeFaults("buyer", buyer),
      // BR-DE-6, BR-DE-27
      ...(/\d.*\d.*\d/u.test(seller.phone ?? "") ? [] : ["seller.phone"]),
      // BR-DE-7, BT-34, BT-49
      ...absent("seller.email", seller.email),
      ...absent("buyer.email", buyer.email),
      // BR-DE-1
      ...(meansOf(document) === null ? ["bank_account"] : [])
    ])
  ]
}

/** The XML of a document without {@link xRechnungFaults}. */
export const xRechnung = (document: InvoiceDocument, syntax: XRechnungSyntax): string => {
  const ready = prepared(document)
  const meansCode = meansOf(ready)
  return syntax === "ubl"
    ? ublInvoice(ready, { profile, meansCode })
    : crossIndustryInvoice(ready, undefined, profile, meansCode)
}
