import assert from 'node:assert/strict'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { transformSync } from 'esbuild'
import { temporaryDirectory } from '../support/directory.ts'
import { run } from '../support/program.ts'

const source = (name: string) => new URL(`../../src/store/${name}`, import.meta.url)

/** The module as the program has it. */
function minified(name: string): string {
  const { code } = transformSync(readFileSync(source(name), 'utf8'), { loader: 'ts', minify: true })
  return `data:text/javascript,${encodeURIComponent(code)}`
}

/** Writes to a database, lets go of it without closing it, and ends with this code. Returns the size of its write-ahead log. */
async function logAfterEnd(path: string, leaves: boolean, code: number): Promise<number | undefined> {
  const script = `
    import { setFlagsFromString } from 'node:v8'
    import { runInNewContext } from 'node:vm'
    import { leaveOpen } from ${JSON.stringify(minified('leave-open.ts'))}
    import { openConnection } from ${JSON.stringify(source('open.ts').href)}
    function write() {
      const db = openConnection(${JSON.stringify(path)}, { busyTimeoutMs: 1_000, synchronous: 'NORMAL', create: true })
      db.pragma('journal_mode = WAL')
      db.exec('CREATE TABLE written (number)')
      if (${leaves}) leaveOpen(db)
    }
    write()
    setFlagsFromString('--expose-gc')
    runInNewContext('gc')()
    process.exitCode = ${code}`
  const ended = await run([process.execPath, '--input-type=module'], ['--eval', script])
  assert.equal(ended.code, code, ended.stderr)
  return statSync(`${path}-wal`, { throwIfNoEntry: false })?.size
}

test('A connection that is left open keeps its commits in the write-ahead log, also when the process ends', async (t) => {
  const directory = temporaryDirectory(t)

  const closed = await logAfterEnd(join(directory, 'closed.db'), false, 0)
  const left = await logAfterEnd(join(directory, 'left.db'), true, 0)
  const failed = await logAfterEnd(join(directory, 'failed.db'), true, 1)

  assert.equal(closed, undefined)
  for (const bytes of [left, failed]) assert.ok(bytes! > 4096, String(bytes))
})
