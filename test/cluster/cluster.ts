import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { TestContext } from 'node:test'
import { OperatorError } from '../../src/errors.ts'
import { type ApiResponse, type Client, clientFor } from '../support/client.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { freePort } from '../support/free-port.ts'
import { firstClient } from '../support/prepare.ts'
import { administer, bundle } from '../support/program.ts'
import { until } from '../support/wait.ts'

/** A server of a log. */
export interface Node {
  url: string
  directory: string
  child: ChildProcess
  /** What it has logged. */
  lines: string[]
  /** Resolves with its exit code, or the signal that ended it. */
  exited: Promise<number | string>
  /** Sends a signal, and resolves when the process has ended. */
  stop(signal?: NodeJS.Signals): Promise<number | string>
}

/** Longer than a server on a busy machine gets no time, and shorter than the default, so that another one leads soon. */
export const leaseSeconds = 3

interface NodeOptions {
  /** Default: an empty one. */
  directory?: string
  port?: number
  args?: string[]
  env?: NodeJS.ProcessEnv
  /** Whether to wait until it listens. Default: yes. */
  wait?: boolean
}

/** Starts a server of the log at `log`. It is killed when the test ends. */
export async function startNode(
  t: Pick<TestContext, 'after'>,
  log: string,
  { directory = join(temporaryDirectory(t), 'data'), port, args = [], env, wait = true }: NodeOptions = {},
): Promise<Node> {
  const own = port ?? (await freePort())
  const url = `http://127.0.0.1:${own}`
  const [program, ...before] = bundle
  const options = ['--data', directory, '--port', String(own), '--rate-limits', 'off', '--request-log', 'off']
  const shared = ['--log', log, '--advertise', url, '--log-lease', `${leaseSeconds}s`]
  const child = spawn(program, [...before, 'serve', ...options, ...shared, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  })
  const lines: string[] = []
  let listens = () => {}
  const listening = new Promise<void>((resolve) => {
    listens = resolve
  })
  for (const stream of [child.stdout!, child.stderr!]) {
    createInterface({ input: stream }).on('line', (line) => {
      lines.push(line)
      if (line.includes('"msg":"listening"')) listens()
    })
  }
  const exited = once(child, 'exit').then(([code, signal]) => (code ?? signal) as number | string)
  t.after(() => child.kill('SIGKILL'))
  if (wait)
    await Promise.race([listening, exited.then((code) => assert.fail(`ended with ${code}: ${lines.join('\n')}`))])
  return {
    ...{ url, directory, child, lines, exited },
    stop(signal = 'SIGTERM') {
      child.kill(signal)
      return exited
    },
  }
}

/** Starts the first server and two that follow it. */
export async function startThree(t: Pick<TestContext, 'after'>, log: string): Promise<[Node, Node, Node]> {
  const first = await startNode(t, log)
  await until('the first server leads', () => leads(first))
  return [first, ...(await Promise.all([startNode(t, log), startNode(t, log)]))] as [Node, Node, Node]
}

/** Creates a company and a key at the leader: again, with another company, while etcd or the leader is too slow to tell whether that is in the log. */
export async function keyAt({ directory, url }: Node): Promise<Client> {
  const make = () => firstClient(directory, url).catch(messageOf)
  const made = await until('the leader has a company and a key', make, { is: (seen) => typeof seen !== 'string' })
  return made as Client
}

function messageOf(error: unknown): string {
  if (error instanceof OperatorError) return error.message
  throw error
}

/** The same by commands, which have ended: this process would keep the database open. */
export async function keyOfCommands({ directory, url }: Node): Promise<Client> {
  const asked = (...args: string[]) => administer(bundle, ...args, '--data', directory)
  const { id } = await asked('company', 'create', '--name', 'Acme')
  const created = await asked('key', 'create', '--company', id, '--name', 'First', '--scopes', 'admin:all')
  return clientFor(url, created)
}

export async function leads({ url }: Node): Promise<boolean> {
  const response = await fetch(`${url}/readyz/leader`).catch(() => undefined)
  await response?.body?.cancel()
  return response?.status === 200
}

/** Returns the server that leads, as soon as one does. */
export async function leaderOf(nodes: readonly Node[]): Promise<Node> {
  return until('a server leads', async () => {
    const leading = await Promise.all(nodes.map(leads))
    return nodes[leading.indexOf(true)]
  })
}

/** The same client at another server, once that has what a response shows. */
export async function caughtUp(node: Pick<Node, 'url'>, client: Client, { headers }: Shown): Promise<Client> {
  const there = at(node, client)
  await untilThere(there, headers.get('kontor-position')!)
  return there
}

/** Waits until a server has a position: while it is far behind, it refuses to wait for one. */
export async function untilThere(there: Client, position: string): Promise<void> {
  const read = async () => (await there.get('/api-v1-me', { 'Kontor-Min-Position': position })).status
  await until(`the server has position ${position}`, read, { is: (status) => status === 200 })
}

type Shown = Pick<ApiResponse, 'headers'>

/** The same client at another server. */
export function at({ url }: Pick<Node, 'url'>, { keyId, key }: Client): Client {
  return clientFor(url, { id: keyId, key })
}
