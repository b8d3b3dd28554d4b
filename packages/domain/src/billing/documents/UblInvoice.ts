/**
 * The electronic invoice of EN 16931 in the syntax of UBL 2.1. The order of the elements is the schema's. `BT-…` are the terms of
 * the standard.
 */
import * as Money from "../../kernel/money/Money.ts"
import type { ElectronicProfile } from "./CrossIndustryInvoice.ts"
import { categoryCodes, typeCodes, unitCodes } from "./ElectronicCodes.ts"
import type { InvoiceDocument, InvoiceDocumentLine, InvoiceParty, TaxCategory } from "./InvoiceDocument.ts"
import { electronicTaxes } from "./InvoiceDocumentFaults.ts"
import { group, leaf, type Xml } from "./Xml.ts"

/** What a syntax of XRechnung needs beside the document: the profile, and the code of the means of payment. */
export interface UblTerms {
  readonly profile: ElectronicProfile
  readonly meansCode: string | null
}

type Amount = (name: string, minor: number) => Xml

const vat = group("cac:TaxScheme", [leaf("cbc:ID", "VAT")])

const addressOf = ({ city, country, lines, postal_code }: InvoiceParty["address"]): Xml => {
  const [one = null, two = null, ...more] = lines
  return group("cac:PostalAddress", [
    leaf("cbc:StreetName", one),
    leaf("cbc:AdditionalStreetName", two),
    leaf("cbc:CityName", city),
    leaf("cbc:PostalZone", postal_code),
    group("cac:AddressLine", [leaf("cbc:Line", more.length === 0 ? null : more.join(", "))]),
    group("cac:Country", [leaf("cbc:IdentificationCode", country)])
  ])
}

const taxSchemeOf = (id: string | null, scheme: Xml): Xml =>
  id === null ? null : group("cac:PartyTaxScheme", [leaf("cbc:CompanyID", id), scheme])

const partyOf = (party: InvoiceParty, role: "seller" | "buyer"): Xml => {
  const isSeller = role === "seller"
  return group("cac:Party", [
    leaf("cbc:EndpointID", party.email, { schemeID: "EM" }),
    // BR-CO-26: a seller without a VAT identifier needs another identifier.
    group("cac:PartyIdentification", [
      leaf("cbc:ID", isSeller && party.vat_id === null ? party.tax_number : null)
    ]),
    addressOf(party.address),
    taxSchemeOf(party.vat_id, vat),
    isSeller ? taxSchemeOf(party.tax_number, group("cac:TaxScheme", [leaf("cbc:ID", "FC")])) : null,
    group("cac:PartyLegalEntity", [
      leaf("cbc:RegistrationName", party.name),
      leaf("cbc:CompanyID", isSeller ? null : party.registration),
      leaf("cbc:CompanyLegalForm", isSeller ? party.registration : null)
    ]),
    group("cac:Contact", [
      leaf("cbc:Name", party.contact),
      leaf("cbc:Telephone", party.phone),
      leaf("cbc:ElectronicMail", party.email)
    ])
  ])
}

const categoryOf = (name: string, category: TaxCategory, rate: string, reason: string | null): Xml =>
  group(name, [
    leaf("cbc:ID", categoryCodes[category]),
    leaf("cbc:Percent", rate),
    leaf("cbc:TaxExemptionReason", reason),
    vat
  ])

const lineOf = (
  line: InvoiceDocumentLine,
  at: number,
  kind: InvoiceDocument["kind"],
  amount: Amount
): Xml => {
  const [name, quantity] =
    kind === "invoice"
      ? ["cac:InvoiceLine", "cbc:InvoicedQuantity"]
      : ["cac:CreditNoteLine", "cbc:CreditedQuantity"]
  return group(name, [
    leaf("cbc:ID", String(at + 1)),
    leaf(quantity, line.quantity, { unitCode: unitCodes[line.unit] }),
    amount("cbc:LineExtensionAmount", line.net_minor),
    group("cac:Item", [
      leaf("cbc:Description", line.details),
      leaf("cbc:Name", line.description),
      categoryOf("cac:ClassifiedTaxCategory", line.tax_category, line.tax_rate, null)
    ]),
    group("cac:Price", [
      amount("cbc:PriceAmount", line.unit_price_minor),
      leaf("cbc:BaseQuantity", line.base_quantity ?? null, { unitCode: unitCodes[line.unit] })
    ])
  ])
}

