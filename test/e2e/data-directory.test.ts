import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryDirectory } from '../support/directory.ts'
import { administer, bundle, run } from '../support/program.ts'

const administering: string[][] = [
  ['company', 'list'],
  ['company', 'set', 'x', '--name', 'Acme'],
  ['user', 'list', '--company', 'x'],
  ['key', 'list', '--company', 'x'],
  ['key', 'revoke', 'x'],
  ['plan', 'list'],
  ['plan', 'set', 'free', '--max-deals', '1'],
  ['backup', 'copy.db'],
  ['check'],
]

test('Only serve, company create and restore create a data directory; other commands reject a missing one', async (t) => {
  const directory = temporaryDirectory(t)
  const [missing, empty] = [join(directory, 'missing'), join(directory, 'empty')]
  mkdirSync(empty)

  for (const args of administering) {
    for (const data of [missing, empty]) {
      const { code, stdout, stderr } = await run(bundle, [...args, '--data', data], { cwd: directory })
      assert.deepEqual([code, stdout], [1, ''], args.join(' '))
      assert.match(stderr, /^kontor: There is no (data directory|database) .*\n$/)
    }
  }
  assert.ok(!existsSync(missing))
  assert.deepEqual(readdirSync(empty), [])
  await administer(bundle, 'company', 'create', '--name', 'Acme', '--data', missing)
})

test('A data directory that the system does not allow to be created is reported at once', {
  skip: !existsSync('/proc/self'),
}, async () => {
  for (const args of [['company', 'create', '--name', 'Acme'], ['serve']]) {
    const { code, stderr } = await run(bundle, [...args, '--data', '/proc/kontor/data'])
    assert.equal(code, 1)
    assert.match(stderr, /^kontor: Cannot create the data directory \/proc\/kontor\/data: .*\n$/)
  }
})
