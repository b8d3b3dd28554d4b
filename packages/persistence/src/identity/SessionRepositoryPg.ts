import { Array, type DateTime, Effect, Layer, Option, Schema, Struct } from "effect"
import { SqlClient } from "effect/sql"
import {
  ActingBusiness,
  DriverId,
  isDriverAccount,
  Membership,
  SessionId,
  SessionRepository,
  User,
  UserId
} from "@livery/domain"
import { columnsOf, jsonOf } from "../sql/rows/Columns.ts"
import { rereading } from "../sql/lists/Rereading.ts"
import { Instant, instant, oneRow, rowsAs, firstOf } from "../sql/rows/Rows.ts"
import { transactionMark } from "../sql/transactions/TransactionMark.ts"
import { userColumns } from "./UserColumns.ts"
import { makeDriversOfAccounts } from "./DriversOfAccounts.ts"

const sessionIds = rowsAs(Schema.Struct({ session_id: SessionId }))
const families = rowsAs(
  Schema.Struct({
    session_id: SessionId,
    user_id: UserId,
    expires_at: Instant,
    revoked: Schema.Boolean,
    last_rotated_hash: Schema.NullOr(Schema.String),
    sealed_successor: Schema.NullOr(Schema.String)
  })
)
const refreshTokens = rowsAs(Schema.Struct({ expires_at: Instant, rotated_at: Schema.NullOr(Instant) }))
const actingBusinesses = rowsAs(ActingBusiness)
const activeSessions = rowsAs(
  Schema.Struct({
    session_id: SessionId,
    ...User.fields,
    businesses: Schema.Array(Membership)
  })
)
const driversOfUser = rowsAs(Schema.Struct({ driver_id: DriverId, business: ActingBusiness }))
const accountTypes = rowsAs(User.mapFields(Struct.pick(["account_type"])))

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const recordsOf = yield* makeDriversOfAccounts(sql)
  const businessJson = sql.literal(jsonOf(ActingBusiness, "b"))
  const membershipJson = sql.literal(jsonOf(Membership, "b", { role: "m.role" }))
  const findAllActive = (ids: ReadonlyArray<SessionId>, now: DateTime.Utc) =>
    Effect.map(
      activeSessions(
        rereading(
          sql,
          sql`
          SELECT s.session_id, ${sql.literal(userColumns)},
                 coalesce((
                   SELECT json_agg(${membershipJson} ORDER BY b.business_id)
                   FROM business_members m JOIN businesses b USING (business_id)
                   WHERE m.user_id = u.user_id), '[]') AS businesses
          FROM session_families s JOIN users u USING (user_id)
          WHERE s.session_id = ANY (${ids}::bigint[]) AND s.revoked_at IS NULL AND s.expires_at > ${instant(now)}`
        )
      ),
      Array.map(({ businesses, session_id: sessionId, ...user }) => ({ sessionId, user, businesses }))
    )
  const driversOf = Effect.fnUntraced(function* (userId: UserId) {
    return yield* driversOfUser(
      rereading(
        sql,
        sql`
        SELECT d.driver_id, ${businessJson} AS business
        FROM drivers d JOIN businesses b USING (business_id)
        WHERE ${yield* recordsOf([userId])} AND d.active AND d.deleted_at IS NULL
        ORDER BY d.business_id`
      )
    )
  })

  return SessionRepository.of({
    open: Effect.fnUntraced(function* (session) {
      const { session_id } = yield* oneRow(
        sessionIds(sql`
        WITH expired AS (
          DELETE FROM session_families WHERE session_id IN (
            SELECT session_id FROM session_families
            WHERE expires_at < ${instant(session.now)}::timestamptz - interval '7 days'
            ORDER BY expires_at LIMIT 2 FOR UPDATE SKIP LOCKED)
        ), family AS (
          INSERT INTO session_families (user_id, device_name, created_at, expires_at)
          VALUES (${session.userId}, ${session.deviceName}, ${instant(session.now)}, ${instant(session.expiresAt)})
          RETURNING session_id
        )
        INSERT INTO refresh_tokens (token_hash, session_id, issued_at, expires_at)
        SELECT ${session.refreshTokenHash}, session_id, ${instant(session.now)},
               ${instant(session.refreshTokenExpiresAt)}
        FROM family
        RETURNING session_id, ${transactionMark(sql)}`)
      )
      return session_id
    }),
    // Two statements: the second one takes its snapshot after the lock is acquired, so that it sees what the previous
    // holder of the lock has written.
    lockByToken: Effect.fnUntraced(function* (refreshTokenHash) {
      const [family] = yield* families(sql`
        SELECT session_id, user_id, expires_at, revoked_at IS NOT NULL AS revoked,
               last_rotated_hash, sealed_successor
        FROM session_families
        WHERE session_id = (SELECT session_id FROM refresh_tokens WHERE token_hash = ${refreshTokenHash})
        FOR UPDATE`)
      const [token] = yield* refreshTokens(
        sql`SELECT expires_at, rotated_at FROM refresh_tokens WHERE token_hash = ${refreshTokenHash}`
      )
      if (family === undefined || token === undefined) return Option.none()
      return Option.some({
        sessionId: family.session_id,
        userId: family.user_id,
        revoked: family.revoked,
        sessionExpiresAt: family.expires_at,
        expiresAt: token.expires_at,
        rotatedAt: token.rotated_at,
        sealedSuccessor: family.last_rotated_hash === refreshTokenHash ? family.sealed_successor : null
      })
    }),
    rotate: Effect.fnUntraced(function* (rotation) {
      const { refreshTokenHash, sealedSuccessor, sessionId } = rotation
      const lastRotated = sealedSuccessor === null ? null : refreshTokenHash
      const now = instant(rotation.now)
      yield* Effect.orDie(sql`
        WITH rotated AS (
          UPDATE refresh_tokens SET rotated_at = ${now}
          WHERE token_hash = ${refreshTokenHash} AND rotated_at IS NULL
          RETURNING session_id
        ), successor AS (
          UPDATE session_families SET last_rotated_hash = ${lastRotated}, sealed_successor = ${sealedSuccessor}
          WHERE session_id = ${sessionId} AND last_rotated_hash IS DISTINCT FROM ${lastRotated}
        )
        INSERT INTO refresh_tokens (token_hash, session_id, issued_at, expires_at)
        SELECT ${rotation.successorHash}, session_id, ${now}, ${instant(rotation.expiresAt)} FROM rotated
        RETURNING ${transactionMark(sql)}`)
    }),
    revoke: (sessionId, now) =>
      Effect.map(
        sessionIds(sql`
          UPDATE session_families SET revoked_at = ${instant(now)}, last_rotated_hash = NULL, sealed_successor = NULL
          WHERE session_id = ${sessionId} AND revoked_at IS NULL
          RETURNING session_id`),
        Array.isReadonlyArrayNonEmpty
      ),
    revokeAll: Effect.fnUntraced(function* (userId, keep, now) {
      const active = yield* sessionIds(sql`
        SELECT session_id FROM session_families
        WHERE user_id = ${userId} AND revoked_at IS NULL
        ORDER BY session_id
        FOR UPDATE`)
      const revoked = yield* sessionIds(sql`
        UPDATE session_families SET revoked_at = ${instant(now)}, last_rotated_hash = NULL, sealed_successor = NULL
        WHERE user_id = ${userId} AND revoked_at IS NULL AND session_id IS DISTINCT FROM ${keep}
        RETURNING session_id`)
      return {
        revoked: revoked.map(({ session_id }) => session_id),
        kept: active.some(({ session_id }) => session_id === keep)
      }
    }),
    findActive: (sessionId, now) => firstOf(findAllActive([sessionId], now)),
    findAllActive,
    driversOf,
    businessesOf: Effect.fnUntraced(function* (userId) {
      const memberOf = yield* actingBusinesses(sql`
        SELECT ${sql.literal(columnsOf(ActingBusiness, "b"))}
        FROM business_members m JOIN businesses b USING (business_id) WHERE m.user_id = ${userId}`)
      const [user] = yield* accountTypes(sql`SELECT account_type FROM users WHERE user_id = ${userId}`)
      const driven = user !== undefined && isDriverAccount(user) ? yield* driversOf(userId) : []
      const all = [...memberOf, ...driven.map(({ business }) => business)]
      return [...new Map(all.map((one) => [one.business_id, one])).values()].toSorted(
        (one, other) => one.business_id - other.business_id
      )
    })
  })
})

/**
 * Sessions in the table `session_families`, and their tokens as hashes in `refresh_tokens`. Opening one deletes up to
 * two that expired a week ago.
 */
export const layer = Layer.effect(SessionRepository, make)