const meansOf = (
  { bank_account: account, due_on, kind, number }: InvoiceDocument,
  code: string | null
): Xml =>
  code === null
    ? null
    : group("cac:PaymentMeans", [
        leaf("cbc:PaymentMeansCode", code),
        leaf("cbc:PaymentDueDate", kind === "credit_note" ? due_on : null),
        leaf("cbc:PaymentID", number),
        account === null
          ? null
          : group("cac:PayeeFinancialAccount", [
              leaf("cbc:ID", account.iban.replaceAll(/\s/gu, "")),
              leaf("cbc:Name", account.holder),
              group("cac:FinancialInstitutionBranch", [leaf("cbc:ID", account.bic)])
            ])
      ])

const periodOf = ({ service_period: period }: InvoiceDocument): Xml =>
  period === null || period.from === period.to
    ? null
    : group("cac:InvoicePeriod", [leaf("cbc:StartDate", period.from), leaf("cbc:EndDate", period.to)])

const deliveryOf = ({ service_period: period }: InvoiceDocument): Xml =>
  group("cac:Delivery", [
    leaf("cbc:ActualDeliveryDate", period !== null && period.from === period.to ? period.from : null)
  ])

const roots = {
  invoice: ["Invoice", "cbc:InvoiceTypeCode"],
  credit_note: ["CreditNote", "cbc:CreditNoteTypeCode"]
} as const

/** The XML of a document without faults. */
export const ublInvoice = (document: InvoiceDocument, { meansCode, profile }: UblTerms): string => {
  const { currency, due_on, kind, payment_url } = document
  const amount: Amount = (name, minor) =>
    leaf(name, Money.format({ minor, currency }), { currencyID: currency })
  const [root, typeName] = roots[kind]
  const notes = [document.notes, document.due_minor > 0 ? payment_url : null].filter((note) => note !== null)
  const invoice = group(
    root,
    [
      leaf("cbc:CustomizationID", profile.guideline),
      leaf("cbc:ProfileID", profile.process),
      leaf("cbc:ID", document.number),
      leaf("cbc:IssueDate", document.issued_on),
      leaf("cbc:DueDate", kind === "invoice" ? due_on : null),
      leaf(typeName, typeCodes[kind]),
      leaf("cbc:Note", notes.length === 0 ? null : notes.join("\n")),
      leaf("cbc:DocumentCurrencyCode", currency),
      leaf("cbc:AccountingCost", document.cost_center),
      leaf("cbc:BuyerReference", document.buyer_reference),
      periodOf(document),
      group("cac:OrderReference", [leaf("cbc:ID", document.po_number)]),
      group("cac:BillingReference", [
        group("cac:InvoiceDocumentReference", [leaf("cbc:ID", document.corrected_number)])
      ]),
      group("cac:AccountingSupplierParty", [partyOf(document.seller, "seller")]),
      group("cac:AccountingCustomerParty", [partyOf(document.buyer, "buyer")]),
      deliveryOf(document),
      meansOf(document, meansCode),
      group("cac:TaxTotal", [
        amount("cbc:TaxAmount", document.tax_minor),
        ...electronicTaxes(document.taxes).map((tax) =>
          group("cac:TaxSubtotal", [
            amount("cbc:TaxableAmount", tax.taxable_minor),
            amount("cbc:TaxAmount", tax.tax_minor),
            categoryOf("cac:TaxCategory", tax.category, tax.rate, tax.reason)
          ])
        )
      ]),
      group("cac:LegalMonetaryTotal", [
        amount("cbc:LineExtensionAmount", document.subtotal_minor),
        amount("cbc:TaxExclusiveAmount", document.subtotal_minor),
        amount("cbc:TaxInclusiveAmount", document.total_minor),
        // BT-113 also includes what later credit notes take back, because EN 16931 has no term for that.
        amount("cbc:PrepaidAmount", document.paid_minor + document.credited_minor),
        amount("cbc:PayableAmount", document.due_minor)
      ]),
      ...document.lines.map((line, at) => lineOf(line, at, kind, amount))
    ],
    {
      xmlns: `urn:oasis:names:specification:ubl:schema:xsd:${root}-2`,
      "xmlns:cac": "urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2",
      "xmlns:cbc": "urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2"
    }
  )
  return `<?xml version="1.0" encoding="UTF-8"?>\n${invoice ?? ""}\n`
}
