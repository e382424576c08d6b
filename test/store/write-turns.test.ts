import assert from 'node:assert/strict'
import { test } from 'node:test'
import { start } from '../support/start.ts'

/** More than a transaction has time for. */
function computeLong(): void {
  const end = performance.now() + 15
  while (performance.now() < end);
}

test('A write does not wait for all those of another workspace that were requested before', async (t) => {
  const { store } = await start(t)
  const settled: number[] = []
  const request = async (workspaceId: number) => {
    await store.write(workspaceId, () => {})
    settled.push(workspaceId)
  }

  await Promise.all([...Array.from({ length: 100 }, () => request(1)), request(2)])

  assert.equal(settled.length, 101)
  assert.equal(settled.indexOf(2), 1)
})

test('The writes of a workspace keep their order', async (t) => {
  const { store } = await start(t)
  const ran: number[] = []
  const request = (at: number) => store.write(1 + (at % 3), () => void ran.push(at))

  await Promise.all(Array.from({ length: 150 }, (_, at) => request(at)))

  for (const place of [0, 1, 2]) {
    const own = ran.filter((at) => at % 3 === place)
    assert.equal(own.length, 50)
    assert.deepEqual(
      own,
      own.toSorted((a, b) => a - b),
    )
  }
})

test('A write is acknowledged before all long ones that were requested with it have run', async (t) => {
  const { store } = await start(t)
  const count = 60
  let ran = 0
  const long = () => {
    computeLong()
    ran++
  }
  const others = Array.from({ length: count }, () => store.write(1, long))

  await store.write(2, () => {})
  const before = ran
  await Promise.all(others)

  assert.equal(ran, count)
  assert.ok(before < count / 2, `${before} have run before`)
})
