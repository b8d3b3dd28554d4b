/** Parses the address of the file store. */
import { fileURLToPath } from "node:url"
import type { S3FilesOptions } from "./S3Files.ts"

/** A directory or a bucket. */
export type FilesAddress =
  | { readonly _tag: "Directory"; readonly directory: string }
  | ({ readonly _tag: "S3" } & S3FilesOptions)

const bucketName = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/u

const isHttp = (text: string) => {
  const url = URL.parse(text)
  return url !== null && /^https?:$/u.test(url.protocol)
}

const decoded = (text: string) => {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

const directoryOf = (address: string): FilesAddress | undefined => {
  const path = address.slice("file:".length)
  try {
    const directory = path.startsWith("//") ? fileURLToPath(address) : decodeURIComponent(path)
    return directory === "" || directory.includes("\u0000") ? undefined : { _tag: "Directory", directory }
  } catch {
    return undefined
  }
}

/**
 * `file:` and a directory (`file:/var/lib/livery/uploads`, `file:uploads`), or
 * `s3://bucket/prefix?region=eu-central-1&endpoint=https://minio.example.com`, of which only the bucket is required.
 * Undefined for any other text, also for one with an unknown parameter.
 */
export const readFilesAddress = (address: string): FilesAddress | undefined => {
  if (address.startsWith("file:")) return directoryOf(address)
  const url = URL.parse(address)
  if (url === null || url.protocol !== "s3:" || url.username !== "" || url.password !== "" || url.hash !== "")
    return undefined
  const parameters = [...url.searchParams.keys()]
  const [region, endpoint] = [url.searchParams.get("region"), url.searchParams.get("endpoint")]
  const path = decoded(url.pathname)
  if (
    path === undefined ||
    path.includes("\u0000") ||
    !bucketName.test(url.host) ||
    parameters.some((name) => name !== "region" && name !== "endpoint") ||
    new Set(parameters).size !== parameters.length ||
    (region !== null && !/^[a-z0-9-]+$/u.test(region)) ||
    (endpoint !== null && !isHttp(endpoint))
  )
    return undefined
  return {
    _tag: "S3",
    bucket: url.host,
    prefix: path.replaceAll(/^\/+|\/+$/gu, ""),
    region: region ?? undefined,
    endpoint: endpoint ?? undefined
  }
}
