/** The texts on the pages of an invoice, in their language and order. */

/** A label and its value. */
export interface Fact {
  readonly label: string
  readonly value: string
}

/** One line of the table. */
export interface SheetLine {
  readonly description: string
  readonly details: string | null
  readonly quantity: string
  readonly unitPrice: string
  readonly tax: string
  readonly amount: string
}

/** One row below the table; `due` is the row that the reader looks for. */
export interface TotalRow extends Fact {
  readonly weight: "plain" | "strong" | "due"
}

/** A file inside the PDF. */
export interface SheetAttachment {
  readonly name: string
  readonly description: string
  readonly type: string
  readonly text: string
  /** The `rdf:Description` elements about the file in the PDF's metadata. */
  readonly metadata: string
}

/** The content of the pages. */
export interface InvoiceSheet {
  readonly paper: "A4" | "LETTER"
  /** The language of the texts, for programs that read the invoice aloud. */
  readonly language: string
  readonly title: string
  readonly number: string
  /** `YYYY-MM-DD`. */
  readonly issuedOn: string
  /** A word across the head: void or paid. */
  readonly stamp: string | null
  readonly logo: Uint8Array | null
  readonly seller: { readonly heading: string; readonly name: string; readonly rows: ReadonlyArray<string> }
  readonly buyer: { readonly heading: string; readonly name: string; readonly rows: ReadonlyArray<string> }
  /** Below the title. The last one is set apart. */
  readonly facts: ReadonlyArray<Fact>
  readonly furtherFacts: ReadonlyArray<Fact>
  readonly columns: Readonly<Record<"description" | "quantity" | "unitPrice" | "tax" | "amount", string>>
  readonly lines: ReadonlyArray<SheetLine>
  readonly totals: ReadonlyArray<TotalRow>
  /** The reasons for missing tax. */
  readonly taxNotes: ReadonlyArray<string>
  readonly online: { readonly heading: string; readonly action: string; readonly url: string } | null
  readonly bank: { readonly heading: string; readonly facts: ReadonlyArray<Fact> } | null
  readonly notes: { readonly heading: string; readonly text: string } | null
  /** At the foot of each page, one after the other. */
  readonly footer: ReadonlyArray<string>
  /** The text of the page number; `{page}` and `{pages}` stand for the numbers. */
  readonly pageLabel: string
  readonly attachment: SheetAttachment | null
}
