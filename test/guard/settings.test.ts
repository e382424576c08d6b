import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { settings } from '../../src/config.ts'
import { rawBytesMax } from '../../src/mail/bounds.ts'

// `UPDATE_DOCS=1 node --test test/guard/settings.test.ts` rewrites the table.

const page = new URL('../../docs/operations.md', import.meta.url)
const mark = '<!-- made from src/config.ts: test/guard/settings.test.ts -->\n'

function table(): string {
  const rows = Object.values(settings).map(({ env, flag, default: fallback, about }) => {
    const cells = [`\`${env}\``, flag && `\`${flag}\``, fallback === '' ? 'none' : `\`${fallback}\``, about]
    return `| ${cells.join(' | ')} |`
  })
  return ['| variable | flag | default | |', '| --- | --- | --- | --- |', ...rows].join('\n')
}

test('docs/operations.md lists every setting with its default and description', () => {
  const [before] = readFileSync(page, 'utf8').split(mark)
  const expected = `${before}${mark}\n${table()}\n`
  if (process.env.UPDATE_DOCS) writeFileSync(page, expected)

  assert.equal(readFileSync(page, 'utf8'), expected)
})

test('nginx as documented passes on the largest bodies that the server takes by default: mails, files and bulk imports', () => {
  const [, mebibytes] = /client_max_body_size (\d+)m;/.exec(readFileSync(page, 'utf8'))!
  const { bodyBytesMax, bulkBodyBytesMax, fileBytesMax } = settings
  const largest = [bodyBytesMax, bulkBodyBytesMax, fileBytesMax].map((setting) => Number(setting.default))

  assert.equal(Number(mebibytes) * 2 ** 20, Math.max(rawBytesMax, ...largest))
})
