/** The domain's `FileStore` in a bucket of S3 or of a compatible service. */
import { FileStore, FilesUnavailable, FileUnreadable, traced } from "@livery/domain"
import { AwsV4Signer } from "aws4fetch"
import { Duration, Effect, Layer, Option, Stream } from "effect"
import { createHash } from "node:crypto"
import { setTimeout as pause } from "node:timers/promises"
import { awsAddress } from "./AwsAddress.ts"
import { CredentialsMissing, makeS3Credentials } from "./S3Credentials.ts"

/** The bucket and its limits. `S3Credentials.ts` lists the sources of its credentials. */
export interface S3FilesOptions {
  readonly bucket: string
  /** The prefix of every key, before a slash; none if empty. */
  readonly prefix: string
  /** By default `AWS_REGION`, else `us-east-1`. */
  readonly region?: string | undefined
  /** The address of a compatible service. The bucket is then part of the path. */
  readonly endpoint?: string | undefined
  /**
   * The timeout of writing or finding a file, with all attempts, and of waiting for its bytes; 7 s by default. Each MiB
   * that is written adds a second, for slow connections.
   */
  readonly timeout?: Duration.Input
  /** The timeout of removing a file, during which a caller waits for another result; 2 s by default. */
  readonly removalTimeout?: Duration.Input
}

/** When a caller may retry after a bucket did not respond, in seconds. */
const retryAfterSeconds = 5

/** A refusal of the bucket that another attempt does not change: the bucket is missing, or access is denied. */
class BucketRefused extends Error {
  override readonly name = "BucketRefused"
}

const reasonOf = (cause: unknown): string => {
  if (!(cause instanceof Error)) return String(cause)
  // `fetch` tells the reason in the cause of its error.
  if (cause.cause instanceof Error) return reasonOf(cause.cause)
  // A network error may have a code and no message.
  return "code" in cause ? `${cause.message} (${String(cause.code)})` : cause.message
}

const unreadable = (cause: unknown) => new FileUnreadable({ reason: reasonOf(cause) })

const unavailable = (reason: string) => new FilesUnavailable({ reason, retryAfterSeconds })

const isPermanent = (cause: unknown) => cause instanceof BucketRefused || cause instanceof CredentialsMissing

/** The additional time for writing a file over a slow connection: a second for each MiB. */
const extraTimeFor = ({ length }: Uint8Array) => Duration.seconds(length / (1024 * 1024))

/** Limits the total time of waiting for the bytes of a file. The time that the consumer takes does not count. */
const withReadTimeout =
  (timeout: Duration.Duration) =>
  (bytes: Stream.Stream<Uint8Array, FileUnreadable>): Stream.Stream<Uint8Array, FileUnreadable> =>
    Stream.transformPull(bytes, (pull) =>
      Effect.sync(() => {
        let remainingMillis = Duration.toMillis(timeout)
        return Effect.suspend(() => {
          const start = performance.now()
          return pull.pipe(
            Effect.timeoutOrElse({
              duration: Math.max(remainingMillis, 0),
              orElse: () => Effect.fail(unreadable(`the bucket sent nothing for ${Duration.format(timeout)}`))
            }),
            Effect.tap(() => Effect.sync(() => void (remainingMillis -= performance.now() - start)))
          )
        })
      })
    )

/** A request for one object. */
interface ObjectRequest {
  readonly method: "GET" | "PUT" | "DELETE"
  readonly name: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Uint8Array<ArrayBuffer>
}

/** The address of the bucket. A certificate of AWS covers no bucket whose name has a dot. */
const addressOf = ({ bucket, endpoint }: S3FilesOptions, region: string) => {
  if (endpoint !== undefined) return `${endpoint.replace(/\/$/u, "")}/${bucket}`
  return bucket.includes(".") ? `${awsAddress("s3", region)}/${bucket}` : awsAddress(`${bucket}.s3`, region)
}

const maximumAttempts = 3

/** Whether another attempt may succeed: the bucket is overloaded or faulty. */
const isTransient = (status: number) => status >= 500 || status === 429 || status === 408

const isAbsent = (text: string) => text.includes("<Code>NoSuchKey</Code>")

