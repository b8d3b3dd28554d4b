// Fonts are shared by the invoices that a thread draws: an invoice does not depend on the earlier ones.
import { type InvoiceDocument, InvoiceRenderer } from "@livery/domain"
import { PdfInvoices } from "@livery/integrations"
import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { readPdf } from "./ReadPdf.ts"
import { usual } from "./Samples.ts"
import { american, creditNote, greek, ukrainian } from "./Variants.ts"

/** The PDFs of documents that one new thread draws, one after the other. */
const drawn = (...documents: ReadonlyArray<InvoiceDocument>) =>
  Effect.gen(function* () {
    const renderer = yield* InvoiceRenderer
    return yield* Effect.forEach(documents, (document) =>
      Effect.map(renderer.render(document), ({ bytes }) => Buffer.from(bytes))
    )
  }).pipe(Effect.provide(Layer.fresh(PdfInvoices.layer({ timeout: "1 hour" }))))

const portuguese: InvoiceDocument = {
  ...usual,
  locale: "pt-PT",
  due_on: "2027-02-23",
  notes: "10\u00A0000 Ω, 5 µm, 3 − 2"
}

const others: ReadonlyArray<InvoiceDocument> = [
  { ...ukrainian, notes: "Сім тонн вугілля: 5 μm, 7 \u2126, 3 - 2" },
  greek,
  american,
  creditNote
]

it.live("the PDF of an invoice is the same bytes after any other invoices, and its text can be copied", () =>
  Effect.gen(function* () {
    const [alone] = yield* drawn(portuguese)
    const after = yield* drawn(...others, portuguese)
    assert.isTrue(after.at(-1)?.equals(alone ?? Buffer.of()))
    const { pages } = yield* readPdf(after.at(-1) ?? Buffer.of())
    const text = pages.map((page) => page.text).join("\n")
    for (const part of ["23 de fevereiro de 2027", "VENCIMENTO", "Isarlinie Chauffeurs GmbH"])
      assert.include(text, part)
  })
)
