/**
 * Says in one sentence whether the Node that runs npm is recent enough. Livery itself runs on the Node that the project installs, but
 * npm leaves out the native parts of the tools if its own Node is too old for them. npm passes the version of its Node in
 * `npm_config_user_agent`.
 */
const [, version = process.version] =
  / node\/(v[\d.]+)/u.exec(process.env["npm_config_user_agent"] ?? "") ?? []
const [major = 0, minor = 0] = version.slice(1).split(".").map(Number)

// The same as `engines` in package.json.
if ((major === 20 && minor >= 19) || (major === 22 && minor >= 12) || major === 23) {
  process.stdout.write(
    `npm runs on Node ${version}; Livery runs on the Node ${process.version} that this project has just installed.\n`
  )
} else if (major < 24) {
  process.stderr.write(
    `npm runs on Node ${version}, which is too old to install Livery: Node 20.19, 22.12 or later is needed.\n`
  )
  process.exitCode = 1
}
