/**
 * The credentials of a bucket, from the usual sources of AWS clients, in their order: `AWS_ACCESS_KEY_ID` and
 * `AWS_SECRET_ACCESS_KEY`; a web identity (`AWS_ROLE_ARN` and `AWS_WEB_IDENTITY_TOKEN_FILE`, Kubernetes); the address of a
 * container's credentials (ECS, Kubernetes); the role of an EC2 instance. Profiles in `~/.aws` are not read.
 */
import { Option, Schema } from "effect"
import { readFile } from "node:fs/promises"
import { awsAddress } from "./AwsAddress.ts"

/** Credentials; those of a role end. */
export interface S3Credentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string | undefined
  /** Milliseconds since 1970. */
  readonly expiresAt?: number | undefined
}

/** No source has credentials, so that another attempt does not help. */
export class CredentialsMissing extends Error {
  override readonly name = "CredentialsMissing"
}

type Environment = Readonly<Record<string, string | undefined>>

const Temporary = Schema.Struct({
  AccessKeyId: Schema.String,
  SecretAccessKey: Schema.String,
  Token: Schema.String,
  Expiration: Schema.String
})

const decodeTemporary = Schema.decodeUnknownOption(Temporary)

const temporary = (body: unknown): S3Credentials => {
  const decoded = decodeTemporary(body)
  if (Option.isNone(decoded)) throw new Error("The role's credentials are not understood")
  const { AccessKeyId, Expiration, SecretAccessKey, Token } = decoded.value
  return {
    accessKeyId: AccessKeyId,
    secretAccessKey: SecretAccessKey,
    sessionToken: Token,
    expiresAt: Date.parse(Expiration)
  }
}

const answered = async (url: string | URL, init: RequestInit): Promise<Response> => {
  const response = await fetch(url, { ...init, redirect: "error" })
  if (!response.ok) throw new Error(`${new URL(url).host} has no credentials: status ${response.status}`)
  return response
}

const ofEnvironment = (environment: Environment): S3Credentials | undefined => {
  const {
    AWS_ACCESS_KEY_ID: accessKeyId = "",
    AWS_SECRET_ACCESS_KEY: secretAccessKey = "",
    AWS_SESSION_TOKEN: sessionToken
  } = environment
  // A variable that is set to nothing must not hide the role of the machine.
  return accessKeyId === "" || secretAccessKey === ""
    ? undefined
    : { accessKeyId, secretAccessKey, sessionToken: sessionToken === "" ? undefined : sessionToken }
}

const ofWebIdentity = async (environment: Environment, region: string, signal: AbortSignal) => {
  const { AWS_ROLE_ARN: role, AWS_WEB_IDENTITY_TOKEN_FILE: file } = environment
  if (role === undefined || file === undefined) return undefined
  const parameters = new URLSearchParams({
    Action: "AssumeRoleWithWebIdentity",
    Version: "2011-06-15",
    RoleArn: role,
    RoleSessionName: environment["AWS_ROLE_SESSION_NAME"] ?? "livery",
    WebIdentityToken: (await readFile(file, "utf8")).trim()
  })
  const endpoint = environment["AWS_ENDPOINT_URL_STS"] ?? `${awsAddress("sts", region)}/`
  const response = await answered(endpoint, { method: "POST", body: parameters, signal })
  const text = await response.text()
  const field = (name: string) => new RegExp(`<${name}>([^<]+)</${name}>`, "u").exec(text)?.[1]
  return temporary({
    AccessKeyId: field("AccessKeyId"),
    SecretAccessKey: field("SecretAccessKey"),
    Token: field("SessionToken"),
    Expiration: field("Expiration")
  })
}

const ofContainer = async (environment: Environment, signal: AbortSignal) => {
  const relative = environment["AWS_CONTAINER_CREDENTIALS_RELATIVE_URI"]
  const address =
    relative === undefined
      ? environment["AWS_CONTAINER_CREDENTIALS_FULL_URI"]
      : `http://169.254.170.2${relative}`
  if (address === undefined) return undefined
  const file = environment["AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE"]
  const token =
    file === undefined
      ? environment["AWS_CONTAINER_AUTHORIZATION_TOKEN"]
      : (await readFile(file, "utf8")).trim()
  const response = await answered(address, {
    headers: token === undefined ? {} : { Authorization: token },
    signal
  })
  return temporary(await response.json())
}

const ofInstance = async (environment: Environment, signal: AbortSignal) => {
  if (environment["AWS_EC2_METADATA_DISABLED"] === "true") return undefined
  const service = environment["AWS_EC2_METADATA_SERVICE_ENDPOINT"] ?? "http://169.254.169.254"
  const near = AbortSignal.any([signal, AbortSignal.timeout(1000)])
  const token = await answered(new URL("/latest/api/token", service), {
    method: "PUT",
    headers: { "X-aws-ec2-metadata-token-ttl-seconds": "300" },
    signal: near
  }).then(
    (response) => response.text(),
    (cause: unknown) => {
      // Not on EC2: the address leads nowhere.
      if (signal.aborted) throw cause
      return undefined
    }
  )
  if (token === undefined) return undefined
  const get = (path: string) =>
    answered(new URL(path, service), { headers: { "X-aws-ec2-metadata-token": token }, signal })
  const path = "/latest/meta-data/iam/security-credentials/"
  const [role = ""] = (await (await get(path)).text()).split("\n")
  return temporary(await (await get(`${path}${role}`)).json())
}

/** How long before their end credentials are replaced. */
const margin = 5 * 60 * 1000

/** A function that finds credentials, and keeps them until shortly before they end. */
export const makeS3Credentials = (
  region: string,
  environment: Environment = process.env
): ((signal: AbortSignal) => Promise<S3Credentials>) => {
  let known: S3Credentials | undefined
  return async (signal) => {
    const fixed = ofEnvironment(environment)
    if (fixed !== undefined) return fixed
    if (known?.expiresAt !== undefined && known.expiresAt - margin > Date.now()) return known
    known =
      (await ofWebIdentity(environment, region, signal)) ??
      (await ofContainer(environment, signal)) ??
      (await ofInstance(environment, signal))
    if (known === undefined)
      throw new CredentialsMissing(
        "There are no credentials for the bucket: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"
      )
    return known
  }
}
