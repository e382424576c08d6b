import { isDeepStrictEqual } from 'node:util'
import type { Resource } from '../../src/engine/records/define.ts'
import type { Client } from '../support/client.ts'
import type { JsonRecord } from '../support/make.ts'
import { factsOf, written } from './ledger-requests.ts'
import { attempt } from './log-watch.ts'

const gone = 'deleted'

/** What must be the same of a record, as text. */
export function stateOf(resource: Resource, record: JsonRecord | undefined): string {
  return record ? JSON.stringify(factsOf(resource, record)) : gone
}

/** Completing a task again sets the time of its completion. */
export function hasSameFields({ fields }: Resource, before: JsonRecord, after: JsonRecord): boolean {
  return Object.keys(fields).every((name) => isDeepStrictEqual(before[name], after[name]))
}

/** The oldest records that actions can refer to, by resource: the default stages, which nothing deletes. Undefined if the server is gone. */
export async function readReferences(client: Client): Promise<Record<string, readonly string[]> | undefined> {
  const targets = written.flatMap(({ actions, fields }) =>
    actions.flatMap(({ takes }) => fields[takes ?? '']?.target ?? []),
  )
  const references: Record<string, readonly string[]> = {}
  for (const { name, path } of targets) {
    const oldest = await attempt(client.get(`/${path}?sort=created_at:asc&limit=5`))
    if (!oldest) return undefined
    references[name] = oldest.body.data.map(({ id }: JsonRecord) => id)
  }
  return references
}

/** Runs 16 at a time. */
export async function eachOf<T>(all: T[], run: (one: T) => Promise<void>): Promise<void> {
  const rest = all.values()
  const work = async () => {
    for (const one of rest) await run(one)
  }
  await Promise.all(Array.from({ length: 16 }, work))
}
