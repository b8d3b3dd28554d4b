/** Attaches the electronic invoice to the PDF as Factur-X 1.0 and ZUGFeRD 2 prescribe. */
import {
  crossIndustryInvoice,
  type ElectronicInvoice,
  electronicInvoiceFaults,
  expectsElectronicInvoices,
  type InvoiceDocument,
  lineElements,
  type Xml
} from "@livery/domain"
import { Effect } from "effect"
import type { SheetAttachment } from "./InvoiceSheet.ts"

const fileName = "factur-x.xml"

const property = (name: string, description: string) => `
          <rdf:li rdf:parseType="Resource">
            <pdfaProperty:name>${name}</pdfaProperty:name>
            <pdfaProperty:valueType>Text</pdfaProperty:valueType>
            <pdfaProperty:category>external</pdfaProperty:category>
            <pdfaProperty:description>${description}</pdfaProperty:description>
          </rdf:li>`

/**
 * The metadata of the attached file, and the description of their schema. PDF/A requires such a description for every
 * schema that it does not define itself.
 */
const metadata = `
  <rdf:Description rdf:about="" xmlns:fx="urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#">
    <fx:DocumentType>INVOICE</fx:DocumentType>
    <fx:DocumentFileName>${fileName}</fx:DocumentFileName>
    <fx:Version>1.0</fx:Version>
    <fx:ConformanceLevel>EN 16931</fx:ConformanceLevel>
  </rdf:Description>
  <rdf:Description rdf:about=""
      xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/"
      xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#"
      xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#">
    <pdfaExtension:schemas>
      <rdf:Bag>
        <rdf:li rdf:parseType="Resource">
          <pdfaSchema:schema>Factur-X PDFA Extension Schema</pdfaSchema:schema>
          <pdfaSchema:namespaceURI>urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#</pdfaSchema:namespaceURI>
          <pdfaSchema:prefix>fx</pdfaSchema:prefix>
          <pdfaSchema:property>
            <rdf:Seq>${property("DocumentFileName", "The name of the embedded XML document")}${property(
              "DocumentType",
              "The type of the hybrid document in capital letters, e.g. INVOICE or ORDER"
            )}${property("Version", "The actual version of the standard applying to the embedded XML document")}${property(
              "ConformanceLevel",
              "The conformance level of the embedded XML document"
            )}
            </rdf:Seq>
          </pdfaSchema:property>
        </rdf:li>
      </rdf:Bag>
    </pdfaExtension:schemas>
  </rdf:Description>
`

/** How many lines are written before other requests proceed. */
const linesAtOnce = 200

/** The elements of the lines. Other requests proceed between parts of a long document. */
const linesOf = Effect.fnUntraced(function* (document: InvoiceDocument) {
  const written: Array<Xml> = []
  for (let from = 0; from < document.lines.length; from += linesAtOnce) {
    if (from > 0) yield* Effect.yieldNow
    written.push(...lineElements(document, from, from + linesAtOnce))
  }
  return written
})

/** The attachment of a document; null if there is none. */
interface ElectronicCopy {
  readonly attachment: SheetAttachment | null
  readonly electronic: ElectronicInvoice
}

/** The attachment for a document; without one, the reason. */
export const electronicCopy = Effect.fnUntraced(function* (
  document: InvoiceDocument
): Effect.fn.Return<ElectronicCopy> {
  if (!expectsElectronicInvoices(document.seller.address.country))
    return { attachment: null, electronic: { _tag: "not_expected" } }
  const faults = electronicInvoiceFaults(document)
  if (faults.length > 0) return { attachment: null, electronic: { _tag: "incomplete", faults } }
  const lines = yield* linesOf(document)
  return {
    attachment: {
      name: fileName,
      description: "Factur-X/ZUGFeRD invoice",
      type: "text/xml",
      text: crossIndustryInvoice(document, lines),
      metadata
    },
    electronic: { _tag: "attached" }
  }
})
