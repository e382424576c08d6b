import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { start } from '../support/start.ts'
import { converse } from './conversation.ts'

/** What the version before pipelines answered. */
const recorded: string[] = JSON.parse(readFileSync(new URL('conversation.json', import.meta.url), 'utf8'))

test('With one pipeline, every response is as before there were pipelines, except that stages name theirs and what they require, and changes of deals have their people', async (t) => {
  const { client } = await (await start(t)).company('Acme')

  const lines = await converse(client)

  const byId = new Map<string, string>()
  const renumbered = (line: string) =>
    line
      .replaceAll(/"pipeline_id":"#\d+","requires":\[\],"stale_after_days":null,|,"contacts":\[[^\]]*\]/g, '')
      .replace(/#\d+\b/g, (id) => {
        if (!byId.has(id)) byId.set(id, `#${byId.size + 1}`)
        return byId.get(id)!
      })
  assert.deepEqual(lines.map(renumbered), recorded)
})
