import { execFileSync } from 'node:child_process'
import { type TestContext, type TestOptions, test } from 'node:test'

/** The value for a test's `skip`: false, or the reason why the test cannot run. */
export type Missing = string | false

export const withoutCompiler: Missing = runs('cc', '--version') ? false : 'no C compiler: apt-get install gcc libc6-dev'

export const withoutOpenssl: Missing = runs('openssl', 'version') ? false : 'openssl is not installed'

function runs(program: string, argument: string): boolean {
  try {
    execFileSync(program, [argument], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
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
