import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Run, run } from '../support/program.ts'

const root = new URL('../../', import.meta.url).pathname
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

/** Programs find the Node.js of this process first. */
const env = { PATH: `${dirname(process.execPath)}:${process.env.PATH}` }

/** Makes a release of the npm package alone in a directory. Returns the path of the npm package. */
export async function release(out: string): Promise<string> {
  const main = join(root, 'release.mjs')
  const { code, stderr } = await run([process.execPath, main], ['npm', '--out', out], {
    cwd: root,
    env,
  })
  assert.equal(code, 0, stderr)
  return join(out, `kontor-${version}.tgz`)
}

/** Runs npm in a directory. Packages that it has downloaded before come from its cache. */
export function npm(args: string[], cwd: string): Promise<Run> {
  return run(['npm'], [...args, '--no-audit', '--no-fund', '--prefer-offline'], { cwd, env })
}
