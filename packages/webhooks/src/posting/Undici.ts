/**
 * The parts of undici that posting uses. They are imported from their own modules because the main module also loads
 * `fetch`, WebSocket, caches and mocks: 91 further modules, which stay in memory.
 */
import connect from "undici/lib/core/connect.js"
import allErrors from "undici/lib/core/errors.js"
import OneClient from "undici/lib/dispatcher/client.js"
import type { buildConnector, Client, errors } from "undici"

/** A connection to one origin. */
export const UndiciClient: typeof Client = OneClient

/** Makes the function that opens connections. */
export const makeConnector: typeof buildConnector = connect

/** The errors of undici. */
export const undiciErrors: typeof errors = allErrors
