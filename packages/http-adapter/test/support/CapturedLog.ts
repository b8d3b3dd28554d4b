import { Context, Effect, Layer, Logger } from "effect"

/** The log lines so far, in the server's format. They are captured instead of printed. */
export class CapturedLog extends Context.Service<CapturedLog, { readonly lines: Array<string> }>()(
  "@livery/http-adapter/test/CapturedLog"
) {
  static readonly layer = Layer.unwrap(
    Effect.sync(() => {
      const lines: Array<string> = []
      const capture = Logger.make((options) => void lines.push(Logger.formatJson.log(options)))
      return Layer.merge(Layer.succeed(CapturedLog, { lines }), Logger.layer([capture]))
    })
  )
}
