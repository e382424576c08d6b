import assert from 'node:assert/strict'
import { test } from 'node:test'
import { make } from '../support/make.ts'
import { type Server, start } from '../support/start.ts'
import { newColleague, newOwner, type Visitor } from '../support/visitor.ts'

/** The document of a page as a browser gets it. */
async function open({ url }: Server, { cookie }: Visitor, path: string, headers: Record<string, string> = {}) {
  return (await fetch(`${url}${path}`, { headers: { Cookie: cookie!, ...headers } })).text()
}

/** The responses that a document has, by the paths of their requests. */
function readsIn(html: string): Record<string, unknown> {
  const [, block] = /<script id="initial-data" type="application\/json">(.*?)<\/script>/s.exec(html) ?? []
  return block === undefined ? {} : JSON.parse(block).reads
}

test('The document of the board has the responses to what it reads first, of its workspace and as the user may see them', async (t) => {
  const server = await start(t)
  const owner = await newOwner(server)
  const member = await newColleague(server, 'member')
  await make(owner, 'deal', { title: 'Hampers' })
  await owner.post('/api-v1-deals', { title: 'A trial' }, { 'Kontor-Environment': 'test' })

  for (const [path, environment, title] of [
    ['/pipeline', 'live', 'Hampers'],
    ['/test/pipeline', 'test', 'A trial'],
  ] as const) {
    for (const visitor of [owner, member]) {
      const reads = readsIn(await open(server, visitor, path))
      for (const [target, body] of Object.entries(reads)) {
        assert.deepEqual(body, (await visitor.get(target, { 'Kontor-Environment': environment })).body, target)
      }
      assert.equal(Object.keys(reads).filter((target) => target.includes('stage_id=')).length, 6)
      assert.match(JSON.stringify(reads), new RegExp(`"title":"${title}"`))
    }
  }
})

test('Other documents have no responses, nor has that of a board with filters or one that another site opens', async (t) => {
  const server = await start(t)
  const owner = await newOwner(server)
  await make(owner, 'deal', { title: 'Hampers' })

  for (const path of ['/', '/deals', '/pipeline?show=open'])
    assert.deepEqual(readsIn(await open(server, owner, path)), {})
  const html = await open(server, owner, '/pipeline', { 'Sec-Fetch-Site': 'cross-site' })
  assert.doesNotMatch(html, /Hampers/)
})

test('The documents name the script of the German texts for a browser whose first known language is German', async (t) => {
  const server = await start(t)
  const owner = await newOwner(server)
  const isNamed = async (language: string) =>
    (await open(server, owner, '/deals', { 'Accept-Language': language })).includes('/assets/german-')

  assert.equal(await isNamed('de-AT,de;q=0.9,en;q=0.8'), true)
  assert.equal(await isNamed('fr,de;q=0.5'), true)
  assert.equal(await isNamed('en-US,en;q=0.9,de;q=0.8'), false)
  assert.equal(await isNamed('fr'), false)
})
