/** The port that turns the description of an invoice or of a statement into a PDF. */
import { Context, type Effect } from "effect"
import type { InvoiceDocument } from "./InvoiceDocument.ts"
import type { StatementDocument } from "./StatementDocument.ts"
import type { PdfUnavailable } from "./PdfUnavailable.ts"

/**
 * The machine-readable copy of an invoice inside its PDF, as European law knows it (EN 16931):
 * - `attached`; `not_expected`: the seller is not in Europe;
 * - `incomplete`: `faults` names the missing or contradictory fields, for example `seller.vat_id`.
 */
export type ElectronicInvoice =
  | { readonly _tag: "attached" }
  | { readonly _tag: "not_expected" }
  | { readonly _tag: "incomplete"; readonly faults: ReadonlyArray<string> }

/** A rendered invoice. */
export interface RenderedInvoice {
  readonly bytes: Uint8Array
  readonly pages: number
  /** The characters that no font has, each once; the PDF shows a replacement sign in their places. */
  readonly missing_characters: ReadonlyArray<string>
  /** `unusable`: the image is no PNG or JPEG, or too large, and the name of the seller stands in its place. */
  readonly logo: "none" | "drawn" | "unusable"
  readonly electronic: ElectronicInvoice
}

/**
 * - `render`: the PDF of a description. The same description gives the same bytes.
 */
export class InvoiceRenderer extends Context.Service<
  InvoiceRenderer,
  {
    readonly render: (
      document: InvoiceDocument | StatementDocument
    ) => Effect.Effect<RenderedInvoice, PdfUnavailable>
  }
>()("@livery/domain/InvoiceRenderer") {}
