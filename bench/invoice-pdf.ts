/**
 * How long the PDF of an invoice takes: a usual one of one page and one of twenty pages, drawn in turns. Prints the time
 * until the PDF is there, the processor time of the whole process, and the part of it that the main thread spends, which
 * is what requests wait for; medians, and the slowest. At last, it draws the long one alone and prints how long the main
 * thread was busy at most without a pause, by `perf_hooks.monitorEventLoopDelay`.
 *
 *     npm run build && node --conditions=@livery/source bench/invoice-pdf.ts [turns]
 */
import { type InvoiceDocument, InvoiceRenderer } from "@livery/domain"
import { PdfInvoices } from "@livery/integrations"
import { Effect } from "effect"
import { monitorEventLoopDelay } from "node:perf_hooks"
import { long, usual } from "../packages/integrations/test/pdf/Samples.ts"

const turns = Number(process.argv[2] ?? 40)

/** How often the delay of the event loop is sampled. */
const resolutionMillis = 1

interface Sample {
  readonly wall: number
  readonly all: number
  readonly main: number
}

const millis = ({ system, user }: NodeJS.CpuUsage) => (user + system) / 1000

const measured = Effect.fnUntraced(function* (document: InvoiceDocument) {
  const renderer = yield* InvoiceRenderer
  const [began, all, main] = [performance.now(), process.cpuUsage(), process.threadCpuUsage()]
  const { bytes, pages } = yield* renderer.render(document)
  const sample: Sample = {
    wall: performance.now() - began,
    all: millis(process.cpuUsage(all)),
    main: millis(process.threadCpuUsage(main))
  }
  return { sample, bytes: bytes.length, pages }
})

const summary = (samples: ReadonlyArray<Sample>) =>
  (["wall", "all", "main"] as const)
    .map((kind) => {
      const sorted = samples.map((sample) => sample[kind]).toSorted((left, right) => left - right)
      const at = (share: number) => (sorted[Math.floor(share * (sorted.length - 1))] ?? 0).toFixed(1)
      return `${kind} ${at(0.5)} (slowest ${at(1)})`
    })
    .join(", ")

const program = Effect.gen(function* () {
  const documents = { "one page": usual, "twenty pages": long(380) }
  const samples = new Map<string, Array<Sample>>()
  for (let turn = 0; turn < turns; turn++)
    for (const [name, document] of Object.entries(documents)) {
      const { bytes, pages, sample } = yield* measured(document)
      if (turn === 0)
        process.stdout.write(`${name}: ${pages} pages, ${bytes} bytes, first ${summary([sample])} ms\n`)
      else samples.set(name, [...(samples.get(name) ?? []), sample])
    }
  for (const [name, all] of samples) process.stdout.write(`${name}: ${summary(all)} ms\n`)
  for (const [name, document] of Object.entries({ ...documents, "hundred pages": long(1900) })) {
    const delay = monitorEventLoopDelay({ resolution: resolutionMillis })
    delay.enable()
    for (let turn = 0; turn < turns; turn++) yield* measured(document)
    delay.disable()
    const over = (nanos: number) => Math.max(0, nanos / 1e6 - resolutionMillis).toFixed(1)
    process.stdout.write(
      `${name}: event loop delayed p50 ${over(delay.percentile(50))}, p99 ${over(delay.percentile(99))}, ` +
        `at most ${over(delay.max)} ms\n`
    )
  }
})

await Effect.runPromise(Effect.provide(program, PdfInvoices.layer()))
