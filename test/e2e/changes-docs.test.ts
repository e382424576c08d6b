import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type TestContext, test } from 'node:test'
import { create, openServer } from '../support/changes.ts'
import { temporaryDirectory } from '../support/directory.ts'

const page = readFileSync(new URL('../../docs/changes.md', import.meta.url), 'utf8')
const hasPython = spawnSync('python3', ['--version']).status === 0

/** The programs of the page by language, and how to run them. */
const programs = [
  { language: 'ts', file: 'follow.mts', command: process.execPath, skip: false },
  { language: 'python', file: 'follow.py', command: 'python3', skip: !hasPython },
]

function codeOf(language: string): string {
  return new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``).exec(page)![1]!
}

/** Yields the lines that a program prints. */
function run(t: TestContext, command: string, file: string, env: Record<string, string>): AsyncIterator<string> {
  const child: ChildProcess = spawn(command, [file], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'ignore'], // it fails when the server stops
  })
  child.on('error', (error) => t.diagnostic(error.message))
  t.after(() => child.kill())
  return createInterface({ input: child.stdout! })[Symbol.asyncIterator]()
}

for (const { language, file, command, skip } of programs) {
  test(`The ${language} program of docs/changes.md prints each change as it happens`, { skip }, async (t) => {
    const { server, client } = await openServer(t)
    const path = join(temporaryDirectory(t), file)
    writeFileSync(path, codeOf(language))
    const first = await create(client, 'organizations', { name: 'Acme' })
    const { cursor, latest_seq } = (await client.get('/api-v1-changes?after=now')).body
    const second = await create(client, 'organizations', { name: 'Nordwind' })

    const lines = run(t, command, path, { KONTOR_URL: server.url, KONTOR_KEY: client.key, KONTOR_CURSOR: cursor })
    assert.equal((await lines.next()).value, `${latest_seq + 1} organization.created ${second}`)
    await client.delete(`/api-v1-organizations/${first}`)

    assert.equal((await lines.next()).value, `${latest_seq + 2} organization.deleted ${first}`)
  })
}
