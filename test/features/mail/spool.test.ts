import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Give, MailSpool } from '../../../src/features/mail/spool.ts'
import { temporaryDirectory } from '../../support/directory.ts'

/** A spool with a message. */
async function openSpool(t: Parameters<typeof temporaryDirectory>[0]): Promise<MailSpool> {
  const spool = new MailSpool(temporaryDirectory(t), {} as ConstructorParameters<typeof MailSpool>[1])
  await spool.accept(
    (async function* () {
      yield Buffer.from('Subject: x\r\n\r\n')
    })(),
    'a@in.kontor.example',
  )
  return spool
}

/** Gives nothing until it is to end. */
function hanging(): { give: Give; running: Set<string> } {
  const running = new Set<string>()
  const give: Give = (file, _, signal) => {
    running.add(file)
    const { promise, resolve } = Promise.withResolvers<boolean>()
    signal.addEventListener('abort', () => {
      running.delete(file)
      resolve(false)
    })
    return promise
  }
  return { give, running }
}

test('A spool that is stopped while it starts delivers nothing afterwards', async (t) => {
  const spool = await openSpool(t)
  const { give, running } = hanging()

  await Promise.all([spool.start(give), spool.stop()])

  assert.equal(running.size, 0)
})

test('A message that was being given when the spool starts again is delivered, once', async (t) => {
  const spool = await openSpool(t)
  const { give, running } = hanging()
  await spool.start(give)
  assert.equal(running.size, 1)

  const given: string[] = []
  const count: Give = async (_, address) => given.push(address) > 0
  await Promise.all([spool.start(give), spool.start(count), spool.start(count)])
  await spool.idle()

  assert.deepEqual([running.size, given], [0, ['a@in.kontor.example']])
})
