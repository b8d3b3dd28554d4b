/**
 * The compiler of statements for PostgreSQL. Effect's own caches each statement object in a `WeakMap`. Our statement
 * objects run once, so the cache never hits. V8 keeps the values of such a map through a collection of new objects, so the
 * parameters of every statement became old objects, which are collected rarely and slowly.
 */
import { PgClient } from "@effect/sql-pg"
import type { Statement } from "effect/sql"

/** Effect's compiler, with the parameter that it uses for parts of statements and declares only internally. */
interface EffectCompiler {
  readonly compile: (
    statement: Statement.Fragment,
    withoutTransform: boolean,
    placeholder: () => string
  ) => ReturnType<Statement.Compiler["compile"]>
}

const none: ReadonlyArray<unknown> = []

class StatementCompiler implements Statement.Compiler {
  readonly dialect = "pg"
  readonly #compiler: EffectCompiler = PgClient.makeCompiler()

  compile(
    statement: Statement.Fragment,
    withoutTransform: boolean
  ): ReturnType<Statement.Compiler["compile"]> {
    const [only, ...others] = statement.segments
    // A statement that was compiled before (`Compiled.ts`).
    if (only?._tag === "Literal" && others.length === 0) return [only.value, only.params ?? none]
    let placeholders = 0
    // With a placeholder of the caller, Effect's compiler remembers nothing.
    return this.#compiler.compile(statement, withoutTransform, () => `$${(placeholders += 1)}`)
  }

  get withoutTransform() {
    return this
  }
}

/** Makes the compiler of a client. */
export const makeStatementCompiler = (): Statement.Compiler => new StatementCompiler()
