import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { sandboxKey } from '../sandbox/sandbox.ts'
import { clientFor } from '../support/client.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { bundle, launch } from '../support/program.ts'

const page = readFileSync(new URL('../../docs/sandbox.md', import.meta.url), 'utf8')

/** The code of the first block in a language after a heading. */
function blockAfter(heading: string, language: string): string {
  const [, code] = new RegExp(`^## ${heading}$[^]*?^\`\`\`${language}\n([^]*?)^\`\`\``, 'm').exec(page)!
  return code!
}

test('The seed file of docs/sandbox.md loads', async (t) => {
  const file = join(temporaryDirectory(t), 'seed.json')
  writeFileSync(file, blockAfter('Seed files', 'json'))
  const { first } = await launch(t, bundle, ['sandbox', '--seed', file, '--key', sandboxKey])

  const { body } = await clientFor(first.url!, { id: '', key: sandboxKey }).get('/api-v1-contacts?include=organization')

  assert.equal(body.data[0].organization.name, 'Acme')
})
