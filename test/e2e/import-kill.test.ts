import { test } from 'node:test'
import { temporaryDirectory } from '../support/directory.ts'
import { firstClient } from '../support/prepare.ts'
import { bundle, launch } from '../support/program.ts'
import { importThroughKills } from './import-kills.ts'

const kills = 6

test('After kill -9 at random moments of imports, every valid record exists once, and counters and errors are correct', async (t) => {
  const data = temporaryDirectory(t)
  const serve = ['serve', '--data', data, '--port', '0', '--rate-limits', 'off']

  await importThroughKills(
    () => launch(t, bundle, serve),
    (url) => firstClient(data, url),
    kills,
  )
})
