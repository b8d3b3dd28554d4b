/**
 * XRechnung in both syntaxes. The rules of EN 16931 and of XRechnung (schematron) were run on the same documents by
 * hand; their licences keep them out of this repository.
 */
import { type InvoiceDocument, xRechnung, xRechnungFaults } from "@livery/domain"
import { assert, describe, it } from "@effect/vitest"
import { XmlDocument, XmlElement, XmlText, XsdValidator } from "libxml2-wasm"
import { xmlRegisterFsInputProviders } from "libxml2-wasm/lib/nodejs.mjs"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { usual, withLines } from "./Samples.ts"
import { creditNote, electronic } from "./Variants.ts"

xmlRegisterFsInputProviders()
const schemaFile = join(import.meta.dirname, "schema/Factur-X_1.07.3_EN16931.xsd")
const schema = XsdValidator.fromDoc(XmlDocument.fromBuffer(readFileSync(schemaFile), { url: schemaFile }))

const leitwegId = "04011000-12345-35"

const withReference = (document: InvoiceDocument): InvoiceDocument => ({
  ...document,
  buyer_reference: leitwegId
})

/** The texts of an XML by the local names of their elements. */
const textsOf = (xml: string) => {
  const document = XmlDocument.fromString(xml)
  return {
    root: document.root.name,
    texts: (path: string): ReadonlyArray<string> =>
      document
        .find(
          `//${path
            .split("/")
            .map((name) => `*[local-name()='${name}']`)
            .join("/")}`
        )
        .map((node) => (node instanceof XmlElement || node instanceof XmlText ? node.content : ""))
  }
}

describe("XRechnung", () => {
  for (const [title, document] of Object.entries({
    ...electronic,
    "a credit note without an account": { ...creditNote, bank_account: null }
  }))
    it(`${title} has no faults, names its profile and its reference in both syntaxes, and states the same total`, () => {
      const ready = withReference(document)
      assert.deepStrictEqual(xRechnungFaults(ready), [])
      const cii = xRechnung(ready, "cii")
      schema.validate(XmlDocument.fromString(cii))
      for (const xml of [cii, xRechnung(ready, "ubl")]) {
        assert.include(xml, "urn:cen.eu:en16931:2017#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0")
        assert.include(xml, "urn:fdc:peppol.eu:2017:poacc:billing:01:1.0")
        assert.deepStrictEqual(textsOf(xml).texts("BuyerReference"), [leitwegId])
      }
      const ubl = textsOf(xRechnung(ready, "ubl"))
      assert.strictEqual(ubl.root, document.kind === "invoice" ? "Invoice" : "CreditNote")
      assert.deepStrictEqual(
        ubl.texts("LegalMonetaryTotal/PayableAmount"),
        textsOf(cii).texts("DuePayableAmount")
      )
      assert.lengthOf(
        ubl.texts(document.kind === "invoice" ? "InvoiceLine/ID" : "CreditNoteLine/ID"),
        document.lines.length
      )
    })

  it("takes the postal code and the city from the last line of an address that has both", () => {
    const lines = ["Isarlinie GmbH", "Leopoldstr. 10", "D-80802 München"]
    const address = { lines, postal_code: null, city: null, country: "DE" }
    const document = withReference({ ...usual, seller: { ...usual.seller, address } })
    assert.deepStrictEqual(xRechnungFaults(document), [])
    const { texts } = textsOf(xRechnung(document, "ubl"))
    const own = "AccountingSupplierParty/Party/PostalAddress"
    assert.deepStrictEqual(
      ["StreetName", "AdditionalStreetName", "CityName", "PostalZone"].flatMap((name) =>
        texts(`${own}/${name}`)
      ),
      ["Isarlinie GmbH", "Leopoldstr. 10", "München", "80802"]
    )
  })

  it("states a price of several units with their number in both syntaxes", () => {
    const [line] = usual.lines
    if (line === undefined) return assert.fail("no line")
    const whole = { ...line, quantity: "3", base_quantity: "3", unit_price_minor: 10_001, net_minor: 10_001 }
    const document = withReference(withLines(usual, [whole]))
    assert.deepStrictEqual(xRechnungFaults(document), [])
    assert.deepStrictEqual(textsOf(xRechnung(document, "ubl")).texts("Price/BaseQuantity"), ["3"])
    assert.deepStrictEqual(textsOf(xRechnung(document, "cii")).texts("BasisQuantity"), ["3"])
  })

  it("names each field that it lacks", () => {
    const address = { lines: ["Main Street"], postal_code: null, city: null, country: "DE" }
    assert.deepStrictEqual(
      xRechnungFaults({
        ...usual,
        bank_account: null,
        payment_url: null,
        seller: { ...usual.seller, address, phone: null },
        buyer: { ...usual.buyer, email: null }
      }),
      [
        "buyer_reference",
        "seller.address.city",
        "seller.address.postal_code",
        "seller.phone",
        "buyer.email",
        "bank_account"
      ]
    )
  })
})
