import { Context, Effect, Layer, Logger } from "effect"

/** Every log line so far, as the server prints them. Nothing is printed. */
export class Journal extends Context.Service<Journal, { readonly lines: Array<string> }>()(
  "@livery/http-adapter/test/Journal"
) {
  static readonly layer = Layer.unwrap(
    Effect.sync(() => {
      const lines: Array<string> = []
      const capture = Logger.make((options) => void lines.push(Logger.formatJson.log(options)))
      return Layer.merge(Layer.succeed(Journal, { lines }), Logger.layer([capture]))
    })
  )
}
