/** The domain's `FileStore` in a bucket of S3 or of a compatible service. */
import { FileStore, FilesUnavailable, FileUnreadable, traced } from "@livery/domain"
import { Duration, Effect, Layer, Option, Predicate, Stream } from "effect"

/** The bucket and its limits. Credentials come from the usual sources of AWS clients: `AWS_ACCESS_KEY_ID`, a role, … */
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

const isAbsent = (cause: unknown) => Predicate.hasProperty(cause, "name") && cause.name === "NoSuchKey"

const reasonOf = (cause: unknown) => {
  if (!(cause instanceof Error)) return String(cause)
  // A network error may have a code and no message.
  return "code" in cause ? `${cause.message} (${String(cause.code)})` : cause.message
}

const unreadable = (cause: unknown) => new FileUnreadable({ reason: reasonOf(cause) })

const unavailable = (reason: string) => new FilesUnavailable({ reason, retryAfterSeconds })

/** Whether a retry cannot help: the bucket is missing, or access is denied. */
const isPermanent = (cause: unknown) =>
  (Predicate.hasProperty(cause, "$fault") && cause.$fault === "client") ||
  (Predicate.hasProperty(cause, "name") && cause.name === "CredentialsProviderError")

const nothing = () => undefined

/** Discards the SDK's own log lines: its errors carry the same information. */
const quiet = { trace: nothing, debug: nothing, info: nothing, warn: nothing, error: nothing }

/**
 * Settles with the request, or as soon as the signal is aborted: the SDK closes the connection at once, but may take
 * seconds to settle.
 */
const abortable = async <A>(signal: AbortSignal, request: Promise<A>): Promise<A> => {
  let removeListener: () => void = nothing
  const aborted = new Promise<never>((_, reject) => {
    const abort = () => reject(signal.reason)
    signal.addEventListener("abort", abort)
    removeListener = () => signal.removeEventListener("abort", abort)
  })
  try {
    return await Promise.race([request, aborted])
  } finally {
    removeListener()
  }
}

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

interface Sending {
  readonly abortSignal: AbortSignal
}

/** The SDK, imported with the first file because it is large, and its client for the bucket. */
const connect = async ({ endpoint, region }: S3FilesOptions, timeout: Duration.Duration) => {
  const sdk = await import("@aws-sdk/client-s3")
  const client = new sdk.S3Client({
    region: region ?? process.env["AWS_REGION"] ?? "us-east-1",
    maxAttempts: 3,
    logger: quiet,
    // No request timeout of the SDK: it would wait that long for a bucket that ignores `Expect: 100-continue`.
    requestHandler: { connectionTimeout: Math.min(3000, Duration.toMillis(timeout)), logger: quiet },
    ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true })
  })
  return { sdk, client }
}

type Connection = Awaited<ReturnType<typeof connect>>

/** Runs a request until it settles, or until its caller is interrupted or the time is over; then it is aborted. */
const abortedAfter = async <A>(
  millis: number,
  interrupted: AbortSignal,
  request: (sending: Sending) => Promise<A>
): Promise<A> => {
  const timedOut = new AbortController()
  const timer = setTimeout(() => timedOut.abort(new Error(`no response within ${millis} ms`)), millis)
  const abortSignal = AbortSignal.any([interrupted, timedOut.signal])
  try {
    return await abortable(abortSignal, request({ abortSignal }))
  } finally {
    clearTimeout(timer)
  }
}

/** A function that sends requests to the bucket. The connection is made with the first request, and ends with the scope. */
const makeSend = Effect.fnUntraced(function* (options: S3FilesOptions, timeout: Duration.Duration) {
  let connection: Promise<Connection> | undefined
  yield* Effect.addFinalizer(() =>
    Effect.promise(async () => {
      if (connection !== undefined) (await connection).client.destroy()
    })
  )
  return <A>(
    within: Duration.Duration,
    request: (bucket: Connection, sending: Sending) => Promise<A>
  ): Effect.Effect<A, FilesUnavailable> =>
    Effect.tryPromise({
      try: (interrupted) =>
        abortedAfter(Duration.toMillis(within), interrupted, async (sending) =>
          request(await (connection ??= connect(options, timeout)), sending)
        ),
      catch: (cause) => ({ cause })
    }).pipe(
      Effect.catch(({ cause }) =>
        isPermanent(cause) ? Effect.die(cause) : Effect.fail(unavailable(reasonOf(cause)))
      )
    )
})

/**
 * Stores each file as `<prefix>/<name>` with its content type. A permanent refusal is a defect. A bucket that does not
 * respond within the timeout, or fails, is `FilesUnavailable`. An interrupted request closes its connection.
 */
export const layer = (options: S3FilesOptions): Layer.Layer<FileStore> =>
  Layer.effect(
    FileStore,
    Effect.gen(function* () {
      const timeout = Duration.fromInputUnsafe(options.timeout ?? "7 seconds")
      const removalTimeout = Duration.fromInputUnsafe(options.removalTimeout ?? "2 seconds")
      const objectOf = (name: string) => ({
        Bucket: options.bucket,
        Key: options.prefix === "" ? name : `${options.prefix}/${name}`
      })
      const send = yield* makeSend(options, timeout)

      return FileStore.of({
        write: traced("FileStore.write")((name, bytes, contentType) =>
          send(Duration.sum(timeout, extraTimeFor(bytes)), async ({ client, sdk }, sending) => {
            await client.send(
              new sdk.PutObjectCommand({
                ...objectOf(name),
                Body: bytes,
                ContentLength: bytes.length,
                ContentType: contentType
              }),
              sending
            )
          })
        ),
        read: traced("FileStore.read")((name) =>
          send(timeout, async ({ client, sdk }, sending) => {
            try {
              const { Body } = await client.send(new sdk.GetObjectCommand(objectOf(name)), sending)
              return Option.map(Option.fromUndefinedOr(Body), (body) =>
                Stream.fromReadableStream<Uint8Array, FileUnreadable>({
                  evaluate: () => body.transformToWebStream(),
                  onError: unreadable
                }).pipe(withReadTimeout(timeout))
              )
            } catch (cause) {
              if (isAbsent(cause)) return Option.none()
              throw cause
            }
          })
        ),
        remove: traced("FileStore.remove")((name) =>
          send(removalTimeout, async ({ client, sdk }, sending) => {
            await client.send(new sdk.DeleteObjectCommand(objectOf(name)), sending)
          })
        )
      })
    })
  )
