/** The PDFs of sealed invoices, which are kept in the file store: an invoice gives the same bytes for ever. */
import { Effect, Option } from "effect"
import * as Hex from "effect/encoding/Hex"
import { Cryptography } from "../../kernel/security/Cryptography.ts"
import { bytesOf } from "../../uploads/FileBytes.ts"
import { FileStore } from "../../uploads/FileStore.ts"
import type { Invoice } from "../invoice/Invoice.ts"
import type { KeptPdf } from "../invoice/InvoiceSnapshot.ts"
import { InvoiceSnapshotRepository } from "../invoice/InvoiceSnapshotRepository.ts"
import type { RenderedInvoice } from "./InvoiceRenderer.ts"
import { becauseOf } from "./PdfUnavailable.ts"

/**
 * Each fails with `PdfUnavailable` if the file store does not respond.
 *
 * - `write`: writes a PDF to the file store, before its invoice refers to it. `remove`: deletes one that is not kept.
 * - `read`: a kept PDF; `None` if the file store does not have it, as after a move to another installation.
 * - `keep`: keeps the PDF of a sealed invoice in place of one that was not found, and returns it; or the PDF that another
 *   request has kept meanwhile.
 */
export const makeKeptPdfs = Effect.gen(function* () {
  const files = yield* FileStore
  const snapshots = yield* InvoiceSnapshotRepository
  const { randomBytes } = yield* Cryptography

  const write = Effect.fnUntraced(function* ({ bytes, ...rest }: RenderedInvoice) {
    const file = Hex.encode(yield* randomBytes(20))
    yield* files.write(file, bytes, "application/pdf")
    return { ...rest, file, size: bytes.length }
  }, Effect.mapError(becauseOf))

  const read = Effect.fnUntraced(function* ({ file, size, ...rest }: KeptPdf) {
    const stream = yield* files.read(file)
    if (Option.isNone(stream)) return Option.none<RenderedInvoice>()
    return Option.some<RenderedInvoice>({ ...rest, bytes: yield* bytesOf(stream.value, size) })
  }, Effect.mapError(becauseOf))

  const remove = ({ file }: KeptPdf) => Effect.ignoreCause(files.remove(file))

  const keep = Effect.fnUntraced(function* (
    { business_id, invoice_id }: Invoice,
    rendered: RenderedInvoice,
    earlier: KeptPdf | null
  ) {
    const pdf = yield* write(rendered)
    if (yield* snapshots.keepPdf(business_id, invoice_id, pdf, earlier?.file ?? null)) return rendered
    yield* remove(pdf)
    const kept = Option.flatMapNullishOr(
      yield* snapshots.find(business_id, invoice_id),
      ({ kept_pdf }) => kept_pdf
    )
    const other = Option.isSome(kept) ? yield* read(kept.value) : Option.none()
    return Option.getOrElse(other, () => rendered)
  })

  return { keep, read, remove, write }
})
