import type { TestContext } from 'node:test'
import { insertInvitation } from '../../src/access/invitation.ts'
import { insertUser, lookupOwnerId } from '../../src/access/user.ts'
import type { Writer } from '../../src/store/reader.ts'
import { control, openSandbox } from '../sandbox/sandbox.ts'
import { openScreen, type ScreenOptions } from '../support/browser.ts'
import type { Client } from '../support/client.ts'
import { make } from '../support/make.ts'
import { idle } from '../support/page.ts'

/** The console of a sandbox, whose clock can be set, signed in as its owner. Its pages are below `/test`. */
export async function openSandboxConsole(
  t: TestContext,
  seed: 'empty' | 'demo' = 'empty',
  options: ScreenOptions = { timeZone: 'UTC' },
) {
  const { url, store, client } = await openSandbox(t, seed)
  const ownerId = lookupOwnerId(store.access) ?? (await store.writeAccess(addOwner))
  const token = await store.writeAccess((tx) => insertInvitation(tx, ownerId))
  const screen = await openScreen(t, url, options)
  const { page } = screen
  await page.goto(`/test/invitation#${token}`)
  await page.getByLabel('Password').fill('correct horse battery')
  await page.getByRole('button', { name: 'Save and sign in' }).click()
  await page.getByRole('button', { name: 'Your account' }).waitFor()
  await idle(page)
  return { url, store, client, ownerId, ...screen }
}

function addOwner(access: Writer): string {
  const companyId = access.value<string>('SELECT id FROM company')!
  return insertUser(access, { companyId, fullName: 'Ada Weber', email: 'ada@acme.example', role: 'owner' }).id
}

/** Stops the sandbox's clock at a time. */
export async function stopClock(client: Client, now: string): Promise<void> {
  await client.put(`${control}/clock`, { now, mode: 'frozen' })
}

/** Returns a function that creates a deal and then closes it, each at a time. */
export async function dealCloser(client: Client) {
  const { body } = await client.get('/api-v1-stages')
  const idOf = (name: string): string => body.data.find((stage: { name: string }) => stage.name === name).id
  const close = async (to: 'Won' | 'Lost', created: string, closed: string, values: Record<string, unknown>) => {
    await stopClock(client, created)
    const { id } = await make(client, 'deal', values)
    await stopClock(client, closed)
    await client.patch(`/api-v1-deals/${id}`, { stage_id: idOf(to) })
  }
  return { close, idOf }
}
