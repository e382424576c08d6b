import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { Checkpoints } from '../../src/cluster/checkpoints.ts'
import { schema } from '../../src/commands/open-store.ts'
import { openForServer } from '../../src/store/directory.ts'
import { temporaryDirectory } from '../support/directory.ts'

/** The checkpoints of a leader. Its log takes nothing until `goOn` is called. */
function leadSlowly(t: TestContext) {
  const { db, path, release } = openForServer(join(temporaryDirectory(t), 'data'), schema)
  const begun = Promise.withResolvers<void>()
  const shipped = Promise.withResolvers<void>()
  const ship = () => {
    begun.resolve()
    return shipped.promise
  }
  const checkpoints = new Checkpoints({ path, shipping: () => ({ ship }), isSafe: () => true })
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

test('Nothing is committed by a checkpoint once a leader that ends has paused them', async (t) => {
  const { db, checkpoints, begun, goOn } = leadSlowly(t)
  db.exec("INSERT INTO setting VALUES ('erased', '1')") // the write-ahead log begins anew soon, with a commit
  const commits = () => db.prepare("SELECT count(*) FROM setting WHERE name = 'touched'").pluck().get()
  await begun
  const paused = checkpoints.pause().then(commits)
  goOn()
  assert.equal(await paused, 1)
})
