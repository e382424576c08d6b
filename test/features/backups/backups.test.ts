import assert from 'node:assert/strict'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { contentsBeside } from '../../../src/content/open.ts'
import { Backups } from '../../../src/features/backups/backups.ts'
import { dayMs, minuteMs } from '../../../src/lib/clock.ts'
import { stampOf } from '../../../src/lib/stamp.ts'
import { FakeClock } from '../../support/clock.ts'
import { temporaryDirectory } from '../../support/directory.ts'
import { start } from '../../support/start.ts'

const hourMs = 60 * minuteMs

interface Shelf {
  clock: FakeClock
  /** Creates a backup of this age. */
  create(ageMs: number): string
  /** Returns the schedule of a process that starts now. */
  start(): Backups
  files(): string[]
  /** Returns the name of a backup that is made now. */
  nameNow(): string
}

async function shelf(t: TestContext, { everyMs = dayMs, keep = 3 } = {}): Promise<Shelf> {
  const [clock, directory] = [new FakeClock(), temporaryDirectory(t)]
  const { path } = await start(t, { clock })
  const nameOf = (ms: number) => `kontor-${stampOf(ms)}.db`
  return {
    clock,
    start: () => new Backups({ path, contents: contentsBeside(path) }, { directory, everyMs, keep }, clock),
    files: () => readdirSync(directory).sort(),
    nameNow: () => nameOf(clock.now()),
    create(ageMs) {
      const name = nameOf(clock.now() - ageMs)
      writeFileSync(join(directory, name), '')
      return name
    },
  }
}

test('A backup is due when the newest one has reached the interval, also after a restart', async (t) => {
  const { clock, create, start } = await shelf(t)
  create(dayMs - 1_000)

  assert.equal(await start().makeIfDue(), false)
  clock.advance(1_000)
  assert.equal(await start().makeIfDue(), true)
  clock.advance(hourMs)
  assert.equal(await start().makeIfDue(), false)
})

test('The schedule knows when the next backup is due to the millisecond, and that one is due that could not be made', async (t) => {
  const { clock, start } = await shelf(t, { everyMs: 90_000 })
  const backups = start()
  await backups.makeIfDue()

  clock.advance(60_000)
  assert.equal(await backups.makeIfDue(), false)
  assert.equal(backups.untilDueMs(), 30_000)
  clock.advance(30_001)
  assert.equal(backups.untilDueMs(), 0)
})

for (const [how, jump] of [
  ['back', -30 * dayMs],
  ['forward', 30 * dayMs],
] as const) {
  test(`A clock that is set ${how} neither delays scheduled backups nor adds any`, async (t) => {
    const { clock, start } = await shelf(t)
    const backups = start()
    await backups.makeIfDue()
    clock.advance(hourMs)

    clock.jump(jump)
    const early = await backups.makeIfDue()
    clock.advance(dayMs - hourMs)
    const due = await backups.makeIfDue()

    assert.deepEqual([early, due], [false, true])
  })
}

test('A backup with a future timestamp delays no other and does not cause one at each start', async (t) => {
  const { create, start } = await shelf(t)
  create(-365 * dayMs)

  assert.equal(await start().makeIfDue(), true)
  assert.equal(await start().makeIfDue(), false)
})

test('Backups with a future timestamp are removed first, and the one just made stays', async (t) => {
  const { clock, create, start, files, nameNow } = await shelf(t)
  const yesterday = create(dayMs)
  const [, later] = [create(-365 * dayMs), create(-366 * dayMs)]
  const backups = start()

  await backups.makeIfDue()
  const first = nameNow()
  assert.deepEqual(files(), [yesterday, first, later])
  clock.jump(-30 * dayMs)
  clock.advance(dayMs)
  await backups.makeIfDue()

  assert.deepEqual(files(), [nameNow(), first, later])
})

test('The backup just made is never removed', async (t) => {
  const { clock, start, files, nameNow } = await shelf(t, { keep: 1 })
  const backups = start()
  await backups.makeIfDue()
  clock.jump(-30 * dayMs)
  clock.advance(dayMs)

  await backups.makeIfDue()

  assert.deepEqual(files(), [nameNow()])
})

test('What a killed backup has left is removed before the next one, which may need the room', async (t) => {
  const directory = temporaryDirectory(t)
  const left = 'kontor-20260101T000000Z.db.unfinished'
  for (const name of [left, `${left}-journal`, `${left}.lock`, 'mine.db.unfinished'])
    writeFileSync(join(directory, name), '')
  const path = join(directory, 'none.db')
  const backups = new Backups({ path, contents: contentsBeside(path) }, { directory, everyMs: 1, keep: 1 })

  await assert.rejects(backups.makeIfDue(), /There is no database/)

  assert.deepEqual(readdirSync(directory), ['mine.db.unfinished'])
})
