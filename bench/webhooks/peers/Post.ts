/** Livery's POST as a job of a queue: signed, and sent by undici with kept connections. */
import { createHmac } from "node:crypto"
import { bodyOf } from "../Figures.ts"

interface Undici {
  readonly Agent: new (options: Readonly<Record<string, unknown>>) => object
  readonly request: (
    url: string,
    options: Readonly<Record<string, unknown>>
  ) => Promise<{ readonly statusCode: number; readonly body: { readonly dump: () => Promise<void> } }>
}

// A variable, so that the compiler does not resolve the module: it is a dependency of `@livery/webhooks`, not of the benchmark.
const name: string = "undici"
const { Agent, request } = (await import(name)) as Undici

/** The content of a job. */
export interface Job {
  readonly url: string
  readonly secret: string
  readonly id: string
  readonly body: string
}

const dispatcher = new Agent({ connections: 200, pipelining: 1 })

/** Posts, and throws unless it is acknowledged. */
export const post = async ({ body, id, secret, url }: Job): Promise<void> => {
  const time = Math.floor(Date.now() / 1000)
  const signature = createHmac("sha256", secret).update(`${time}.${body}`).digest("hex")
  const response = await request(url, {
    dispatcher,
    method: "POST",
    body,
    headersTimeout: 15_000,
    bodyTimeout: 15_000,
    headers: {
      "Content-Type": "application/json",
      "X-Service-Event": "trip.created",
      "X-Service-Delivery": id,
      "X-Service-Signature": `t=${time},v1=${signature}`
    }
  })
  await response.body.dump()
  if (response.statusCode >= 300) throw new Error(`http ${response.statusCode}`)
}

/** The jobs that `BENCH_FILL` asks for, in parts. */
export const jobs = (): ReadonlyArray<ReadonlyArray<Job>> => {
  const count = Number(process.env["BENCH_FILL"])
  const part = 1_000
  return Array.from({ length: Math.ceil(count / part) }, (_, index) =>
    Array.from({ length: Math.min(part, count - index * part) }, (_, at) => {
      const id = `evt_${index * part + at}`
      return { url: process.env["BENCH_RECEIVER"] ?? "", secret: "whsec_bench", id, body: bodyOf(id) }
    })
  )
}
