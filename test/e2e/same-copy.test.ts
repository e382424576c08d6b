import assert from 'node:assert/strict'
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { writeFile } from '../../src/commands/export/files.ts'
import { createCopy } from '../../src/store/copy.ts'
import { claim } from '../../src/store/lock.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { prepareCompany } from '../support/prepare.ts'
import { bundle, type Run, run } from '../support/program.ts'

const refused =
  /^kontor: Another command is writing .*\.unfinished: try again when it has ended, or choose another name\.\n$/

test('A backup to the name of one that is being made is refused, and the other is complete', async (t) => {
  const data = temporaryDirectory(t)
  await prepareCompany(data)
  const file = join(temporaryDirectory(t), 'copy.db')
  let second: Run | undefined

  await createCopy(file, async (unfinished) => {
    copyFileSync(join(data, 'kontor.db'), unfinished)
    second = await run(bundle, ['backup', file, '--data', data])
  })

  assert.equal(second!.code, 1)
  assert.match(second!.stderr, refused)
  assert.equal((await run(bundle, ['check', file])).code, 0)
  assert.deepEqual(readdirSync(dirname(file)), ['copy.db'])
})

test('An export to a file to which another one is being written is refused, and disturbs nothing', async (t) => {
  const data = temporaryDirectory(t)
  const companyId = await prepareCompany(data)
  const file = join(temporaryDirectory(t), 'deals.csv')
  const release = claim(`${file}.unfinished`)

  const second = await run(bundle, ['export', 'deals', '--company', companyId, '--out', file, '--data', data])
  release()
  writeFile(file, ['id'])

  assert.equal(second.code, 1)
  assert.match(second.stderr, refused)
  assert.equal(readFileSync(file, 'utf8'), 'id')
  assert.deepEqual(readdirSync(dirname(file)), ['deals.csv'])
})

test('A copy or an export does not replace a file that has got its name in the meantime', async (t) => {
  const data = temporaryDirectory(t)
  await prepareCompany(data)
  const directory = temporaryDirectory(t)
  const [copy, list] = [join(directory, 'copy.db'), join(directory, 'deals.csv')]
  function* parts() {
    writeFileSync(list, 'theirs')
    yield 'id'
  }

  const copied = createCopy(copy, async (unfinished) => {
    copyFileSync(join(data, 'kontor.db'), unfinished)
    writeFileSync(copy, 'theirs')
  })

  await assert.rejects(copied, { message: `${copy} already exists: choose another name.` })
  assert.throws(() => writeFile(list, parts()), { message: `${list} already exists: choose another name.` })
  assert.deepEqual(readdirSync(directory).sort(), ['copy.db', 'deals.csv'])
  for (const each of [copy, list]) assert.equal(readFileSync(each, 'utf8'), 'theirs')
})
