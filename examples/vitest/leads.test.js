import { connectSandbox } from 'kontor/test'
import { afterAll, beforeEach, expect, inject, test } from 'vitest'
import { saveLead } from '../app/leads.js'

// A fork for this file: other files do not see its records, faults and time.
const crm = await connectSandbox(inject('sandbox')).fork({ from: 'empty' })

beforeEach(() => crm.reset())
afterAll(() => crm.close())

test('A lead is stored when Kontor is busy twice', async () => {
  await crm.faults.set([{ match: { method: 'POST' }, do: { status: 503 }, times: 2 }])

  const lead = await saveLead(crm, 'Christmas hampers')

  expect(lead.title).toBe('Christmas hampers')
  expect(await crm.requests.count({ status: 503 })).toBe(2)
})

test('A lead is not stored when Kontor stays busy', async () => {
  await crm.faults.set([{ match: { method: 'POST' }, do: { status: 503 } }])

  await expect(saveLead(crm, 'Christmas hampers')).rejects.toThrow('SERVICE_UNAVAILABLE')
})
