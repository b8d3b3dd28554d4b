import { ErasureRepository, HeldErasure, Person } from "@livery/domain"
import { Array, Effect, Option, Schema } from "effect"
import { execute, instant, rowsAs, firstOf } from "../sql/rows/Rows.ts"
import { onPostgres } from "../sql/statements/OnPostgres.ts"

const heldOf = rowsAs(HeldErasure)
const personsOf = rowsAs(Schema.Struct({ person: Person }))
const locksOf = rowsAs(Schema.Struct({ lease: Schema.String }))

const columns = "erasure_key AS key, person, subject, actor, reason, progress, lease, attempt"

export const layer = onPostgres(ErasureRepository, (sql) => {
  const returned = sql.literal(columns)
  const isHeld = ({ key, lease }: HeldErasure) => sql`erasure_key = ${key} AND lease = ${lease}`

  return {
    find: (key) =>
      Effect.map(personsOf(sql`SELECT person FROM erasures WHERE erasure_key = ${key}`), (rows) =>
        Option.map(Array.head(rows), ({ person }) => person)
      ),
    begin: ({ actor, key, person, reason, subject }, { lease, until }, now) => {
      const row = {
        person: JSON.stringify(person),
        subject,
        actor,
        reason,
        lease,
        attempt: 0,
        due_at: instant(until)
      }
      return Effect.map(
        heldOf(sql`
          INSERT INTO erasures AS e ${sql.insert({ erasure_key: key, started_at: instant(now), progress: "{}", ...row })}
          ON CONFLICT (erasure_key) DO UPDATE SET ${sql.update(row)},
            progress = CASE WHEN e.person = excluded.person THEN e.progress ELSE '{}' END
          RETURNING ${returned}`),
        Array.getUnsafe(0)
      )
    },
    claim: ({ lease, until }, now) =>
      firstOf(
        heldOf(sql`
          UPDATE erasures SET lease = ${lease}, attempt = attempt + 1, due_at = ${instant(until)}
          WHERE erasure_key = (
            SELECT erasure_key FROM erasures WHERE due_at <= ${instant(now)}
            ORDER BY due_at, erasure_key LIMIT 1 FOR UPDATE SKIP LOCKED)
          RETURNING ${returned}`)
      ),
    lock: (held) =>
      Effect.map(
        locksOf(sql`SELECT lease FROM erasures WHERE ${isHeld(held)} FOR UPDATE`),
        ({ length }) => length > 0
      ),
    save: (held, progress, until) =>
      execute(sql`
        UPDATE erasures SET progress = ${JSON.stringify(progress)}::jsonb, attempt = 0, due_at = ${instant(until)}
        WHERE ${isHeld(held)}`),
    postpone: (held, until) =>
      execute(sql`UPDATE erasures SET due_at = ${instant(until)} WHERE ${isHeld(held)}`),
    remove: (held) => execute(sql`DELETE FROM erasures WHERE ${isHeld(held)}`)
  }
})
