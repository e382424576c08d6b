import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { giveMailTo } from '../../src/commands/give-mail.ts'
import { rawMail } from '../features/mail/mails.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { start } from '../support/start.ts'

test('A server that takes no mail from another one is named with its answer, and none is given while no other server leads', async (t) => {
  const { url } = await start(t) // without a domain for mail
  const file = join(temporaryDirectory(t), 'mail.eml')
  writeFileSync(file, rawMail())
  const { signal } = new AbortController()

  assert.equal(await giveMailTo(() => undefined)(file, 'a@in.kontor.example', signal), false)
  await assert.rejects(giveMailTo(() => url)(file, 'a@in.kontor.example', signal), {
    message: `The leader at ${url} answered 404`,
  })
})
