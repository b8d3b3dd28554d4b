/** The domain's `FileStore` in a bucket of S3, or of a service that speaks its protocol. */
import type * as Sdk from "@aws-sdk/client-s3"
import { FileStore, FilesUnavailable, FileUnreadable } from "@livery/domain"
import { Duration, Effect, Layer, Option, Predicate, Stream } from "effect"

/** Where the files are. Credentials come from where every AWS client takes them: `AWS_ACCESS_KEY_ID`, a role, … */
export interface S3FilesOptions {
  readonly bucket: string
  /** What every key begins with, before a slash; nothing if empty. */
  readonly prefix: string
  /** `AWS_REGION`, or `us-east-1`, unless told. */
  readonly region?: string | undefined
  /** Another service's address; keys are then told in the path, with the bucket. */
  readonly endpoint?: string | undefined
  /**
   * How long a file may take to be written or found, attempts and all, and its bytes to be waited for: 7 s. Beyond that
   * each MiB that is written has a second, for a line that is slow and not dead.
   */
  readonly patience?: Duration.Input
  /** How long a file may take to be removed, which is done while somebody waits for another answer: 2 s. */
  readonly patienceToForget?: Duration.Input
}

/** When a bucket that did not answer is asked again, at the earliest, in seconds. */
const retryAfterSeconds = 5

const isAbsent = (cause: unknown) => Predicate.hasProperty(cause, "name") && cause.name === "NoSuchKey"

const reasonOf = (cause: unknown) => {
  if (!(cause instanceof Error)) return String(cause)
  // An error of the network may have its code alone, and no message.
  return "code" in cause ? `${cause.message} (${String(cause.code)})` : cause.message
}

const unreadable = (cause: unknown) => new FileUnreadable({ reason: reasonOf(cause) })

const unavailable = (reason: string) => new FilesUnavailable({ reason, retryAfterSeconds })

/** A bucket that is not there, a key that may not: nothing that time mends. */
const isForGood = (cause: unknown) =>
  (Predicate.hasProperty(cause, "$fault") && cause.$fault === "client") ||
  (Predicate.hasProperty(cause, "name") && cause.name === "CredentialsProviderError")

const nothing = () => undefined

/** What the SDK has to say is told by the errors it throws; its own lines are none of our log. */
const quiet = { trace: nothing, debug: nothing, info: nothing, warn: nothing, error: nothing }

/**
 * Settles as the request does, or when the signal is aborted: the SDK ends the connection then, and may still take
 * seconds to say so.
 */
const ended = async <A>(signal: AbortSignal, request: Promise<A>): Promise<A> => {
  let leave: () => void = nothing
  const aborted = new Promise<never>((_, reject) => {
    const end = () => reject(signal.reason)
    signal.addEventListener("abort", end)
    leave = () => signal.removeEventListener("abort", end)
  })
  try {
    return await Promise.race([request, aborted])
  } finally {
    leave()
  }
}

const secondsFor = ({ length }: Uint8Array) => Duration.seconds(length / (1024 * 1024))

/** Waits for the bytes of a file so long in all; how long somebody takes them does not count. */
const patiently =
  (patience: Duration.Duration) =>
  (bytes: Stream.Stream<Uint8Array, FileUnreadable>): Stream.Stream<Uint8Array, FileUnreadable> =>
    Stream.transformPull(bytes, (pull) =>
      Effect.sync(() => {
        let left = Duration.toMillis(patience)
        return Effect.suspend(() => {
          const asked = performance.now()
          return pull.pipe(
            Effect.timeoutOrElse({
              duration: Math.max(left, 0),
              orElse: () =>
                Effect.fail(unreadable(`the bucket kept it waiting for ${Duration.format(patience)}`))
            }),
            Effect.tap(() => Effect.sync(() => void (left -= performance.now() - asked)))
          )
        })
      })
    )

