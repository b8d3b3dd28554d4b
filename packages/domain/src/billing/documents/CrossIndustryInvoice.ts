/**
 * The electronic invoice of EN 16931 in the syntax of UN/CEFACT's Cross Industry Invoice, as Factur-X 1.0 and ZUGFeRD 2
 * put it into a PDF, in the profile "EN 16931". The order of the elements is the schema's. `BT-…` are the terms of the
 * standard.
 */
import * as Money from "../../kernel/money/Money.ts"
import { categoryCodes, meansCodeOf, typeCodes, unitCodes } from "./ElectronicCodes.ts"
import type { InvoiceDocument, InvoiceDocumentLine, InvoiceParty } from "./InvoiceDocument.ts"
import { electronicTaxes } from "./InvoiceDocumentFaults.ts"
import { group, leaf, type Xml } from "./Xml.ts"

/** How an electronic invoice names its profile (BT-24) and its process (BT-23). */
export interface ElectronicProfile {
  readonly guideline: string
  readonly process: string | null
}

/** The profile of the European standard itself, as Factur-X has it. */
export const standardProfile: ElectronicProfile = { guideline: "urn:cen.eu:en16931:2017", process: null }

/** An element with a day, as `YYYYMMDD`. */
const date = (name: string, day: string | null): Xml =>
  group(name, [leaf("udt:DateTimeString", day === null ? null : day.replaceAll("-", ""), { format: "102" })])

const notesOf = (document: InvoiceDocument) =>
  [document.notes, document.payment_url !== null && document.due_minor > 0 ? document.payment_url : null].map(
    (note) => group("ram:IncludedNote", [leaf("ram:Content", note)])
  )

const lineOf = (line: InvoiceDocumentLine, at: number, amount: (minor: number) => string): Xml =>
  group("ram:IncludedSupplyChainTradeLineItem", [
    group("ram:AssociatedDocumentLineDocument", [leaf("ram:LineID", String(at + 1))]),
    group("ram:SpecifiedTradeProduct", [
      leaf("ram:Name", line.description),
      leaf("ram:Description", line.details)
    ]),
    group("ram:SpecifiedLineTradeAgreement", [
      group("ram:NetPriceProductTradePrice", [
        leaf("ram:ChargeAmount", amount(line.unit_price_minor)),
        // BT-149
        leaf("ram:BasisQuantity", line.base_quantity ?? null, { unitCode: unitCodes[line.unit] })
      ])
    ]),
    group("ram:SpecifiedLineTradeDelivery", [
      leaf("ram:BilledQuantity", line.quantity, { unitCode: unitCodes[line.unit] })
    ]),
    group("ram:SpecifiedLineTradeSettlement", [
      group("ram:ApplicableTradeTax", [
        leaf("ram:TypeCode", "VAT"),
        leaf("ram:CategoryCode", categoryCodes[line.tax_category]),
        leaf("ram:RateApplicablePercent", line.tax_rate)
      ]),
      group("ram:SpecifiedTradeSettlementLineMonetarySummation", [
        leaf("ram:LineTotalAmount", amount(line.net_minor))
      ])
    ])
  ])

const addressOf = ({ city, country, lines, postal_code }: InvoiceParty["address"]): Xml => {
  // The standard has three rows for an address: BT-35, BT-36 and BT-162.
  const [one = null, two = null, ...more] = lines
  return group("ram:PostalTradeAddress", [
    leaf("ram:PostcodeCode", postal_code),
    leaf("ram:LineOne", one),
    leaf("ram:LineTwo", two),
    leaf("ram:LineThree", more.length === 0 ? null : more.join(", ")),
    leaf("ram:CityName", city),
    leaf("ram:CountryID", country)
  ])
}

const contactOf = (party: InvoiceParty): Xml =>
  group("ram:DefinedTradeContact", [
    leaf("ram:PersonName", party.contact),
    group("ram:TelephoneUniversalCommunication", [leaf("ram:CompleteNumber", party.phone)]),
    group("ram:EmailURIUniversalCommunication", [leaf("ram:URIID", party.email)])
  ])

/** BT-34 and BT-49: `EM` says that the address is one of email. */
const electronicAddressOf = (party: InvoiceParty): Xml =>
  group("ram:URIUniversalCommunication", [leaf("ram:URIID", party.email, { schemeID: "EM" })])

const registrationOf = (scheme: "VA" | "FC", id: string | null): Xml =>
  group("ram:SpecifiedTaxRegistration", [leaf("ram:ID", id, { schemeID: scheme })])

const sellerOf = (seller: InvoiceParty): Xml =>
  group("ram:SellerTradeParty", [
    // BR-CO-26: a seller without a VAT identifier needs another identifier.
    leaf("ram:ID", seller.vat_id === null ? seller.tax_number : null),
    leaf("ram:Name", seller.name),
    leaf("ram:Description", seller.registration),
    contactOf(seller),
    addressOf(seller.address),
    electronicAddressOf(seller),
    registrationOf("VA", seller.vat_id),
    registrationOf("FC", seller.tax_number)
  ])

const buyerOf = (buyer: InvoiceParty): Xml =>
  group("ram:BuyerTradeParty", [
    leaf("ram:Name", buyer.name),
    group("ram:SpecifiedLegalOrganization", [leaf("ram:ID", buyer.registration)]),
    contactOf(buyer),
    addressOf(buyer.address),
    electronicAddressOf(buyer),
    registrationOf("VA", buyer.vat_id)
  ])

