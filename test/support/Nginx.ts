/** Debian's nginx as a load balancer, with its defaults, except that it tries a failed server again after 2 s instead of 10 s. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { vi } from "vitest"
import { fixedPort, isFree } from "./FixedPort.ts"
import { scratchPrefix } from "./ScratchDirectory.ts"

/** Whether nginx is installed. */
export const nginxIsThere = (() => {
  try {
    execFileSync("nginx", ["-v"], { stdio: "ignore" })
    return true
  } catch {
    return false
  }
})()

const configuration = (directory: string, port: number, ports: ReadonlyArray<number>) => `
daemon off;
worker_processes 1;
pid ${directory}/pid;
error_log stderr;
events {}
http {
  access_log off;
  client_body_temp_path ${directory}/body;
  proxy_temp_path ${directory}/proxy;
  fastcgi_temp_path ${directory}/fastcgi;
  uwsgi_temp_path ${directory}/uwsgi;
  scgi_temp_path ${directory}/scgi;
  upstream livery {
${ports.map((it) => `    server 127.0.0.1:${it} fail_timeout=2s;`).join("\n")}
  }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://livery;
    }
  }
}
`

/** nginx before the servers on these ports. */
export interface Nginx {
  readonly address: string
  readonly stop: () => Promise<void>
}

const ended = (child: ChildProcess) =>
  child.exitCode !== null || child.signalCode !== null
    ? Promise.resolve()
    : new Promise<void>((resolve) => {
        child.once("close", () => resolve())
      })

/** Starts nginx before the servers on these ports, and waits until it listens. */
export const nginx = async (ports: ReadonlyArray<number>): Promise<Nginx> => {
  const directory = await mkdtemp(`${scratchPrefix}nginx-`)
  const port = await fixedPort()
  const path = join(directory, "nginx.conf")
  await writeFile(path, configuration(directory, port, ports))
  const child = spawn("nginx", ["-p", directory, "-c", path], { stdio: ["ignore", "ignore", "pipe"] })
  let log = ""
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    log += text
  })
  const stop = async () => {
    child.kill("SIGTERM")
    await ended(child)
    await rm(directory, { recursive: true, force: true })
  }
  const listens = async () => {
    if (child.exitCode !== null) throw new Error(log)
    return !(await isFree(port))
  }
  await vi.waitUntil(listens, { timeout: 30_000, interval: 20 }).catch(async (cause: unknown) => {
    await stop()
    throw new Error(`nginx did not start: ${log}`, { cause })
  })
  return { address: `http://127.0.0.1:${port}`, stop }
}
