import assert from 'node:assert/strict'
import { resources, routes } from '../../src/features/index.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { testUnless, withoutCompiler } from '../support/needs.ts'
import { rounds } from '../support/random.ts'
import { outages, surviveOutages } from './outages.ts'

const test = testUnless(withoutCompiler)

/** A workspace has few of these records. The webhook that receives every change is created before the outages. */
const few = resources.filter(({ max }) => max !== undefined).map(({ path }) => `/${path}`)
/** Only users decide about them: test/mcp/outages.slow.test.ts. */
const proposals = '/api-v1-proposals'
/** With their content: test/features/files/kill.slow.test.ts, test/features/mail/kill.slow.test.ts. */
const withContent = ['/api-v1-files', '/api-v1-messages', '/api-v1-mail-']
/** What refers to a deal or has no text: outages-selling.slow.test.ts. */
const selling = ['/api-v1-deals/:id/contacts', '/api-v1-exchange-rates', '/api-v1-bulk/line-items']
const writing = routes
  .filter(
    ({ method, path }) =>
      method !== 'GET' && ![...few, ...selling, ...withContent, proposals].some((each) => path.startsWith(each)),
  )
  .map(({ method, path }) => `${method} ${path}`)
/** Each kind ends two rounds. */
const twice = [...outages, ...outages]

test('Kills, power cuts, and power cuts with torn writes, during concurrent writes of every endpoint, lose nothing that was acknowledged, idempotent responses and imports included', async (t) => {
  const ends = Array.from({ length: rounds }, () => twice).flat()
  const plan = { rounds: ends, writesPerRound: 150, routes: writing, seed: 11 }
  const { routes } = await surviveOutages(t, temporaryDirectory(t), plan)

  assert.deepEqual(
    writing.filter((route) => !routes.has(route)),
    [],
  )
})
