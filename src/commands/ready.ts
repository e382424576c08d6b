import type { get as getSecurely } from 'node:https'
import type { Command } from 'commander'
import { readConfig } from '../config.ts'
import { OperatorError } from '../errors.ts'
import { command, withSettings } from './program.ts'

const timeoutMs = 3_000

/** An address that a server listens on when it listens on all, as one that can be called. */
const loopback: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '::1' }

export function readyCommand(): Command {
  return withSettings(command('ready', 'ask the server on this machine whether it is ready: exit code 0, else 1'), [
    'host',
    'port',
    'tlsCert',
  ]).action(ready)
}

async function ready(options: Record<string, string | undefined>): Promise<void> {
  const { host, port, tlsCert } = readConfig(['host', 'port', 'tlsCert'], options, process.env)
  const { get } = tlsCert === undefined ? await import('node:http') : await import('node:https')
  const status = await statusOf(get, loopback[host] ?? host, port)
  if (status !== 200) throw new OperatorError(`The server on ${host}:${port} is not ready (${status}).`)
}

/** The certificate is not for this address, and nothing secret is sent. */
function statusOf(get: typeof getSecurely, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => reject(new OperatorError(`No server on ${host}:${port}: ${error.message}.`))
    const options = { host, port, path: '/readyz', timeout: timeoutMs, rejectUnauthorized: false }
    const request = get(options, (response) => {
      response.resume()
      resolve(response.statusCode!)
    })
    request.on('error', fail)
    request.on('timeout', () => request.destroy(new Error(`no answer within ${timeoutMs} ms`)))
  })
}
