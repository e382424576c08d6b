import '../support/built-threads.ts'
import assert from 'node:assert/strict'
import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import type { MailAnswer, SmtpSender } from '../../src/mail/mail.ts'
import { mailReader } from '../../src/mail/read-mail.ts'
import { temporaryDirectory } from '../support/directory.ts'

type Options = Parameters<typeof mailReader>[0]

/** Nothing listens there. */
const noServer = '127.0.0.1:1'

/** A reader of mail with its directories, which stops when the test ends. */
export function startReader(t: TestContext, options: Options = {}) {
  const reader = mailReader({ dns: noServer, ...options })
  t.after(() => reader.stop())
  const [mails, workDirectory] = [temporaryDirectory(t), temporaryDirectory(t)]
  let count = 0
  const read = (raw: string | Buffer, smtp?: SmtpSender, companyId = 'acme') => {
    const file = join(mails, `${++count}.eml`)
    writeFileSync(file, raw)
    return reader.read(file, { workDirectory, smtp, companyId })
  }
  const remove = () => rmSync(workDirectory, { recursive: true })
  return { read, remove, stop: () => reader.stop(), left: () => readdirSync(workDirectory) }
}

/** The message of an answer that is not refused. */
export function mailOf(answer: MailAnswer) {
  assert.ok('mail' in answer, JSON.stringify(answer))
  return answer.mail
}

/** The reason for which a message is refused, with its code. */
export function refusalOf(answer: MailAnswer): string {
  assert.ok('refused' in answer, 'the message was read')
  return `${answer.code} ${answer.refused}`
}

/** Lines as they are sent. */
export function mail(...lines: string[]): string {
  return `${lines.join('\r\n').replace(/\r?\n/g, '\r\n')}\r\n`
}
