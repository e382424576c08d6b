import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import spectralCore from '@stoplight/spectral-core'
import { oas } from '@stoplight/spectral-rulesets'
import { run } from '../support/program.ts'

const program = new URL('../../src/main.ts', import.meta.url).pathname
const { code, stdout, stderr } = await run([process.execPath, program], ['openapi'])
assert.equal(code, 0, stderr)

test("The document passes Redocly's strictest rules", async () => {
  const config = await createConfig({ extends: ['recommended-strict'] })

  const problems = await lintFromString({ source: stdout, absoluteRef: '/openapi.json', config })

  assert.deepEqual(
    problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer]),
    [],
  )
})

/** Disabled rules, each with its reason. */
const unsuited = {
  // Since OpenAPI 3.1 a bearer requirement may list roles, which are not declared anywhere.
  'oas3-operation-security-defined': 'off',
} as const

test("The document passes Spectral's rules for OpenAPI", async () => {
  const spectral = new spectralCore.Spectral()
  spectral.setRuleset(new spectralCore.Ruleset({ extends: [oas], rules: unsuited }))

  const problems = await spectral.run(JSON.parse(stdout))

  assert.deepEqual(
    problems.map(({ code, message, path }) => [code, message, path.join('/')]),
    [],
  )
})
