import type { get as getSecurely } from 'node:https'
import type { Command } from 'commander'
import { readConfig } from '../config.ts'
import { OperatorError } from '../errors.ts'
import { command, withSettings } from './program.ts'

const timeoutMs = 3_000

const loopback: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '::1' }

/** The host at which to reach a server on this machine, which may listen on all addresses. */
export function localHost(host: string): string {
  return loopback[host] ?? host
}

export function readyCommand(): Command {
  return withSettings(
    command('ready', 'check whether the server on this machine is ready; exits with 0 if it is, with 1 otherwise'),
    ['host', 'port', 'tlsCert'],
  ).action(ready)
}

async function ready(options: Record<string, string | undefined>): Promise<void> {
  const { host, port, tlsCert } = readConfig(['host', 'port', 'tlsCert'], options, process.env)
  const { get } = tlsCert === undefined ? await import('node:http') : await import('node:https')
  const status = await statusOf(get, localHost(host), port)
  if (status !== 200) throw new OperatorError(`The server on ${host}:${port} is not ready (${status}).`)
}

/** The certificate is not verified: it is not for this address, and nothing secret is sent. */
function statusOf(get: typeof getSecurely, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => reject(new OperatorError(`No server on ${host}:${port}: ${error.message}.`))
    const options = { host, port, path: '/readyz', timeout: timeoutMs, rejectUnauthorized: false }
    const request = get(options, (response) => {
      response.resume()
      resolve(response.statusCode!)
    })
    request.on('error', fail)
    request.on('timeout', () => request.destroy(new Error(`no response within ${timeoutMs} ms`)))
  })
}
