/** The domain's `FileStore` in a bucket of S3, or of a service that speaks its protocol. */
import type * as Sdk from "@aws-sdk/client-s3"
import { FileStore, FileUnreadable } from "@livery/domain"
import { Effect, Layer, Option, Predicate, Stream } from "effect"

/** Where the files are. Credentials come from where every AWS client takes them: `AWS_ACCESS_KEY_ID`, a role, … */
export interface S3FilesOptions {
  readonly bucket: string
  /** What every key begins with, before a slash; nothing if empty. */
  readonly prefix: string
  /** `AWS_REGION`, or `us-east-1`, unless told. */
  readonly region?: string | undefined
  /** Another service's address; keys are then told in the path, with the bucket. */
  readonly endpoint?: string | undefined
}

const isAbsent = (cause: unknown) => Predicate.hasProperty(cause, "name") && cause.name === "NoSuchKey"

const unreadable = (cause: unknown) => new FileUnreadable({ reason: String(cause) })

/** A request to the bucket takes this long at most, in milliseconds. */
const patience = 30_000

/**
 * Keeps each file as `<prefix>/<name>`, with its content type. The SDK is loaded with the first file: it is large, and
 * an installation without a bucket never needs it.
 */
export const layer = (options: S3FilesOptions): Layer.Layer<FileStore> =>
  Layer.effect(
    FileStore,
    Effect.gen(function* () {
      const keyOf = (name: string) => (options.prefix === "" ? name : `${options.prefix}/${name}`)
      let opened: Promise<{ readonly sdk: typeof Sdk; readonly client: Sdk.S3Client }> | undefined
      const connect = async () => {
        const sdk = await import("@aws-sdk/client-s3")
        const client = new sdk.S3Client({
          region: options.region ?? process.env["AWS_REGION"] ?? "us-east-1",
          maxAttempts: 3,
          requestHandler: { connectionTimeout: 5000, requestTimeout: patience },
          ...(options.endpoint === undefined ? {} : { endpoint: options.endpoint, forcePathStyle: true })
        })
        return { sdk, client }
      }
      const bucket = () => (opened ??= connect())
      yield* Effect.addFinalizer(() =>
        Effect.promise(async () => {
          if (opened !== undefined) (await opened).client.destroy()
        })
      )
      return FileStore.of({
        write: Effect.fn("FileStore.write")((name, bytes, contentType) =>
          Effect.promise(async () => {
            const { client, sdk } = await bucket()
            await client.send(
              new sdk.PutObjectCommand({
                Bucket: options.bucket,
                Key: keyOf(name),
                Body: bytes,
                ContentLength: bytes.length,
                ContentType: contentType
              })
            )
          }).pipe(Effect.uninterruptible)
        ),
        read: Effect.fn("FileStore.read")((name) =>
          Effect.promise(async () => {
            const { client, sdk } = await bucket()
            try {
              const { Body } = await client.send(
                new sdk.GetObjectCommand({ Bucket: options.bucket, Key: keyOf(name) })
              )
              return Option.map(Option.fromUndefinedOr(Body), (body) =>
                Stream.fromReadableStream({
                  evaluate: () => body.transformToWebStream(),
                  onError: unreadable
                })
              )
            } catch (cause) {
              if (isAbsent(cause)) return Option.none()
              throw cause
            }
          })
        ),
        remove: Effect.fn("FileStore.remove")((name) =>
          Effect.promise(async () => {
            const { client, sdk } = await bucket()
            await client.send(new sdk.DeleteObjectCommand({ Bucket: options.bucket, Key: keyOf(name) }))
          })
        )
      })
    })
  )
