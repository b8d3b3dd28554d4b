/** All ports of the domain that PostgreSQL implements, in one layer. */
import { Layer } from "effect"
import * as ports from "./Ports.ts"

/** Requires a `SqlClient`, the `SecretBox` that encrypts messages, and the `WorkNotifier` that commits notify. */
export const layer = Layer.mergeAll(Layer.empty, ...Object.values(ports))
