import { connectSandbox } from 'kontor/test'
import { afterAll, expect, inject, test } from 'vitest'
import { saveLead } from '../app/leads.js'

const crm = await connectSandbox(inject('sandbox')).fork({ clock: { now: '2026-12-24T12:00:00Z', mode: 'frozen' } })

afterAll(() => crm.close())

test('A lead has the time at which it was stored', async () => {
  await crm.clock.advance('PT12H')

  const lead = await saveLead(crm, 'Christmas hampers')

  expect(lead.created_at).toBe('2026-12-25T00:00:00.000Z')
})
