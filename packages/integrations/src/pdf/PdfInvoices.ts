/** The domain's `InvoiceRenderer` with pdfkit. */
import {
  type InvoiceDocument,
  InvoiceRenderer,
  makeBoundedQueue,
  PdfUnavailable,
  type QueueBounds,
  type StatementDocument,
  traced
} from "@livery/domain"
import { type Duration, Effect, Layer, RcRef } from "effect"
import { createHash } from "node:crypto"
import type { DrawnInvoice } from "./DrawInvoice.ts"
import { electronicCopy } from "./FacturX.ts"
import type { InvoiceSheet } from "./InvoiceSheet.ts"
import { programBeside, startWorkThread } from "../threads/WorkThread.ts"
import { sheetOf } from "./SheetOf.ts"
import { statementSheetOf } from "./StatementSheetOf.ts"

/** The options of {@link layer}. */
export interface PdfInvoicesOptions {
  /** The timeout of drawing one invoice, without its wait in the queue; 10 seconds by default. */
  readonly timeout?: Duration.Input | undefined
  /** How long the thread lives without work; 1 minute by default. It takes about 60 MB. */
  readonly idle?: Duration.Input | undefined
  /** How many invoices may wait in the queue; 64 by default. */
  readonly waiting?: QueueBounds["waiting"] | undefined
  /** The program of the thread, an ES module; the one that draws by default. */
  readonly program?: URL | undefined
}

/** The most lines of an invoice. It then has about 100 pages, and its texts take the main thread about 20 ms. */
const maximumLines = 2000

/** How many flat logos are kept. Each has about 20 kB, since a page shows no more than 1,200 pixels. */
const keptLogos = 64

/** Keeps the logos that the thread has made cheap to draw, by their content. */
const makeFlatLogos = () => {
  const known = new Map<string, Uint8Array>()
  const keyOf = (logo: Uint8Array) => createHash("sha256").update(logo).digest("base64")
  return {
    /** The sheet with the flat logo, if there is one. */
    withFlatLogo: (sheet: InvoiceSheet): InvoiceSheet =>
      sheet.logo === null ? sheet : { ...sheet, logo: known.get(keyOf(sheet.logo)) ?? sheet.logo },
    keep: ({ logo }: InvoiceSheet, { flatLogo }: DrawnInvoice) => {
      if (logo === null || flatLogo === undefined) return
      const [oldest] = known.keys()
      if (known.size >= keptLogos && oldest !== undefined) known.delete(oldest)
      known.set(keyOf(logo), flatLogo)
    }
  }
}

const unavailable = (reason: string) => new PdfUnavailable({ reason })

/** Work on a document. A wrong text in it, for example a day, becomes `PdfUnavailable`. */
const checked = <A>(work: Effect.Effect<A>) =>
  Effect.catchDefect(work, (cause) =>
    Effect.fail(unavailable(cause instanceof Error ? cause.message : String(cause)))
  )

const linesIn = (document: InvoiceDocument | StatementDocument) =>
  document.kind === "statement"
    ? document.accounts.reduce((sum, { lines }) => sum + lines.length, 0)
    : document.lines.length

/** The sheet of a document. It yields between the steps, because a long document would block other requests. */
const prepare = Effect.fnUntraced(function* (document: InvoiceDocument | StatementDocument) {
  if (linesIn(document) > maximumLines) return yield* unavailable(`it has more than ${maximumLines} lines`)
  if (document.kind === "statement")
    return {
      sheet: yield* checked(Effect.sync(() => statementSheetOf(document))),
      electronic: { _tag: "not_expected" as const }
    }
  const { attachment, electronic } = yield* checked(electronicCopy(document))
  yield* Effect.yieldNow
  const sheet = yield* checked(Effect.sync(() => sheetOf(document, attachment)))
  yield* Effect.yieldNow
  return { sheet, electronic }
})

/**
 * Draws on a thread of its own, one invoice after the other. The thread starts with the first invoice; after a failure
 * or a time-out the next invoice gets a new one.
 */
export const layer = (options: PdfInvoicesOptions = {}): Layer.Layer<InvoiceRenderer> =>
  Layer.effect(
    InvoiceRenderer,
    Effect.gen(function* () {
      const logos = makeFlatLogos()
      const queued = yield* makeBoundedQueue({ concurrency: 1, waiting: options.waiting ?? 64 })
      const thread = yield* RcRef.make({
        acquire: startWorkThread<InvoiceSheet, DrawnInvoice>({
          program: options.program ?? programBeside(import.meta.url, "RenderWorker"),
          name: "livery-pdf",
          memory: 256
        }),
        idleTimeToLive: options.idle ?? "1 minute"
      })

      return InvoiceRenderer.of({
        render: traced("InvoiceRenderer.render")(function* (document) {
          const { electronic, sheet } = yield* prepare(document)
          const draw = Effect.scoped(
            Effect.flatMap(RcRef.get(thread), ({ run }) => run(logos.withFlatLogo(sheet)))
          ).pipe(
            Effect.tapError(({ broken }) => (broken ? RcRef.invalidate(thread) : Effect.void)),
            // Once: a program that always ends at once would be started again and again.
            Effect.retry({ times: 1, while: ({ unsent }) => unsent }),
            Effect.mapError(({ reason }) => unavailable(reason)),
            Effect.onInterrupt(() => RcRef.invalidate(thread)),
            Effect.timeoutOrElse({
              duration: options.timeout ?? "10 seconds",
              orElse: () => Effect.fail(unavailable("it took too long"))
            })
          )
          const drawn = yield* Effect.catchTag(queued(draw), "TooManyRequests", () =>
            Effect.fail(unavailable("too many PDFs are being drawn"))
          )
          logos.keep(sheet, drawn)
          return {
            bytes: drawn.bytes,
            pages: drawn.pages,
            missing_characters: drawn.missing,
            logo: drawn.logo,
            electronic
          }
        })
      })
    })
  )
