import { assert, it } from "@effect/vitest"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { CredentialsMissing, makeS3Credentials } from "../../src/files/S3Credentials.ts"

const { signal } = new AbortController()

/** A service on loopback that answers each path with a text, and lists its requests. */
const service = async (answers: Readonly<Record<string, string>>) => {
  const requests: Array<string> = []
  const server = createServer((request, response) => {
    const [header = ""] = ["authorization", "x-aws-ec2-metadata-token"].flatMap(
      (name) => request.headers[name] ?? []
    )
    let body = ""
    request
      .setEncoding("utf8")
      .on("data", (text: string) => (body += text))
      .on("end", () => {
        requests.push([request.method, request.url, header, body].filter((part) => part !== "").join(" "))
        const answer = answers[request.url ?? ""]
        response.writeHead(answer === undefined ? 404 : 200).end(answer)
      })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`
  return { url, requests, close: () => new Promise((resolve) => server.close(resolve)) }
}

const inOneHour = new Date(Date.now() + 3_600_000).toISOString()
const role = JSON.stringify({
  AccessKeyId: "id",
  SecretAccessKey: "key",
  Token: "token",
  Expiration: inOneHour
})
const expected = {
  accessKeyId: "id",
  secretAccessKey: "key",
  sessionToken: "token",
  expiresAt: Date.parse(inOneHour)
}

it("the keys of the environment come first, and ask no service", async () => {
  const found = await makeS3Credentials("us-east-1", {
    AWS_ACCESS_KEY_ID: "id",
    AWS_SECRET_ACCESS_KEY: "key",
    AWS_ROLE_ARN: "arn",
    AWS_WEB_IDENTITY_TOKEN_FILE: "/nowhere"
  })(signal)
  assert.deepStrictEqual(found, { accessKeyId: "id", secretAccessKey: "key", sessionToken: undefined })
})

it("the credentials of a container are asked for with its token, once until they end", async () => {
  const { close, requests, url } = await service({ "/credentials": role })
  const credentials = makeS3Credentials("us-east-1", {
    AWS_CONTAINER_CREDENTIALS_FULL_URI: `${url}/credentials`,
    AWS_CONTAINER_AUTHORIZATION_TOKEN: "secret"
  })
  for (let time = 0; time < 2; time++) assert.deepStrictEqual(await credentials(signal), expected)
  assert.deepStrictEqual(requests, ["GET /credentials secret"])
  await close()
})

it("a web identity is exchanged for the credentials of its role", async () => {
  const directory = await mkdtemp(join(tmpdir(), "livery-identity-"))
  await writeFile(join(directory, "token"), "identity\n")
  const answer =
    "<Credentials><AccessKeyId>id</AccessKeyId><SecretAccessKey>key</SecretAccessKey>" +
    `<SessionToken>token</SessionToken><Expiration>${inOneHour}</Expiration></Credentials>`
  const { close, requests, url } = await service({ "/": answer })
  const credentials = makeS3Credentials("us-east-1", {
    AWS_ROLE_ARN: "arn:aws:iam::1:role/livery",
    AWS_WEB_IDENTITY_TOKEN_FILE: join(directory, "token"),
    AWS_ENDPOINT_URL_STS: url
  })
  assert.deepStrictEqual(await credentials(signal), expected)
  assert.match(requests[0] ?? "", /^POST \/ Action=AssumeRoleWithWebIdentity&.*WebIdentityToken=identity$/u)
  await close()
  await rm(directory, { recursive: true })
})

it("the role of an instance is found with a token of its metadata service", async () => {
  const path = "/latest/meta-data/iam/security-credentials/"
  const { close, requests, url } = await service({
    "/latest/api/token": "session",
    [path]: "livery",
    [`${path}livery`]: role
  })
  const credentials = makeS3Credentials("us-east-1", { AWS_EC2_METADATA_SERVICE_ENDPOINT: url })
  assert.deepStrictEqual(await credentials(signal), expected)
  assert.deepStrictEqual(requests, [
    "PUT /latest/api/token",
    `GET ${path} session`,
    `GET ${path}livery session`
  ])
  await close()
})

it("credentials that no source has are missing, which names the variables", async () => {
  const credentials = makeS3Credentials("us-east-1", { AWS_EC2_METADATA_DISABLED: "true" })
  const cause = await credentials(signal).catch((error: unknown) => error)
  assert.instanceOf(cause, CredentialsMissing)
  assert.include(cause.message, "AWS_ACCESS_KEY_ID")
})
