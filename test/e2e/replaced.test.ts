import assert from 'node:assert/strict'
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { Client } from '../support/client.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { contacts, ended, submit } from '../support/imports.ts'
import { firstClient } from '../support/prepare.ts'
import { bundle, type Command, executable, launch } from '../support/program.ts'

/** Enough for a filtered list to run on a separate thread, which starts with the first such list. */
const records = 2_000

interface Running {
  url: string
  client: Client
  /** The path of the program. */
  file: string
  /** The directory to which the program unpacks SQLite's addon. */
  temporary: string
}

/** A server from a copy of the program, with enough contacts for a long list. */
async function launchCopy(t: TestContext, [program, original = program]: Command): Promise<Running> {
  const directory = temporaryDirectory(t)
  const [file, temporary, data] = ['kontor', 'tmp', 'data'].map((name) => join(directory, name)) as [
    string,
    string,
    string,
  ]
  copyFileSync(original, file)
  mkdirSync(temporary)
  const command: Command = original === program ? [file] : [program, file]
  const { first } = await launch(t, command, ['serve', '--data', data, '--port', '0', '--rate-limits', 'off'], {
    env: { TMPDIR: temporary },
  })
  const url = first.url!
  const client = await firstClient(data, url)
  for (let sent = 0; sent < records; sent += 1_000) {
    await ended(client, await submit(client, 'contacts', contacts(1_000)))
  }
  return { url, client, file, temporary }
}

/** Fails unless the server can still do everything that needs more than it loads at its start. */
async function assertWorks({ url, client }: Running): Promise<void> {
  for (const path of ['/docs', '/docs/ui.js', '/openapi.json', '/llms.txt', '/', '/settings', '/assets/icon.svg']) {
    const response = await fetch(`${url}${path}`)
    assert.equal(response.status, 200, path)
    assert.ok((await response.arrayBuffer()).byteLength > 100, path)
  }
  const { status, body } = await client.get('/api-v1-contacts?last_name[like]=row%251')
  assert.equal(status, 200, JSON.stringify(body))
  const job = await ended(client, await submit(client, 'contacts', contacts(10)))
  assert.equal(job.successful_records, 10)
}

const ways: Record<string, (running: Running) => void> = {
  removed: ({ file }) => rmSync(file),
  replaced: ({ file }) => {
    rmSync(file)
    writeFileSync(file, 'another version')
  },
  'overwritten in place': ({ file }) => writeFileSync(file, 'another version'),
}

for (const [way, interfere] of Object.entries(ways)) {
  test(`A server whose file is ${way} still serves pages, long lists and imports`, async (t) => {
    const running = await launchCopy(t, bundle)

    interfere(running)

    await assertWorks(running)
  })
}

test('An executable that is replaced while it runs still serves pages, long lists and imports', async (t) => {
  const running = await launchCopy(t, executable)

  ways.replaced!(running)

  await assertWorks(running)
})

test('A server whose temporary files are removed can still start its threads', async (t) => {
  const running = await launchCopy(t, bundle)

  rmSync(running.temporary, { recursive: true })

  await assertWorks(running)
})