/** The response to a request, after up to three attempts; undefined for an absent object. */
const makeFetchObject = (options: S3FilesOptions) => {
  const region = options.region ?? process.env["AWS_REGION"] ?? "us-east-1"
  const credentials = makeS3Credentials(region)
  const base = addressOf(options, region)
  const attempt = async ({ body, headers, method, name }: ObjectRequest, signal: AbortSignal) => {
    const path = (options.prefix === "" ? name : `${options.prefix}/${name}`).split("/")
    const { accessKeyId, secretAccessKey, sessionToken } = await credentials(signal)
    const signer = new AwsV4Signer({
      method,
      url: `${base}/${path.map(encodeURIComponent).join("/")}`,
      headers: {
        ...headers,
        // The bucket compares it with what arrives.
        "X-Amz-Content-Sha256": createHash("sha256")
          .update(body ?? "")
          .digest("hex")
      },
      accessKeyId,
      secretAccessKey,
      ...(sessionToken === undefined ? {} : { sessionToken }),
      service: "s3",
      region
    })
    const { headers: signed, url } = await signer.sign()
    return fetch(url, { method, headers: signed, body: body ?? null, signal, redirect: "manual" })
  }
  return async (request: ObjectRequest, signal: AbortSignal): Promise<Response | undefined> => {
    for (let number = 1; ; number++) {
      try {
        const response = await attempt(request, signal)
        if (response.ok) return response
        const text = await response.text()
        if (isAbsent(text)) return undefined
        const message = `status ${response.status} ${/<Code>([^<]*)/u.exec(text)?.[1] ?? ""}`.trim()
        throw isTransient(response.status) ? new Error(message) : new BucketRefused(message)
      } catch (cause) {
        if (signal.aborted || isPermanent(cause) || number === maximumAttempts) throw cause
        await pause(50 * 2 ** number, undefined, { signal })
      }
    }
  }
}

/** Runs a request until it settles, or until its caller is interrupted or the time is over; then it is aborted. */
const abortedAfter = async <A>(
  millis: number,
  interrupted: AbortSignal,
  request: (signal: AbortSignal) => Promise<A>
): Promise<A> => {
  const timedOut = new AbortController()
  const timer = setTimeout(() => timedOut.abort(new Error(`no response within ${millis} ms`)), millis)
  try {
    return await request(AbortSignal.any([interrupted, timedOut.signal]))
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Stores each file as `<prefix>/<name>` with its content type. A permanent refusal is a defect. A bucket that does not
 * respond within the timeout, or fails, is `FilesUnavailable`. An interrupted request closes its connection.
 */
export const layer = (options: S3FilesOptions): Layer.Layer<FileStore> =>
  Layer.sync(FileStore, () => {
    const timeout = Duration.fromInputUnsafe(options.timeout ?? "7 seconds")
    const removalTimeout = Duration.fromInputUnsafe(options.removalTimeout ?? "2 seconds")
    const fetchObject = makeFetchObject(options)
    const send = (within: Duration.Duration, request: ObjectRequest) =>
      Effect.tryPromise({
        try: (interrupted) =>
          abortedAfter(Duration.toMillis(within), interrupted, (signal) => fetchObject(request, signal)),
        catch: (cause) => ({ cause })
      }).pipe(
        Effect.catch(({ cause }) =>
          isPermanent(cause) ? Effect.die(cause) : Effect.fail(unavailable(reasonOf(cause)))
        )
      )

    return FileStore.of({
      write: traced("FileStore.write")((name, bytes, contentType) =>
        Effect.asVoid(
          send(Duration.sum(timeout, extraTimeFor(bytes)), {
            method: "PUT",
            name,
            headers: { "Content-Type": contentType },
            body: new Uint8Array(bytes)
          })
        )
      ),
      read: traced("FileStore.read")((name) =>
        Effect.map(send(timeout, { method: "GET", name }), (response) =>
          Option.map(Option.fromNullishOr(response?.body), (body) =>
            Stream.fromReadableStream<Uint8Array, FileUnreadable>({
              evaluate: () => body,
              onError: unreadable
            }).pipe(withReadTimeout(timeout))
          )
        )
      ),
      remove: traced("FileStore.remove")((name) =>
        Effect.asVoid(send(removalTimeout, { method: "DELETE", name }))
      )
    })
  })