const meansOf = (document: InvoiceDocument, code: string | null): Xml => {
  const account = document.bank_account
  if (account !== null)
    return group("ram:SpecifiedTradeSettlementPaymentMeans", [
      leaf("ram:TypeCode", code),
      group("ram:PayeePartyCreditorFinancialAccount", [
        leaf("ram:IBANID", account.iban.replaceAll(/\s/gu, "")),
        leaf("ram:AccountName", account.holder)
      ]),
      group("ram:PayeeSpecifiedCreditorFinancialInstitution", [leaf("ram:BICID", account.bic)])
    ])
  return group("ram:SpecifiedTradeSettlementPaymentMeans", [leaf("ram:TypeCode", code)])
}

/** BG-14, unless the service was rendered on one day, which is BT-72. */
const periodOf = ({ service_period: period }: InvoiceDocument): Xml =>
  period === null || period.from === period.to
    ? null
    : group("ram:BillingSpecifiedPeriod", [
        date("ram:StartDateTime", period.from),
        date("ram:EndDateTime", period.to)
      ])

const deliveryOf = ({ service_period: period }: InvoiceDocument): Xml =>
  group("ram:ActualDeliverySupplyChainEvent", [
    date("ram:OccurrenceDateTime", period !== null && period.from === period.to ? period.from : null)
  ]) ?? ""

const settlementOf = (
  document: InvoiceDocument,
  amount: (minor: number) => string,
  meansCode: string | null
): Xml =>
  group("ram:ApplicableHeaderTradeSettlement", [
    leaf("ram:PaymentReference", document.number),
    leaf("ram:InvoiceCurrencyCode", document.currency),
    meansOf(document, meansCode),
    ...electronicTaxes(document.taxes).map((tax) =>
      group("ram:ApplicableTradeTax", [
        leaf("ram:CalculatedAmount", amount(tax.tax_minor)),
        leaf("ram:TypeCode", "VAT"),
        leaf("ram:ExemptionReason", tax.reason),
        leaf("ram:BasisAmount", amount(tax.taxable_minor)),
        leaf("ram:CategoryCode", categoryCodes[tax.category]),
        leaf("ram:RateApplicablePercent", tax.rate)
      ])
    ),
    periodOf(document),
    group("ram:SpecifiedTradePaymentTerms", [date("ram:DueDateDateTime", document.due_on)]),
    group("ram:SpecifiedTradeSettlementHeaderMonetarySummation", [
      leaf("ram:LineTotalAmount", amount(document.subtotal_minor)),
      leaf("ram:TaxBasisTotalAmount", amount(document.subtotal_minor)),
      leaf("ram:TaxTotalAmount", amount(document.tax_minor), { currencyID: document.currency }),
      leaf("ram:GrandTotalAmount", amount(document.total_minor)),
      // BT-113 also includes what later credit notes take back, because EN 16931 has no term for that.
      leaf("ram:TotalPrepaidAmount", amount(document.paid_minor + document.credited_minor)),
      leaf("ram:DuePayableAmount", amount(document.due_minor))
    ]),
    // BT-25
    group("ram:InvoiceReferencedDocument", [leaf("ram:IssuerAssignedID", document.corrected_number)]),
    // BT-19
    group("ram:ReceivableSpecifiedTradeAccountingAccount", [leaf("ram:ID", document.cost_center)])
  ])

const namespaces = {
  "xmlns:rsm": "urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100",
  "xmlns:ram": "urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100",
  "xmlns:qdt": "urn:un:unece:uncefact:data:standard:QualifiedDataType:100",
  "xmlns:udt": "urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100"
}

const formatterOf =
  ({ currency }: Pick<InvoiceDocument, "currency">) =>
  (minor: number) =>
    Money.format({ minor, currency })

/** The elements of the lines of a document from one index to another one. */
export const lineElements = (document: InvoiceDocument, from: number, to: number): ReadonlyArray<Xml> => {
  const amount = formatterOf(document)
  return document.lines.slice(from, to).map((line, at) => lineOf(line, from + at, amount))
}

/** The XML of a document without {@link electronicInvoiceFaults}, with the elements of all of its lines. */
export const crossIndustryInvoice = (
  document: InvoiceDocument,
  lines: ReadonlyArray<Xml> = lineElements(document, 0, document.lines.length),
  { guideline, process }: ElectronicProfile = standardProfile,
  meansCode: string | null = meansCodeOf(document)
): string => {
  const amount = formatterOf(document)
  const invoice = group(
    "rsm:CrossIndustryInvoice",
    [
      group("rsm:ExchangedDocumentContext", [
        group("ram:BusinessProcessSpecifiedDocumentContextParameter", [leaf("ram:ID", process)]),
        group("ram:GuidelineSpecifiedDocumentContextParameter", [leaf("ram:ID", guideline)])
      ]),
      group("rsm:ExchangedDocument", [
        leaf("ram:ID", document.number),
        // UNTDID 1001: commercial invoice, credit note
        leaf("ram:TypeCode", typeCodes[document.kind]),
        date("ram:IssueDateTime", document.issued_on),
        ...notesOf(document)
      ]),
      group("rsm:SupplyChainTradeTransaction", [
        ...lines,
        group("ram:ApplicableHeaderTradeAgreement", [
          // BT-10
          leaf("ram:BuyerReference", document.buyer_reference),
          sellerOf(document.seller),
          buyerOf(document.buyer),
          group("ram:BuyerOrderReferencedDocument", [leaf("ram:IssuerAssignedID", document.po_number)])
        ]),
        group("ram:ApplicableHeaderTradeDelivery", [deliveryOf(document)]),
        settlementOf(document, amount, meansCode)
      ])
    ],
    namespaces
  )
  return `<?xml version="1.0" encoding="UTF-8"?>\n${invoice ?? ""}\n`
}
