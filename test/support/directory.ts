import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'

/** A server that is still ending may write while its directory is removed. */
const removal = { recursive: true, force: true, maxRetries: 10 }

/** Creates an empty directory that is removed when the test ends. */
export function temporaryDirectory(t: Pick<TestContext, 'after'>): string {
  const directory = mkdtempSync(join(tmpdir(), 'kontor-test-'))
  t.after(() => rmSync(directory, removal))
  return directory
}
