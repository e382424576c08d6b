import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { control, sandboxKey } from '../sandbox/sandbox.ts'
import { clientFor } from '../support/client.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { bundle, launch } from '../support/program.ts'

const page = readFileSync(new URL('../../docs/sandbox.md', import.meta.url), 'utf8')

/** The code of the first block in a language after a heading. */
function blockAfter(heading: string, language: string): string {
  const [, code] = new RegExp(`^## ${heading}$[^]*?^\`\`\`${language}\n([^]*?)^\`\`\``, 'm').exec(page)!
  return code!
}

test('The commands of docs/sandbox.md work', async (t) => {
  const { first } = await launch(t, bundle, ['sandbox', '--key', sandboxKey])
  const env = { ...process.env, KONTOR_URL: first.url, KONTOR_KEY: sandboxKey }
  const script = blockAfter('Control', 'sh').replaceAll(/^(call .*?)( +#.*)?$/gm, '$1; echo')

  const { stdout } = await promisify(execFile)('bash', ['-ec', script], { env })

  const responses = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  assert.equal(responses.length, 6)
  for (const response of responses) assert.ok(response.data, JSON.stringify(response))
  const client = clientFor(first.url!, { id: '', key: sandboxKey })
  assert.equal((await client.get(`${control}/clock`)).body.data.now, '2026-01-06T21:00:00.000Z')
  assert.equal((await client.get(`${control}/faults`)).body.data.length, 1)
})

test('The seed file of docs/sandbox.md loads', async (t) => {
  const file = join(temporaryDirectory(t), 'seed.json')
  writeFileSync(file, blockAfter('Seed files', 'json'))
  const { first } = await launch(t, bundle, ['sandbox', '--seed', file, '--key', sandboxKey])

  const { body } = await clientFor(first.url!, { id: '', key: sandboxKey }).get('/api-v1-contacts?include=organization')

  assert.equal(body.data[0].organization.name, 'Acme')
})
