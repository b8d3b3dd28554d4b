/**
 * Refuses a Node that the `engines` of this package exclude. The native code of argon2 ends such a process with a segmentation
 * fault, so this module is imported before it.
 */

const oldestMajor = 24

/** Why a version of Node cannot run this package; `undefined` if it can. */
export const nodeRefusal = (version: string): string | undefined =>
  Number(version.split(".")[0]) >= oldestMajor
    ? undefined
    : `@livery/integrations needs Node ${oldestMajor} or later; this is v${version}`

const refusal = nodeRefusal(process.versions.node)
if (refusal !== undefined) throw new Error(refusal)
