import { Effect, Redacted, Schema } from "effect"
import { realpathSync } from "node:fs"
import { Client } from "pg"
import { readPassword, role } from "./Initialisation.ts"
import { socketUrl } from "../sql/PgClient.ts"
import type { Postmaster } from "./Postmaster.ts"

/** The database that Livery's tables live in. */
const database = "livery"

const holderName = "livery holder"

/** The address of a database of the server: of the form of {@link socketUrl}, or with a password over TCP. */
export const addressOf = async (data: string, { port, socketDirectory }: Postmaster, name = database) =>
  Redacted.make(
    socketDirectory === ""
      ? `postgresql://${role}:${encodeURIComponent(await readPassword(data))}@127.0.0.1:${port}/${name}`
      : socketUrl({ directory: socketDirectory, port, database: name, user: role })
  )

/** The server did not let us in. `code` is its SQLSTATE, or the operating system's word for why. */
class NotAdmitted extends Schema.TaggedError<NotAdmitted>()("NotAdmitted", {
  code: Schema.String,
  detail: Schema.String
}) {
  override get message() {
    return `The server refused the connection: ${this.detail}`
  }
}

/** The one idle connection by which a process shows that it has the cluster open. */
export interface Holder {
  readonly client: Client
  /** Resolves when the connection ends, whoever ended it. */
  readonly ended: Promise<void>
}

const notAdmitted = (cause: unknown) => {
  const { code, message } = cause as { readonly code?: string; readonly message?: string }
  return new NotAdmitted({ code: code ?? "", detail: message ?? String(cause) })
}

const connect = async (url: Redacted.Redacted): Promise<Holder> => {
  const client = new Client({
    connectionString: Redacted.value(url),
    application_name: `${holderName} ${process.pid}`,
    connectionTimeoutMillis: 10_000,
    keepAlive: true
  })
  const ended = new Promise<void>((resolve) => {
    client.once("end", resolve)
  })
  // Its end is all that matters; without a listener an error would end the process.
  client.on("error", () => undefined)
  await client.connect()
  return { client, ended }
}

/** Ends a holder's connection; never fails. */
export const leave = (holder: Holder) => Effect.promise(() => holder.client.end().catch(() => undefined))

const serves = async (holder: Holder, data: string) => {
  const { rows } = await holder.client.query<{ data_directory: string }>("show data_directory")
  return rows[0] !== undefined && realpathSync(rows[0].data_directory) === data
}

/** Connects to the server as one who has it open. Fails too if a server of other data answers there. */
export const hold = Effect.fn("Connection.hold")(function* (data: string, postmaster: Postmaster) {
  return yield* Effect.tryPromise({
    try: async () => {
      const holder = await connect(await addressOf(data, postmaster))
      if (await serves(holder, data)) return holder
      await holder.client.end()
      throw new Error("another server answers there")
    },
    catch: notAdmitted
  })
})

/** Makes Livery's database on a server that has none yet. */
export const createDatabase = Effect.fn("Connection.createDatabase")(function* (
  data: string,
  postmaster: Postmaster
) {
  yield* Effect.tryPromise({
    try: async () => {
      const { client } = await connect(await addressOf(data, postmaster, "postgres"))
      try {
        await client.query(`create database ${database}`)
      } finally {
        await client.end()
      }
    },
    catch: notAdmitted
  })
})

/** Whether another process, or another opening in this one, has the cluster open. */
export const isShared = Effect.fn("Connection.isShared")(function* (holder: Holder) {
  return yield* Effect.tryPromise({
    try: async () => {
      const { rows } = await holder.client.query<{ others: number }>(
        `select count(*)::int as others from pg_stat_activity
          where application_name like '${holderName} %' and pid <> pg_backend_pid()`
      )
      return (rows[0]?.others ?? 0) > 0
    },
    catch: notAdmitted
  })
})
