/** A person who has signed in and drives for several businesses. */
import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { ask } from "../../webhooks/Cluster.ts"
import { executable } from "../Servers.ts"
import type { Grown } from "./Growth.ts"

const email = "driver@bench.example.com"
const password = "correct horse battery staple"

/** Makes the account, and has it sign in as the driver of each business. */
export const makeDriver = async (directory: string, url: string, businesses: ReadonlyArray<Grown>) => {
  const account = ["users", "create", "--name", "Driver", "--email", email, "--password", password]
  await promisify(execFile)(process.execPath, [executable, ...account], {
    env: { ...process.env, LIVERY_DATA_DIR: directory, DATABASE_URL: "" }
  })
  for (const { businessId, driverId } of businesses)
    await ask(
      url,
      `update drivers set user_id = (select user_id from users where email = '${email}')
       where business_id = ${businessId} and driver_id = ${driverId}`
    )
}

/** A new access token. */
export const signIn = async (api: string): Promise<string> => {
  const response = await fetch(`${api}/auth/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email, password })
  })
  if (response.status !== 200)
    throw new Error(`POST /auth/login: ${response.status} ${await response.text()}`)
  const { data } = (await response.json()) as { readonly data: { readonly access_token: string } }
  return data.access_token
}
