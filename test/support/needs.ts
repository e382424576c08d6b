import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type TestContext, type TestOptions, test } from 'node:test'

/** The value for a test's `skip`: false, or the reason why the test cannot run. */
export type Missing = string | false

export const withoutCompiler: Missing = isInstalled('cc') ? false : 'no C compiler: apt-get install gcc libc6-dev'

export const withoutOpenssl: Missing = isInstalled('openssl') ? false : 'openssl is not installed'

export const withoutDpkg: Missing = isInstalled('dpkg-deb') ? false : 'dpkg is not installed'

export const withoutJq: Missing =
  isInstalled('jq') && isInstalled('curl') ? false : 'jq or curl is not installed: apt-get install jq curl'

function isInstalled(program: string): boolean {
  return process.env.PATH!.split(delimiter).some((folder) => existsSync(join(folder, program)))
}

type TestFunction = (t: TestContext) => Promise<void> | void
type Test = (name: string, ...rest: [TestFunction] | [TestOptions, TestFunction]) => void

/** `test` for a file whose tests all need something. */
export function testUnless(missing: Missing): Test {
  return (name, ...rest) => {
    const [options, run] = rest.length === 1 ? [{}, rest[0]] : rest
    void test(name, { skip: missing, ...options }, run)
  }
}
