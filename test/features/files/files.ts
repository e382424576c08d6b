import assert from 'node:assert/strict'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { ApiResponse, Client } from '../../support/client.ts'
import { make } from '../../support/make.ts'

/** Uploads a file to an organization, which is made unless the query names what the file belongs to. */
export async function upload(
  client: Client,
  body: string | Buffer,
  {
    type = 'application/pdf',
    headers = {},
    ...query
  }: { type?: string; headers?: Record<string, string> } & Record<string, unknown> = {},
): Promise<ApiResponse> {
  const isOwned = Object.keys(query).some((name) => name.endsWith('_id'))
  const owner = isOwned ? {} : { organization_id: (await make(client, 'organization')).id }
  const parameters = new URLSearchParams({ name: 'offer.pdf', ...owner, ...query } as Record<string, string>)
  return client.request('POST', `/api-v1-files?${parameters}`, { body, headers: { 'Content-Type': type, ...headers } })
}

/** Uploads a file and returns its record. */
export async function uploaded(
  ...given: Parameters<typeof upload>
): Promise<{ id: string; organization_id: string | null; sha256: string; bytes: number }> {
  const response = await upload(...given)
  assert.equal(response.status, 201, JSON.stringify(response.body))
  return response.body.data
}

/** The paths of all files below the content directory of a data directory. */
export function storedIn(directory: string): string[] {
  const root = join(directory, 'files')
  const isFile = (name: string) => statSync(join(root, name), { throwIfNoEntry: false })?.isFile()
  try {
    return (readdirSync(root, { recursive: true }) as string[]).filter(isFile).sort()
  } catch {
    return []
  }
}

/** The bytes of a response as they are. */
export async function download(
  url: string,
  { key }: Client,
  path: string,
  headers: Record<string, string> = {},
  method = 'GET',
) {
  const response = await fetch(`${url}${path}`, { method, headers: { Authorization: `Bearer ${key}`, ...headers } })
  return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) }
}
