/**
 * Installations with a given number of rows of each kind that super-admins list. Such a list has the rows of all
 * businesses, so each size is a database of its own.
 */
import { execFile } from "node:child_process"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import { ask } from "../../webhooks/Cluster.ts"
import { report } from "../../webhooks/Figures.ts"
import type { Bed } from "../Bed.ts"
import { withLivery } from "../RoutesRace.ts"
import { executable } from "../Servers.ts"
import { load } from "./Population.ts"
import { email, password } from "./SignIn.ts"

/** A server on a database with so many rows. */
export interface Platform {
  readonly rows: number
  readonly api: string
}

/** Creates a database beside the benchmark's, with the tables and a super-admin. */
const createDatabase = async (bed: Bed, name: string) => {
  const url = new URL(bed.url)
  url.pathname = `/${name}`
  await ask(bed.url, `create database ${name}`)
  const environment = {
    LIVERY_DATA_DIR: bed.directory,
    LIVERY_SECRET: (await readFile(join(bed.directory, "secret"), "utf8")).trim(),
    DATABASE_URL: url.href
  }
  const livery = (...args: ReadonlyArray<string>) =>
    promisify(execFile)(process.execPath, [executable, ...args], { env: { ...process.env, ...environment } })
  await livery("migrate")
  const account = ["--name", "Admin", "--email", email, "--password", password, "--account-type", "S"]
  await livery("users", "create", ...account)
  return environment
}

/** A hundred businesses, users, invoices and entries of the log have the rare value of their kind, independent of the size. */
const fill = async (url: string, rows: number) => {
  const every = Math.max(1, Math.floor(rows / 100))
  await load(
    url,
    `insert into businesses (business_name, business_email, vendor_slug, subscription_plan_id, created_at, updated_at)
     select case when n % ${every} = 0 then 'Unusual ' else 'Business ' end || n, 'business' || n || '@example.com',
       'business-' || n, 1, now(), now()
     from generate_series(1, ${rows}) n order by n`,
    `insert into users (email, name, account_type, password_hash, created_at, updated_at)
     select 'user' || n || '@example.com', case when n % ${every} = 0 then 'Unusual ' else 'User ' end || n,
       case when n % ${every} = 0 then 'S' else 'A' end, 'none', now(), now()
     from generate_series(1, ${rows}) n order by n`,
    `insert into saas_coupons (code, percent_off, duration, created_at)
     select 'CODE' || n, 10, 'once', now() from generate_series(1, ${rows}) n order by n`,
    `insert into saas_invoices (number, business_id, status, currency, discount_minor, tax_minor, issued_on, lines, payments,
       created_at)
     select 'S-' || n, case when n % ${every} = 0 then 2 else 1 end, case when n % ${every} = 0 then 'void' else 'unpaid' end,
       'USD', 0, 0, '2026-11-01',
       '[{"description": "Plan", "quantity": 1, "unit_price_minor": 4900}]', '[]', now()
     from generate_series(1, ${rows}) n order by n`,
    `insert into audit_log (at, actor, action, subject, business_id)
     select now(), case when n % ${every} = 0 then 'user:2' else 'user:1' end,
       case when n % ${every} = 0 then 'business.suspended' else 'business.updated' end,
       case when n % ${every} = 0 then 'business:2' else 'business:1' end, case when n % ${every} = 0 then 2 else 1 end
     from generate_series(1, ${rows}) n order by n`,
    "vacuum analyze"
  )
}

/** Runs `use` with two servers, on databases of so many rows. */
export const withPlatforms = async (
  bed: Bed,
  [small, large]: readonly [number, number],
  use: (platforms: readonly [Platform, Platform]) => Promise<void>
) => {
  const prepared = async (rows: number) => {
    const began = performance.now()
    const environment = await createDatabase(bed, `platform_${rows}`)
    await fill(environment.DATABASE_URL, rows)
    report(`A platform of ${rows}: filled in ${((performance.now() - began) / 1000).toFixed(1)} s`)
    return environment
  }
  const [ofSmall, ofLarge] = [await prepared(small), await prepared(large)]
  const apiOf = ({ port }: { readonly port: number }) => `http://127.0.0.1:${port}/api/v1`
  await withLivery(
    bed,
    (one) =>
      withLivery(
        bed,
        (other) =>
          use([
            { rows: small, api: apiOf(one) },
            { rows: large, api: apiOf(other) }
          ]),
        ofLarge
      ),
    ofSmall
  )
}
