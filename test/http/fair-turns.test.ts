import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { Connection } from '../../src/store/open.ts'
import { newCompany } from '../support/company.ts'
import { onPrepared } from '../support/prepared.ts'
import { openRaw } from '../support/raw.ts'
import { start } from '../support/start.ts'
import { turn as nextTurn } from '../support/wait.ts'

/** Longer than a turn begins work for. */
const workMs = 15

/** Counts what is done in each turn of the event loop. */
class Turns {
  most = 0
  #count: number | undefined

  work(): void {
    if (this.#count === undefined) {
      this.#count = 0
      void nextTurn().then(() => {
        this.#count = undefined
      })
    }
    this.most = Math.max(this.most, ++this.#count)
    for (const end = performance.now() + workMs; performance.now() < end; );
  }
}

test('Requests that arrive together do not keep the request of another company waiting for all of them', async (t) => {
  const turns = new Turns()
  const order: string[] = []
  const seen = (id: string) => {
    turns.work()
    order.push(id)
  }
  const { store, url } = await start(t, { prepare: (db) => watchReads(db, seen) })
  const [many, other] = [await newCompany(store, url, 'Many'), await newCompany(store, url, 'Other')]
  const open = async (key: string) => {
    const connection = openRaw(url)
    connection.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n')
    await connection.until('"ok"') // the server has accepted it
    const id = randomUUID()
    const head = `GET /api-v1-organizations/${id} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nConnection: close\r\n\r\n`
    return { ...connection, id, head }
  }
  const connections = await Promise.all([...Array(20).fill(many.client.key), other.client.key].map(open))
  for (const { write, head } of connections) write(head)
  const received = await Promise.all(connections.map(({ closed }) => closed()))

  assert.ok(received.every((text) => text.includes('HTTP/1.1 404')))
  assert.equal(order.length, connections.length)
  assert.ok(turns.most <= 3, `${turns.most} were handled in one turn`)
  assert.ok(order.indexOf(connections.at(-1)!.id) <= 5, `it came after ${order.indexOf(connections.at(-1)!.id)} others`)
})

test('Long writes that wait together leave turns of the event loop to others, and each is stored or fails by itself', async (t) => {
  const turns = new Turns()
  const { store } = await start(t)
  const add = (name: string) =>
    store.writeAccess((tx) => {
      turns.work()
      tx.run('INSERT INTO setting (name, value) VALUES (?, ?)', name, '1')
      return name
    })

  const settled = await Promise.allSettled(['a', 'b', 'a', 'c', 'd', 'e'].map(add))

  const stored = settled.map((each) => (each.status === 'fulfilled' ? each.value : undefined))
  assert.deepEqual(stored, ['a', 'b', undefined, 'c', 'd', 'e'])
  assert.equal(store.access.value("SELECT group_concat(name, '') FROM setting WHERE length(name) = 1"), 'abcde')
  assert.ok(turns.most <= 2, `${turns.most} were written in one turn`)
})

/** Calls `seen` with the id of each organization that is read by its id. */
function watchReads(db: Connection, seen: (id: string) => void): void {
  onPrepared(db, 'SELECT record FROM organization ', (statement) => {
    const get = statement.get.bind(statement)
    statement.get = (...params: unknown[]) => {
      seen(String(params.flat().find((each) => typeof each === 'string')))
      return get(...params)
    }
  })
}
