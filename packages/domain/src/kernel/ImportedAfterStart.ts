/** Modules that a server needs later than at its start. */
import { Effect, type Scope } from "effect"

/** How long after the start a module is imported: by then the server is ready. */
const delay = "1 second"

/**
 * Imports a module with its first use, or a second after the start: so it does not delay the start, and is in memory when the
 * files of the program are replaced by those of another version.
 */
export const importedAfterStart = Effect.fnUntraced(function* <A>(
  load: () => Promise<A>
): Effect.fn.Return<Effect.Effect<A>, never, Scope.Scope> {
  const imported = yield* Effect.cached(Effect.promise(load))
  yield* Effect.forkScoped(Effect.andThen(Effect.sleep(delay), imported))
  // The effect itself, which a caller runs at each use.
  // @effect-diagnostics-next-line returnEffectInGen:off
  return imported
})
