import assert from 'node:assert/strict'
import { truncateSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { Checkpoints } from '../../src/cluster/checkpoints.ts'
import type { Head, Log } from '../../src/cluster/log.ts'
import { Shipper } from '../../src/cluster/shipper.ts'
import { Trimmer, usualSizes } from '../../src/cluster/trimmer.ts'
import { WalReader } from '../../src/cluster/wal-reader.ts'
import { schema } from '../../src/commands/open-store.ts'
import { Thread } from '../../src/lib/thread.ts'
import { openForServer } from '../../src/store/directory.ts'
import { countFrames } from '../../src/store/durability.ts'
import { LogPosition } from '../../src/store/log-position.ts'
import { untilErased } from '../changes/bytes.ts'
import { leaveInGap, left, pagesOf } from '../changes/gap.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { turn, until } from '../support/wait.ts'

const passOver = <T>(run: () => Promise<T>) => run()

/** The checkpoints of a leader. Its log has everything at once, except when it is asked for the `blocked`th time: then `goOn` has to be called. */
function leadSlowly(t: TestContext, blocked = 1) {
  const { db, path, release } = openForServer(join(temporaryDirectory(t), 'data'), schema)
  const begun = Promise.withResolvers<void>()
  const shipped = Promise.withResolvers<void>()
  let asked = 0
  const ship = async () => {
    if (++asked !== blocked) return
    begun.resolve()
    await shipped.promise
  }
  const checkpoints = new Checkpoints({ path, shipping: () => ({ ship, passOver }), isSafe: () => true })
  t.after(async () => {
    await checkpoints.stop()
    db.close()
    release()
  })
  return { db, checkpoints, begun: begun.promise, goOn: shipped.resolve }
}

test('A node that joins while a checkpoint waits for the log waits its turn', async (t) => {
  const { checkpoints, begun, goOn } = leadSlowly(t)
  const both = [1, 2].map((number) => checkpoints.whileShipped(() => number))
  await begun
  goOn()
  assert.deepEqual(await Promise.all(both), [1, 2])
})

test('Nothing is committed by a checkpoint once a leader that ends has paused them, whatever they wait for', async (t) => {
  const committed = [1, 2, 3].map(async (blocked) => {
    const { db, checkpoints, begun, goOn } = leadSlowly(t, blocked)
    db.exec("INSERT INTO setting VALUES ('erased', '1'), ('erased_from_search', '1')") // the log begins anew soon, with a commit
    const commits = () => db.prepare("SELECT count(*) FROM setting WHERE name = 'touched'").pluck().get()
    await begun
    const paused = checkpoints.pause().then(commits)
    goOn()
    const then = await paused
    await checkpoints.whileShipped(() => assert.equal(commits(), then))
    return then
  })
  assert.ok((await Promise.all(committed)).includes(1))
})

test('What overwrites gaps of the file is not sent to the log, also while another thread ships', async (t) => {
  const directory = join(temporaryDirectory(t), 'data')
  const before = openForServer(directory, schema)
  before.db.exec("INSERT INTO setting VALUES ('erased', '1'), ('erased_from_search', '1')")
  before.db.close()
  before.release()
  const page = leaveInGap(before.path)
  const { db, path, release } = openForServer(directory, schema)
  const parts: Buffer[] = []
  const log = { advance: async (_: Head, __: Head, part: Buffer) => parts.push(part) > 0 } as unknown as Log
  const shipper = new Shipper({
    ...{ log, head: { log: '', epoch: 1, owner: '', position: 0, bytes: 0 }, shown: new LogPosition() },
    trimmer: new Trimmer(log, { position: 0, bytes: 0 }, usualSizes),
    reader: new WalReader(path),
    countFrames: () => countFrames(db),
    onReplaced: assert.fail,
  })
  await shipper.ship()
  const asked: Promise<void>[] = []
  const overwritten = <T>(run: () => Promise<T>) =>
    shipper.passOver(async () => {
      const done = await run()
      asked.push(shipper.ship())
      await turn()
      return done
    })
  const shipping = () => ({ ship: () => shipper.ship(), passOver: overwritten })
  const checkpoints = new Checkpoints({ path, shipping, isSafe: () => true })
  t.after(async () => {
    await checkpoints.stop()
    db.close()
    release()
  })

  await untilErased(path, left)
  await Promise.all([...asked, shipper.ship()])

  assert.deepEqual([asked.length > 0, (await pagesOf(parts)).has(page)], [true, false])
})

test('A node does not begin to lead while it truncates its write-ahead log as a follower, with what is committed by then', async (t) => {
  const { db, path, release } = openForServer(join(temporaryDirectory(t), 'data'), schema)
  const write = (moment: string) => db.exec(`INSERT OR REPLACE INTO setting VALUES ('moment', '${moment}')`)
  write('before')
  truncateSync(`${path}-wal`, 65 * 2 ** 20)
  const moving = Promise.withResolvers<void>()
  const { post } = Thread.prototype
  t.mock.method(Thread.prototype, 'post', function (this: Thread<unknown, unknown>, order: unknown) {
    post.call(this, order)
    if (order === 'PASSIVE') moving.resolve()
  })
  let leads = false
  const shipping = () => (leads ? { async ship() {}, passOver } : undefined)
  const checkpoints = new Checkpoints({ path, shipping, isSafe: () => true })
  t.after(async () => {
    await checkpoints.stop()
    db.close()
    release()
  })

  await moving.promise
  await checkpoints.whileShipped(() => {
    leads = true
  })
  write('after')
  await checkpoints.pause()

  assert.ok(countFrames(db) > 0, 'what was committed since is still in the write-ahead log')
})

test('Stopped checkpoints start no new thread, even if theirs has just ended', async (t) => {
  const { db, path, release } = openForServer(join(temporaryDirectory(t), 'data'), schema)
  truncateSync(`${path}-wal`, 5 * 2 ** 20)
  const { post } = Thread.prototype
  const ended = Promise.withResolvers<void>()
  t.mock.method(Thread.prototype, 'post', function (this: Thread<unknown, unknown>, order: unknown) {
    post.call(this, order)
    if (order === 'PASSIVE') void this.terminate().then(ended.resolve)
  })
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const checkpoints = new Checkpoints({ path, shipping: () => undefined, isSafe: () => true })
  let [begun, looks] = [0, 0]
  const count = () => void begun++
  process.on('worker', count)
  t.after(() => {
    process.off('worker', count)
    db.close()
    release()
  })

  t.mock.timers.tick(1_000)
  await ended.promise
  const before = begun
  await checkpoints.stop()
  t.mock.timers.tick(10_000)
  await until('another thread would have begun', () => ++looks > 5)

  assert.equal(begun, before)
})
