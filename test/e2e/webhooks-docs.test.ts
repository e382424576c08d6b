import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { addWebhook } from '../features/webhooks/webhooks.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { freePort } from '../support/free-port.ts'
import { make } from '../support/make.ts'
import { start } from '../support/start.ts'
import { until, within } from '../support/wait.ts'

const page = readFileSync(new URL('../../docs/webhooks.md', import.meta.url), 'utf8')
const modules = new URL('../../node_modules', import.meta.url).pathname
const hasPython = spawnSync('python3', ['--version']).status === 0

/** The receivers of the page by language, and how to run them. */
const programs = [
  { language: 'ts', file: 'receiver.mts', command: process.execPath, skip: false },
  { language: 'python', file: 'receiver.py', command: 'python3', skip: !hasPython },
]

/** Sends the beginning of a request, and closes the connection. */
async function cutOff(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  socket.resume().end('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nabc')
  await within('the receiver has closed the connection', once(socket, 'close'))
}

for (const { language, file, command, skip } of programs) {
  test(`The ${language} receiver of docs/webhooks.md accepts what Kontor sends, and nothing else`, {
    skip,
  }, async (t) => {
    const port = await freePort()
    const client = await (await start(t, { webhooks: 'here' })).client()
    const { secret } = await addWebhook(client, `http://127.0.0.1:${port}/`)
    const directory = temporaryDirectory(t)
    symlinkSync(modules, join(directory, 'node_modules'))
    writeFileSync(join(directory, file), new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``).exec(page)![1]!)
    const child = spawn(command, [join(directory, file)], {
      env: { ...process.env, WEBHOOK_SECRET: secret, PORT: String(port) },
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    child.on('error', (error) => t.diagnostic(error.message))
    t.after(() => child.kill())
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
    const headers = { 'webhook-id': 'msg_1', 'webhook-timestamp': '1', 'webhook-signature': 'v1,x' }
    const forge = () =>
      fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body: '{}' }).catch(() => undefined)
    await until('the receiver answers', forge)

    await cutOff(port)
    const forged = await forge()
    await make(client, 'organization')
    const { value } = await lines.next()

    assert.equal(forged?.status, 401)
    assert.match(String(value), /^\d+ organization\.created$/)
  })
}
