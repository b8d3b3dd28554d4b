/** A real SMTP server on loopback, closed with its scope. */
import { Effect } from "effect"
import { SMTPServer, type SMTPServerOptions } from "smtp-server"

/** A received message: its envelope and its bytes. */
interface Received {
  readonly from: string
  readonly to: ReadonlyArray<string>
  readonly source: string
}

/** Starts a server on a free port. `received` contains the messages, `connections` counts the clients. */
export const openSmtpServer = (options: SMTPServerOptions = {}) =>
  Effect.gen(function* () {
    const received: Array<Received> = []
    let connections = 0
    const server = new SMTPServer({
      disabledCommands: ["STARTTLS"],
      authOptional: true,
      disableReverseLookup: true,
      onConnect: (_session, done) => {
        connections += 1
        done()
      },
      onData: (stream, session, done) => {
        const chunks: Array<Buffer> = []
        stream.on("data", (chunk: Buffer) => chunks.push(chunk))
        stream.on("end", () => {
          const { mailFrom, rcptTo } = session.envelope
          received.push({
            from: mailFrom === false ? "" : mailFrom.address,
            to: rcptTo.map(({ address }) => address),
            source: Buffer.concat(chunks).toString()
          })
          done()
        })
      },
      ...options
    })
    server.on("error", () => undefined)
    const port = yield* Effect.acquireRelease(
      Effect.callback<number>((resume) => {
        const listener = server.listen(0, "127.0.0.1", () => {
          const address = listener.address()
          resume(Effect.succeed(typeof address === "object" && address !== null ? address.port : 0))
        })
      }),
      () => Effect.callback<void>((resume) => server.close(() => resume(Effect.void)))
    )
    return { port, received, connections: () => connections }
  })

/** A port of loopback without a listener. */
export const closedPort = Effect.map(Effect.scoped(openSmtpServer()), ({ port }) => port)
