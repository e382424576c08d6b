import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Client } from '../support/client.ts'
import { make } from '../support/make.ts'
import { start } from '../support/start.ts'

const longest = '€'.repeat(99_000)
const edits = 20

/** Creates short tasks, and then one with a long description that is edited. Returns its id and its descriptions. */
async function makeLong(client: Client): Promise<{ id: string; texts: string[] }> {
  await make(client, 'task', ...Array.from({ length: 60 }, (_, at) => ({ title: `Short ${at}` })))
  const { id } = await make(client, 'task', { title: 'Long', description: longest })
  const texts = [longest]
  for (let edit = 1; edit <= edits; edit++) {
    texts.push(`${edit} ${longest}`)
    const { status } = await client.patch(`/api-v1-tasks/${id}`, { description: texts.at(-1) })
    assert.equal(status, 200)
  }
  return { id, texts }
}

interface Change {
  seq: number
  record_id: string
  data: { description: string | null }
}

/** The changes of all pages. */
async function readAll(client: Client, first: string, next: (body: never) => string | null): Promise<Change[]> {
  const changes: Change[] = []
  for (let path: string | null = first; path !== null; ) {
    const { status, body } = await client.get(path)
    assert.equal(status, 200, JSON.stringify(body).slice(0, 200))
    changes.push(...body.data)
    path = next(body as never)
  }
  return changes
}

test('Who follows changes with long texts reads each once, however many a page may have', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  const { id, texts } = await makeLong(client)
  for (const limit of [100, 1_000]) {
    const path = (after: string) => `/api-v1-changes?limit=${limit}&after=${after}`
    type Page = { cursor: string; has_more: boolean }

    const changes = await readAll(client, path('start'), ({ cursor, has_more }: Page) =>
      has_more ? path(cursor) : null,
    )

    assert.deepEqual(
      changes.map(({ seq }) => seq),
      changes.map((_, at) => at + 1),
    )
    const ofLong = changes.filter(({ record_id }) => record_id === id)
    assert.ok(ofLong.every(({ data }, at) => data.description === texts[at]))
    assert.equal(ofLong.length, texts.length)
  }
})

test('The history of a record with long texts has all changes, in pages of fewer', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  const { id, texts } = await makeLong(client)
  const path = `/api-v1-tasks/${id}/history?limit=100`
  type Page = { pagination: { next_cursor: string | null } }

  const changes = await readAll(client, path, ({ pagination: { next_cursor } }: Page) =>
    next_cursor === null ? null : `${path}&cursor=${next_cursor}`,
  )

  assert.equal(changes.length, texts.length)
  assert.ok(changes.every(({ data }, at) => data.description === texts.at(-1 - at)))
})
