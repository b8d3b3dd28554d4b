/** A relay between `livery move` and its target, which can hold or refuse steps. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"

/** What happens to a step: `pass`, or `hold` its answer for ever, or an answer of this status from the relay itself. */
export type Passage = "pass" | "hold" | number

/** A relay. */
export interface MoveRelay {
  /** The address of the target through the relay. */
  readonly url: string
  /** Decides about each step from now on. A held step reaches the target. */
  passage: (step: string) => Passage
  /** Changes the body of a step before it reaches the target. */
  rewrite: (text: string) => string
  /** The steps whose answers are held. */
  readonly held: ReadonlyArray<string>
  readonly close: () => Promise<void>
}

const stepOf = (text: string) => /^\{"step":"(\w+)"/u.exec(text)?.[1] ?? ""

/** Opens a relay to a target. */
export const moveRelay = async (target: string): Promise<MoveRelay> => {
  const held: Array<string> = []
  const relayed = async (request: IncomingMessage, response: ServerResponse, given: string) => {
    const step = stepOf(given)
    const passage = step === "" ? "pass" : relay.passage(step)
    if (typeof passage === "number") {
      response.writeHead(passage).end()
      return
    }
    const method = request.method ?? "GET"
    const headers = { "content-type": "application/json", authorization: request.headers.authorization ?? "" }
    const answer = await fetch(`${target}${request.url ?? "/"}`, {
      method,
      headers,
      redirect: "manual",
      ...(method === "GET" ? {} : { body: relay.rewrite(given) })
    })
    const text = await answer.text()
    if (passage === "hold") held.push(step)
    else response.writeHead(answer.status, { "content-type": "application/json" }).end(text)
  }
  const server = createServer((request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => void relayed(request, response, Buffer.concat(chunks).toString("utf8")))
  })
  const port = await new Promise<number>((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      resolve(typeof address === "object" && address !== null ? address.port : 0)
    })
  })
  const relay: MoveRelay = {
    url: `http://127.0.0.1:${port}`,
    passage: () => "pass",
    rewrite: (text) => text,
    held,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
  }
  return relay
}
