import assert from 'node:assert/strict'
import type { Client } from '../support/client.ts'

/** The file that a list exports. */
export async function exportOf(client: Pick<Client, 'get'>, path: string, type = 'text/csv'): Promise<string> {
  const { status, body, headers } = await client.get(path, { Accept: type })
  assert.equal(status, 200, JSON.stringify(body))
  assert.equal(headers.get('content-type')!.split(';')[0], type)
  return body
}

/** The rows of a CSV file without line breaks in cells, by the names of its columns. */
export function rowsOf(csv: string): Record<string, string>[] {
  const [head, ...lines] = csv.trimEnd().split('\r\n').map(cellsOf)
  return lines.map((cells) => Object.fromEntries(head!.map((name, at) => [name, cells[at]!])))
}

export function cellsOf(line: string): string[] {
  return [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(
    ([, quoted, plain = '']) => quoted?.replaceAll('""', '"') ?? plain,
  )
}
