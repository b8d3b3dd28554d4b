/** The user for the lists that require an access token, with the sign-in. */
import { livery } from "@livery/client"
import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { ask } from "../../webhooks/Cluster.ts"
import { executable } from "../Servers.ts"
import type { Grown } from "./Growth.ts"

/** The person's address and password. */
export const email = "person@bench.example.com"
export const password = "correct horse battery staple"

/** Makes the account, and has it sign in as an owner and a driver of each business, and of those with upcoming jobs alone. */
export const makePerson = async (directory: string, url: string, grown: ReadonlyArray<Grown>) => {
  const account = ["users", "create", "--name", "Person", "--email", email, "--password", password]
  await promisify(execFile)(process.execPath, [executable, ...account], {
    env: { ...process.env, LIVERY_DATA_DIR: directory, DATABASE_URL: "" }
  })
  const person = `(select user_id from users where email = '${email}')`
  for (const { businessId, driverId } of grown.flatMap((each) => [each, each.bookedOut]))
    await ask(
      url,
      `update drivers set user_id = ${person} where business_id = ${businessId} and driver_id = ${driverId}`,
      `insert into business_members (business_id, user_id, created_at) values (${businessId}, ${person}, now())`
    )
}

/** A new access token, of the person unless another address is given. Every account has the same password. */
export const signIn = async (api: string, address: string = email): Promise<string> => {
  const { access_token } = await livery({ baseUrl: api }).auth.login({ email: address, password })
  return access_token
}
