/**
 * The schema is the one that Factur-X 1.07.3 publishes for the profile "EN 16931". The rules (BR-…) are those of the
 * standard's section on business rules.
 */
import {
  crossIndustryInvoice,
  currencies,
  electronicInvoiceFaults,
  type InvoiceDocument,
  type TaxCategory
} from "@livery/domain"
import { assert, describe, it } from "@effect/vitest"
import { XmlDocument, XmlElement, XmlText, XsdValidator } from "libxml2-wasm"
import { xmlRegisterFsInputProviders } from "libxml2-wasm/lib/nodejs.mjs"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { usual } from "./Samples.ts"
import { awkward, creditNote, electronic, reverseCharge, smallBusiness } from "./Variants.ts"

xmlRegisterFsInputProviders()
const schemaFile = join(import.meta.dirname, "schema/Factur-X_1.07.3_EN16931.xsd")
const schema = XsdValidator.fromDoc(XmlDocument.fromBuffer(readFileSync(schemaFile), { url: schemaFile }))

const namespaces = {
  ram: "urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100",
  rsm: "urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100",
  udt: "urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100"
}

/** The XML of a document, checked against the schema, and its texts by path. */
const parsed = (document: InvoiceDocument) => {
  const xml = XmlDocument.fromString(crossIndustryInvoice(document))
  schema.validate(xml)
  const texts = (path: string): ReadonlyArray<string> =>
    xml
      .find(path, namespaces)
      .map((node) =>
        node instanceof XmlElement || node instanceof XmlText
          ? node.content
          : "value" in node
            ? String(node.value)
            : ""
      )
  return { texts, text: (path: string) => texts(path)[0] }
}

const header = "//ram:ApplicableHeaderTradeSettlement"
const sums = `${header}/ram:SpecifiedTradeSettlementHeaderMonetarySummation`

describe("the electronic invoice", () => {
  for (const [title, document] of Object.entries(electronic))
    it(`${title} has no faults and follows the schema`, () => {
      assert.deepStrictEqual(electronicInvoiceFaults(document), [])
      const { text } = parsed(document)
      assert.strictEqual(text("//rsm:ExchangedDocumentContext//ram:ID"), "urn:cen.eu:en16931:2017")
    })

  it("states the invoice's own figures and names", () => {
    const { text, texts } = parsed(usual)
    assert.strictEqual(text("//rsm:ExchangedDocument/ram:ID"), "INV-000017")
    assert.strictEqual(text("//rsm:ExchangedDocument/ram:TypeCode"), "380")
    assert.strictEqual(text("//ram:IssueDateTime/udt:DateTimeString"), "20261109")
    assert.strictEqual(text("//ram:DueDateDateTime/udt:DateTimeString"), "20261123")
    assert.strictEqual(text("//ram:SellerTradeParty/ram:Name"), "Isarlinie Chauffeurs GmbH")
    assert.strictEqual(text("//ram:SellerTradeParty/ram:SpecifiedTaxRegistration/ram:ID"), "DE123456789")
    assert.strictEqual(text("//ram:BuyerTradeParty/ram:PostalTradeAddress/ram:CountryID"), "CH")
    assert.strictEqual(text("//ram:BuyerOrderReferencedDocument/ram:IssuerAssignedID"), "4500017734")
    assert.strictEqual(text("//ram:ReceivableSpecifiedTradeAccountingAccount/ram:ID"), "Sales DACH")
    assert.strictEqual(text("//ram:PayeePartyCreditorFinancialAccount/ram:IBANID"), "DE89370400440532013000")
    assert.strictEqual(text("//ram:SpecifiedTradeSettlementPaymentMeans/ram:TypeCode"), "58")
    assert.deepStrictEqual(texts("//ram:BilledQuantity"), ["1", "5.5", "38", "2", "1"])
    assert.deepStrictEqual(texts("//ram:BilledQuantity/@unitCode"), ["E54", "HUR", "KMT", "C62", "E54"])
    assert.deepStrictEqual(
      [
        "LineTotalAmount",
        "TaxBasisTotalAmount",
        "TaxTotalAmount",
        "GrandTotalAmount",
        "DuePayableAmount"
      ].map((name) => text(`${sums}/ram:${name}`)),
      ["877.70", "877.70", "164.60", "1042.30", "1042.30"]
    )
    assert.deepStrictEqual(texts("//ram:BillingSpecifiedPeriod//udt:DateTimeString"), [
      "20261103",
      "20261105"
    ])
  })

  it("of a credit note is of type 381 and refers to the invoice", () => {
    const { text, texts } = parsed(creditNote)
    assert.strictEqual(text("//rsm:ExchangedDocument/ram:TypeCode"), "381")
    assert.strictEqual(text("//ram:InvoiceReferencedDocument/ram:IssuerAssignedID"), "INV-000017")
    assert.strictEqual(text("//ram:OccurrenceDateTime/udt:DateTimeString"), "20261103")
    assert.deepStrictEqual(texts("//ram:BillingSpecifiedPeriod"), [])
  })

  it("says why no tax is charged, and who the seller is without a VAT identifier", () => {
    const reverse = parsed(reverseCharge)
    assert.strictEqual(reverse.text(`${header}/ram:ApplicableTradeTax/ram:CategoryCode`), "AE")
    assert.match(reverse.text(`${header}/ram:ApplicableTradeTax/ram:ExemptionReason`) ?? "", /Article 196/u)
    const small = parsed(smallBusiness)
    assert.strictEqual(small.text("//ram:SellerTradeParty/ram:ID"), "143/123/12345")
    assert.deepStrictEqual(small.texts("//ram:SellerTradeParty//ram:ID/@schemeID"), ["FC"])
  })

  it("escapes texts, and leaves out what XML cannot carry", () => {
    const { text, texts } = parsed(awkward)
    assert.include(texts("//ram:SpecifiedTradeProduct/ram:Name"), "Discount <10 %> & thanks")
    assert.strictEqual(
      text("//ram:IncludedNote/ram:Content"),
      'Less than < more than > both & "quoted"  and a lone surrogate \uFFFD.'
    )
    assert.include(texts("//ram:BilledQuantity"), "-1")
  })
})

