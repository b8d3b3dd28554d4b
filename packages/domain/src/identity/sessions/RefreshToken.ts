/** Refresh tokens: 256 random bits each. Only their hashes are stored. */
import { Effect } from "effect"
import * as Base64Url from "effect/encoding/Base64Url"
import type { Cryptography } from "../../kernel/security/Cryptography.ts"

/** A new refresh token. */
export const newRefreshToken = ({ randomBytes }: Cryptography["Service"]): Effect.Effect<string> =>
  Effect.map(randomBytes(32), (bytes) => `lvr_${Base64Url.encode(bytes)}`)
