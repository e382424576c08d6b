import assert from 'node:assert/strict'
import { Session } from 'node:inspector/promises'
import { type TestContext, test } from 'node:test'
import { make } from '../support/make.ts'
import { start } from '../support/start.ts'

const roomsMax = 14
const src = new URL('../../src/', import.meta.url).href

/** Returns the folders of `src` in which functions ran since the last call. */
async function watchFolders(t: TestContext): Promise<() => Promise<string[]>> {
  const session = new Session()
  session.connect()
  t.after(() => session.disconnect())
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  return async () => {
    const { result } = await session.post('Profiler.takePreciseCoverage')
    const isRun = ({ functions }: (typeof result)[number]) =>
      functions.some(({ ranges: [range] }) => range!.count > 0 && range!.startOffset > 0)
    const run = result.filter((script) => script.url.startsWith(src) && isRun(script))
    return [...new Set(run.map(({ url }) => url.slice(src.length).replace(/(^|\/)[^/]*$/, '')))].sort()
  }
}

test(`A list, once its query has been read, passes through at most ${roomsMax} folders`, async (t) => {
  const server = await start(t, { work: 'nowhere' })
  const { client } = await server.company('Acme')
  await make(client, 'contact')
  const foldersSince = await watchFolders(t)
  for (const query of ['', '?first_name=Ada', '?q=Ada', '?include=organization&sort=-created_at']) {
    await client.get(`/api-v1-contacts${query}`)
    await make(client, 'contact') // so that the response is made anew
    await foldersSince()
    await client.get(`/api-v1-contacts${query}`)
    const folders = await foldersSince()

    assert.ok(folders.includes('engine/finding/list'), 'the list ran')
    assert.ok(folders.length <= roomsMax, `${query}: ${folders.length} folders: ${folders.join(', ')}`)
  }
})
