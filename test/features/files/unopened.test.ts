import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Contents } from '../../../src/content/contents.ts'
import { DirectoryContents } from '../../../src/content/directory.ts'
import { withContent } from '../../../src/features/mail/kept-content.ts'
import type { Reader } from '../../../src/store/reader.ts'
import { temporaryDirectory } from '../../support/directory.ts'
import { turn } from '../../support/wait.ts'

const missing = { code: 'ENOENT' }

async function readLate(parts: AsyncIterable<Buffer>): Promise<never> {
  for (let n = 0; n < 20; n++) await turn() // by then, a stream that was opened has failed
  for await (const part of parts) assert.fail(String(part))
  throw new Error('it was read')
}

test('Content that has gone fails whoever reads it, not the process, however late it is read', async (t) => {
  const contents = new DirectoryContents(temporaryDirectory(t))
  const parts = contents.read({ workspaceId: 1, sha256: 'a'.repeat(64) }, 0, 5)
  await assert.rejects(readLate(parts), missing)
})

test('A mail whose file has gone fails its delivery, not the process', async (t) => {
  const contents = { receive: readLate } as unknown as Contents
  const unused = { reader: {} as Reader, prepare: async () => {}, release: async () => {}, requireRoom() {} }
  const keeping = { ...unused, contents, workspaceId: 1, attachments: [], claimId: 'x' }
  const file = join(temporaryDirectory(t), 'gone.eml')
  await assert.rejects(
    withContent({ ...keeping, file }, async () => assert.fail()),
    missing,
  )
})
