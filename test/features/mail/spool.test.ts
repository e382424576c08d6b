import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Give, MailSpool } from '../../../src/features/mail/spool.ts'
import { temporaryDirectory } from '../../support/directory.ts'

const address = 'a@in.kontor.example'
/** There are no addresses. */
const options = { store: { renewSnapshot() {}, access: { row() {} } } } as unknown as ConstructorParameters<
  typeof MailSpool
>[1]

/** A spool with a message. */
async function openSpool(t: Parameters<typeof temporaryDirectory>[0], directory = temporaryDirectory(t)) {
  const spool = new MailSpool(directory, options)
  await accept(spool, address)
  return spool
}

function accept(spool: MailSpool, to: string): Promise<void> {
  async function* source() {
    yield Buffer.from('Subject: x\r\n\r\n')
  }
  return spool.accept(source(), to)
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

  assert.deepEqual([running.size, given], [0, [address]])
})

test('Messages to one address that cannot be delivered leave room for those to others, also after a restart', async (t) => {
  const directory = temporaryDirectory(t)
  const spool = await openSpool(t, directory)
  for (let waiting = 1; waiting < 200; waiting++) await accept(spool, address)
  const again = new MailSpool(directory, options)
  await again.start(async () => false)
  t.after(() => again.stop())

  for (const each of [spool, again]) {
    await assert.rejects(accept(each, address), { code: 'SERVICE_UNAVAILABLE' })
    await accept(each, 'b@in.kontor.example')
  }

  await again.start(async () => true)
  await again.idle()
  await accept(again, address)
})
