import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundle, kontor, serverCore, start, stop } from './processes.ts'

export const organization = {
  name: 'Nordwind Logistik',
  status: 'active',
  organization_type: 'logistics',
  address: '12 Harbour Lane',
  city: 'Hamburg',
  postal_code: '20457',
  country: 'Germany',
  domain: 'nordwind.example',
  metadata: { source: 'fair' },
}
const statuses = ['lead', 'active', 'inactive', 'lost']

export const organizationBody = JSON.stringify(organization)

/** The organization with this number. Most companies have a name and a domain of their own. */
export function numbered(number: number | string) {
  return { ...organization, name: `${organization.name} ${number}`, domain: `nordwind-${number}.example` }
}

/** A body of which `Load` makes another organization for each request. */
export const numberedBody = JSON.stringify(numbered('#'))

/**
 * A server on a fresh directory with 1,000 organizations, with rate limits off; `cores` as for taskset, `program` as for node.
 */
export async function served(env: NodeJS.ProcessEnv = {}, cores = String(serverCore), program = [bundle]) {
  const data = mkdtempSync(join(tmpdir(), 'kontor-bench-'))
  const company = kontor('company', 'create', '--data', data, '--name', 'Bench')
  const scopes = ['--scopes', 'read:all,write:all']
  const { key } = kontor('key', 'create', '--data', data, '--company', company.id!, '--name', 'Bench', ...scopes)
  const command: [string, ...string[]] = [process.execPath, ...program, 'serve', '--data', data, '--port', '0']
  const { child, first } = await start(cores, command, { KONTOR_RATE_LIMITS: 'off', ...env })
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
  const url = `${first.url}/api-v1-organizations`
  const ids: string[] = []
  for (let i = 0; i < 1000; i++) {
    const body = JSON.stringify({ ...numbered(i), status: statuses[i % 4] })
    const response = (await (await fetch(url, { method: 'POST', headers, body })).json()) as { data: { id: string } }
    ids.push(response.data.id)
  }
  return {
    child,
    url,
    headers,
    ids,
    data,
    async close() {
      await stop(child)
      rmSync(data, { recursive: true })
    },
  }
}