/** Pseudorandom numbers from a seed, so that a failure can be repeated. */
const generator = (seed: number) => {
  let state = seed
  return (limit: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state % limit
  }
}

const rounded = (numerator: number, denominator: number) =>
  Math.sign(numerator) * Math.floor((2 * Math.abs(numerator) + denominator) / (2 * denominator))

const categories: ReadonlyArray<readonly [TaxCategory, ReadonlyArray<string>, string | null]> = [
  ["standard", ["19", "7.7", "20", "5.5", "25"], null],
  ["zero", ["0"], null],
  ["exempt", ["0"], "Exempt"],
  ["reverse_charge", ["0"], "Reverse charge"]
]

const randomInvoice = (seed: number): InvoiceDocument => {
  const random = generator(seed)
  const lines = Array.from({ length: 1 + random(12) }, (_, at) => {
    const [category, rates] =
      categories[random(2) === 0 ? 0 : random(4)] ?? (["standard", ["19"], null] as const)
    const tenths = 1 + random(500)
    const price = random(100_000)
    return {
      description: `Line ${at} & <${random(9)}>`,
      details: random(2) === 0 ? null : "Details",
      quantity: (tenths / 10).toString(),
      unit: (["piece", "trip", "hour", "day", "kilometre", "mile"] as const)[random(6)] ?? "piece",
      unit_price_minor: price,
      tax_category: category,
      tax_rate: rates[random(rates.length)] ?? "0",
      net_minor: rounded(tenths * price, 10)
    }
  })
  const keys = [...new Set(lines.map((line) => `${line.tax_category} ${line.tax_rate}`))]
  const taxes = keys.map((key) => {
    const [category = "standard", rate = "0"] = key.split(" ")
    const taxable_minor = lines
      .filter((line) => `${line.tax_category} ${line.tax_rate}` === key)
      .reduce((sum, { net_minor }) => sum + net_minor, 0)
    return {
      category: category as TaxCategory,
      rate,
      taxable_minor,
      tax_minor: rounded(taxable_minor * Math.round(Number(rate) * 10), 1000),
      reason: categories.find(([name]) => name === category)?.[2] ?? null
    }
  })
  const subtotal_minor = lines.reduce((sum, { net_minor }) => sum + net_minor, 0)
  const tax_minor = taxes.reduce((sum, tax) => sum + tax.tax_minor, 0)
  const total_minor = subtotal_minor + tax_minor
  const paid_minor = random(2) === 0 ? 0 : random(total_minor + 1)
  return {
    ...usual,
    currency: currencies.find((it) => it === ["EUR", "CHF", "SEK"][random(3)]) ?? usual.currency,
    lines,
    taxes,
    subtotal_minor,
    tax_minor,
    total_minor,
    paid_minor,
    due_minor: total_minor - paid_minor,
    buyer_reference: null,
    po_number: random(2) === 0 ? null : "PO 1",
    bank_account: random(2) === 0 ? null : usual.bank_account,
    service_period: random(2) === 0 ? null : usual.service_period
  }
}

const cents = (text: string | undefined) => Math.round(Number(text) * 100)
const total = (texts: ReadonlyArray<string>) => texts.reduce((sum, text) => sum + cents(text), 0)

describe("any invoice whose sums agree", () => {
  it("follows the schema and the standard's rules on sums", () => {
    for (let seed = 1; seed <= 150; seed++) {
      const document = randomInvoice(seed)
      assert.deepStrictEqual(electronicInvoiceFaults(document), [], `seed ${seed}`)
      const { text, texts } = parsed(document)
      const sum = (name: string) => cents(text(`${sums}/ram:${name}`))
      const breakdown = `${header}/ram:ApplicableTradeTax`
      // BR-CO-10
      assert.strictEqual(
        total(texts("//ram:SpecifiedTradeSettlementLineMonetarySummation/ram:LineTotalAmount")),
        sum("LineTotalAmount")
      )
      // BR-CO-13 without allowances and charges
      assert.strictEqual(sum("LineTotalAmount"), sum("TaxBasisTotalAmount"))
      // BR-CO-14
      assert.strictEqual(total(texts(`${breakdown}/ram:CalculatedAmount`)), sum("TaxTotalAmount"))
      // BR-CO-15
      assert.strictEqual(sum("TaxBasisTotalAmount") + sum("TaxTotalAmount"), sum("GrandTotalAmount"))
      // BR-CO-16
      assert.strictEqual(sum("GrandTotalAmount") - sum("TotalPrepaidAmount"), sum("DuePayableAmount"))
      // BR-CO-18 and BR-S-08: the breakdown covers the lines
      assert.strictEqual(total(texts(`${breakdown}/ram:BasisAmount`)), sum("TaxBasisTotalAmount"))
      // BR-53: the currency stands once, at the total of the tax
      assert.deepStrictEqual(texts("//@currencyID"), [document.currency])
    }
  })
})
