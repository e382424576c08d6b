import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { temporaryDirectory } from '../support/directory.ts'
import { run } from '../support/program.ts'
import { start } from '../support/start.ts'
import { proxyWithKey } from './key-proxy.ts'

const suite = fileURLToPath(
  new URL('../../node_modules/@modelcontextprotocol/conformance/dist/index.js', import.meta.url),
)

interface Check {
  id: string
  status: string
}

/** The scenarios of the public suite that do not need tools which only a test server has. */
const scenarios: readonly (readonly [version: string, ...names: string[]])[] = [
  [
    '2026-07-28',
    ...['server-stateless', 'http-header-validation', 'tools-list', 'dns-rebinding-protection', 'caching'],
    ...['sep-2164-resource-not-found', 'input-required-result-unsupported-methods'],
    ...['input-required-result-validate-input', 'input-required-result-ignore-extra-params'],
    'input-required-result-missing-input-response',
  ],
  ['2025-11-25', 'server-initialize', 'ping', 'tools-list'],
]

/** Checks that need what this server does not have, with the reason. Every other check must succeed. */
const inapplicable: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'server-stateless': {
    'sep-2575-server-rejects-undeclared-capability': 'needs the tool test_missing_capability',
    'sep-2575-missing-capability-http-400': 'needs the tool test_missing_capability',
    'sep-2575-http-server-no-independent-requests-on-stream': 'needs the tool test_streaming_elicitation',
    'sep-2575-server-no-log-without-loglevel': 'needs the tool test_logging_tool',
  },
  caching: {
    'sep-2549-prompts-list-caching-hints': 'there are no prompts',
    'sep-2549-resources-list-caching-hints': 'there are no resources',
    'sep-2549-resources-templates-list-caching-hints': 'there are no resources',
  },
}

for (const [version, ...names] of scenarios) {
  for (const name of names) {
    test(`The conformance suite finds nothing wrong in its scenario ${name} of ${version}`, async (t) => {
      const found = await checkScenario(t, name, version)

      const failed = found.filter(({ status }) => status === 'FAILURE').map(({ id }) => id)
      assert.deepEqual(failed.sort(), Object.keys(inapplicable[name] ?? {}).sort())
      assert.ok(found.some(({ status }) => status === 'SUCCESS'))
    })
  }
}

async function checkScenario(t: TestContext, name: string, version: string): Promise<Check[]> {
  const { url, company } = await start(t)
  const { client } = await company('Acme')
  const proxy = await proxyWithKey(t, url, client.key)
  const directory = temporaryDirectory(t)
  const args = [
    'server',
    '--url',
    `${proxy}/mcp`,
    '--scenario',
    name,
    '--spec-version',
    version,
    '--output-dir',
    directory,
  ]
  const { stdout, stderr } = await run([process.execPath, suite], args)
  const [file] = globSync(`${directory}/**/checks.json`)
  assert.ok(file, stdout + stderr)
  return JSON.parse(readFileSync(file, 'utf8'))
}
