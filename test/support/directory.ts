import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'

/** Creates an empty directory that is removed when the test ends. */
export function temporaryDirectory(t: Pick<TestContext, 'after'>): string {
  const directory = mkdtempSync(join(tmpdir(), 'kontor-test-'))
  t.after(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}
