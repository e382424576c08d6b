import assert from 'node:assert/strict'
import { test } from 'node:test'
import { includesOf } from '../../src/engine/records/define.ts'
import type { Connection } from '../../src/store/open.ts'
import { listPath, tested } from '../support/contract.ts'
import { make } from '../support/make.ts'
import { onPrepared } from '../support/prepared.ts'
import { start } from '../support/start.ts'
import { withoutMaximum } from './without-maximum.ts'

withoutMaximum()

/** Counts the statements of a connection. */
function counter(db: Connection): { count: number } {
  const counted = { count: 0 }
  onPrepared(db, '', (statement) => {
    for (const method of ['get', 'all', 'run', 'iterate'] as const) {
      const original = statement[method].bind(statement) as (...params: unknown[]) => unknown
      statement[method] = ((...params: unknown[]) => {
        counted.count++
        return original(...params)
      }) as never
    }
  })
  return counted
}

for (const resource of tested) {
  const includes = includesOf(resource).join()

  test(`GET /${resource.path}: a list with all includes takes as many statements for 30 records as for 3`, async (t) => {
    let statements = { count: 0 }
    const server = await start(t, {
      work: 'nowhere', // otherwise search entries might be written in between
      prepare: (db) => {
        statements = counter(db)
      },
    })
    const client = await server.client()
    const references = Object.entries(resource.relations).filter(([, { by }]) => !resource.fields[by]!.readonly)
    const fields = await Promise.all(
      references.map(async ([, { by, target }]) => [by, (await make(client, target.name)).id]),
    )
    const makeMore = async (count: number) => {
      for (let made = 0; made < count; made++) await make(client, resource.name, Object.fromEntries(fields))
    }
    const statementsOfList = async (length: number) => {
      const path = listPath(resource, { limit: '100', page: '1', ...(includes && { include: includes }) })
      await client.get(path)
      await server.usage.flush() // otherwise a flush might run in between
      const before = statements.count
      const { body } = await client.get(path)
      assert.ok(body.data.length >= length)
      for (const [name] of references) assert.ok(body.data[0][name].id)
      return statements.count - before
    }
    await makeMore(3)
    const few = await statementsOfList(3)
    await makeMore(27)

    const many = await statementsOfList(30)

    assert.equal(many, few)
    assert.ok(few >= 2 && few < 10, `${few} statements`)
  })
}
