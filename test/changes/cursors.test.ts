import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ApiResponse, assertError } from '../support/client.ts'
import { start } from '../support/start.ts'
import { asEvents } from './events.ts'
import { changesPath, newestCursor } from './feed.ts'

function assertGone(response: ApiResponse, code: string): void {
  assertError(response, 410, 'NOT_FOUND', undefined, ['after'])
  assert.equal(response.body.error.details[0].code, code)
  assert.equal(response.headers.get('link'), '</api-v1-snapshot>; rel="snapshot"')
}

for (const [form, headers] of [
  ['page', {}],
  ['stream', asEvents],
] as const) {
  test(`A malformed cursor of a ${form} is rejected`, async (t) => {
    const { client } = await (await start(t)).company('Acme')

    for (const after of [
      '',
      '7',
      `${'0'.repeat(32)}-x`,
      `${'0'.repeat(32)}--1`,
      `${'0'.repeat(32)}-9999999999999999`,
    ]) {
      const response = await client.get(`${changesPath}?after=${after}`, headers)
      assertError(response, 400, 'VALIDATION_ERROR', undefined, ['after'])
    }
  })

  test(`A cursor of another log, or from the future of this one, is gone for a ${form}`, async (t) => {
    const server = await start(t)
    const [{ client }, other] = [await server.company('Acme'), await server.company('Other')]
    const [own, foreign] = [await newestCursor(client), await newestCursor(other.client)]
    const later = own.replace(/\d+$/, (seq) => String(Number(seq) + 1))

    for (const after of [foreign, later]) {
      assertGone(await client.get(`${changesPath}?after=${after}`, headers), 'INVALID_VALUE')
    }
  })
}

test('A malformed Last-Event-ID is rejected, and one of another log is gone', async (t) => {
  const server = await start(t)
  const [{ client }, other] = [await server.company('Acme'), await server.company('Other')]
  const stream = (id: string) => client.get(`${changesPath}?after=now`, { ...asEvents, 'Last-Event-ID': id })

  assertError(await stream('7'), 400, 'VALIDATION_ERROR', undefined, ['Last-Event-ID'])
  assertGone(await stream(await newestCursor(other.client)), 'INVALID_VALUE')
})
