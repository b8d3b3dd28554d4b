/**
 * Contracts of the domain's ports: tests that each implementation of a port passes. They prepare and observe with ports
 * alone, except for what no port stores or returns (`Records`).
 */
import type { AuditEntry, BusinessRows, ImportedBusinesses, WorkNotifier } from "@livery/domain"
import { layer, type Vitest } from "@effect/vitest"
import { Context, DateTime, Effect, type Layer } from "effect"
import type * as PersistencePg from "../../packages/persistence/src/PersistencePg.ts"

/** Records that no port stores or returns. `audit`: the entries about a subject, the oldest first. */
export class Records extends Context.Service<
  Records,
  {
    readonly audit: (
      subject: string
    ) => Effect.Effect<ReadonlyArray<AuditEntry & { readonly at: DateTime.Utc }>>
  }
>()("test/Records") {}

/** The ports that only PostgreSQL implements: those of the move of a business. */
type OfPostgres = BusinessRows | ImportedBusinesses

/** All other ports that a database implements, and {@link Records}. */
export type Ports = Exclude<Layer.Success<typeof PersistencePg.layer>, OfPostgres> | WorkNotifier | Records

/** The tests of a port's contract, for a layer of all ports. Each contract gets a layer of its own. */
export type Contract = (ports: Layer.Layer<Ports, unknown>) => void

/** A contract of that name. With `excludeTestServices`, the ports run by the real clock. */
export const contract =
  (
    name: string,
    declare: (it: Vitest.MethodsNonLive<Ports>) => void,
    options: { readonly excludeTestServices?: boolean } = {}
  ): Contract =>
  (ports) =>
    layer(ports, options)(name, declare)

/** An instant on the day of the tests. */
export const at = (time: string) => DateTime.makeUnsafe(`2026-11-20T${time}Z`)

let count = 0

/** A unique text. */
export const unique = (text: string) => `${text}-${(count += 1)}`

/** Runs an effect `count` times concurrently. */
export const atOnce = <A, E, R>(count: number, effect: (index: number) => Effect.Effect<A, E, R>) =>
  Effect.all(
    Array.from({ length: count }, (_, index) => effect(index)),
    { concurrency: "unbounded" }
  )
