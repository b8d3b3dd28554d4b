/** Livery's dispatcher alone, until the process is ended. */
import { Effect, Layer } from "effect"
import { dispatcher, queues } from "../Dispatching.ts"

await Effect.runPromise(
  Layer.launch(dispatcher.pipe(Layer.provideMerge(queues(process.env["BENCH_DATABASE"] ?? ""))))
)
