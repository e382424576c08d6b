import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { kontor, serving, start, stop } from './processes.ts'

export const uploads = 50
const MiB = 2 ** 20
const bytes = 25 * MiB
const part = Buffer.alloc(MiB, 'kontor')

/** The largest resident memory of a server beside 50 uploads of 25 MiB at once. Expected: at most 400 MiB. */
export async function benchUploads(): Promise<void> {
  const data = mkdtempSync(join(tmpdir(), 'kontor-bench-'))
  const company = kontor('company', 'create', '--name', 'Acme', '--data', data).id!
  const given = ['--company', company, '--name', 'First', '--scopes', 'admin:all', '--data', data]
  const key = kontor('key', 'create', ...given).key!
  const command = serving(data)
  const env = { KONTOR_RATE_LIMITS: 'off', KONTOR_REQUEST_LOG: 'off' }
  const { child, first } = await start(`0-${availableParallelism() - 1}`, command, env)
  try {
    const organizationId = await newOrganization(first.url, key)
    const idle = peakMiB(child.pid!)
    const sending = Array.from({ length: uploads }, (_, at) =>
      send(`${first.url}/api-v1-files?name=${at}&organization_id=${organizationId}`, key, at),
    )
    const statuses = await Promise.all(sending)
    const stored = statuses.filter((status) => status === 201).length
    console.log(
      `${stored} of ${uploads} uploads stored; resident: ${idle} MiB before, at most ${peakMiB(child.pid!)} MiB`,
    )
  } finally {
    await stop(child)
    rmSync(data, { recursive: true })
  }
}

export async function newOrganization(url: string, key: string): Promise<string> {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
  const body = JSON.stringify({ name: 'Globex' })
  const response = await fetch(`${url}/api-v1-organizations`, { method: 'POST', headers, body })
  return ((await response.json()) as { data: { id: string } }).data.id
}

export function peakMiB(pid: number): number {
  return Math.round(Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024)
}

/** Sends a file whose first bytes are its own. */
export function send(url: string, key: string, at: number): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'a/b', 'Content-Length': String(bytes) }
  const sent = request(url, { method: 'POST', headers, agent: false }, (res) => {
    res.resume()
    resolve(res.statusCode!)
  })
  sent.on('error', reject)
  const own = Buffer.from(part)
  own.writeUInt32BE(at)
  let left = bytes / MiB
  const more = () => {
    for (; left > 0; left--) {
      if (!sent.write(left === bytes / MiB ? own : part)) {
        left--
        return void sent.once('drain', more)
      }
    }
    sent.end()
  }
  more()
  return promise
}