/**
 * Keeps each file as `<prefix>/<name>`, with its content type. The SDK is loaded with the first file: it is large, and
 * an installation without a bucket never needs it. What the bucket refuses for good dies; `FilesUnavailable` is for
 * one that does not answer, or not well, within the time that it is given. Who gives up a request ends its connection.
 */
export const layer = (options: S3FilesOptions): Layer.Layer<FileStore> =>
  Layer.effect(
    FileStore,
    Effect.gen(function* () {
      const keyOf = (name: string) => (options.prefix === "" ? name : `${options.prefix}/${name}`)
      const patience = Duration.fromInputUnsafe(options.patience ?? "7 seconds")
      const patienceToForget = Duration.fromInputUnsafe(options.patienceToForget ?? "2 seconds")
      let opened: Promise<{ readonly sdk: typeof Sdk; readonly client: Sdk.S3Client }> | undefined
      const connect = async () => {
        const sdk = await import("@aws-sdk/client-s3")
        const client = new sdk.S3Client({
          region: options.region ?? process.env["AWS_REGION"] ?? "us-east-1",
          maxAttempts: 3,
          logger: quiet,
          // No timeout of its own beside ours: it would wait as long for a bucket that ignores `Expect: 100-continue`.
          requestHandler: { connectionTimeout: Math.min(3000, Duration.toMillis(patience)), logger: quiet },
          ...(options.endpoint === undefined ? {} : { endpoint: options.endpoint, forcePathStyle: true })
        })
        return { sdk, client }
      }
      const bucket = () => (opened ??= connect())

      const ask = <A>(
        within: Duration.Duration,
        request: (
          bucket: Awaited<ReturnType<typeof connect>>,
          how: { abortSignal: AbortSignal }
        ) => Promise<A>
      ): Effect.Effect<A, FilesUnavailable> =>
        Effect.tryPromise({
          try: async (givenUp) => {
            const late = new AbortController()
            const millis = Duration.toMillis(within)
            const timer = setTimeout(() => late.abort(new Error(`no answer within ${millis} ms`)), millis)
            const abortSignal = AbortSignal.any([givenUp, late.signal])
            try {
              return await ended(abortSignal, request(await bucket(), { abortSignal }))
            } finally {
              clearTimeout(timer)
            }
          },
          catch: (cause) => ({ cause })
        }).pipe(
          Effect.catch(({ cause }) =>
            isForGood(cause) ? Effect.die(cause) : Effect.fail(unavailable(reasonOf(cause)))
          )
        )

      yield* Effect.addFinalizer(() =>
        Effect.promise(async () => {
          if (opened !== undefined) (await opened).client.destroy()
        })
      )
      return FileStore.of({
        write: Effect.fn("FileStore.write")((name, bytes, contentType) =>
          ask(Duration.sum(patience, secondsFor(bytes)), async ({ client, sdk }, how) => {
            await client.send(
              new sdk.PutObjectCommand({
                Bucket: options.bucket,
                Key: keyOf(name),
                Body: bytes,
                ContentLength: bytes.length,
                ContentType: contentType
              }),
              how
            )
          })
        ),
        read: Effect.fn("FileStore.read")((name) =>
          ask(patience, async ({ client, sdk }, how) => {
            try {
              const { Body } = await client.send(
                new sdk.GetObjectCommand({ Bucket: options.bucket, Key: keyOf(name) }),
                how
              )
              return Option.map(Option.fromUndefinedOr(Body), (body) =>
                Stream.fromReadableStream<Uint8Array, FileUnreadable>({
                  evaluate: () => body.transformToWebStream(),
                  onError: unreadable
                }).pipe(patiently(patience))
              )
            } catch (cause) {
              if (isAbsent(cause)) return Option.none()
              throw cause
            }
          })
        ),
        remove: Effect.fn("FileStore.remove")((name) =>
          ask(patienceToForget, async ({ client, sdk }, how) => {
            await client.send(new sdk.DeleteObjectCommand({ Bucket: options.bucket, Key: keyOf(name) }), how)
          })
        )
      })
    })
  )
