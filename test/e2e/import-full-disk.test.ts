import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryDirectory } from '../support/directory.ts'
import { bundle, run } from '../support/program.ts'
import { start } from '../support/start.ts'

/** Like a full disk: a write of more takes only the first bytes, and the next one fails. */
const limited = `trap '' XFSZ; ulimit -f 4; exec "$@"`

for (const [option, csv] of [
  ['--results', ['First name', ...Array.from({ length: 90 }, (_, at) => `Ada ${at}`)]],
  ['--errors', ['First name,Email', `Ada,${'x'.repeat(6_000)}`]],
] as const) {
  test(`An import says that the file of ${option} could not be written completely`, async (t) => {
    const server = await start(t)
    const client = await server.client()
    const directory = temporaryDirectory(t)
    const [file, output] = [join(directory, 'people.csv'), join(directory, 'output')]
    writeFileSync(file, csv.join('\n'))
    const options = ['--url', server.url, '--key', client.key, option, output]

    const { code, stderr } = await run(['sh', '-c', limited, 'sh', ...bundle], ['import', 'contacts', file, ...options])

    assert.equal(code, 1, stderr)
    assert.match(stderr, /file too large/)
  })
}
