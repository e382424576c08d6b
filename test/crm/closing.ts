import type { Client } from '../support/client.ts'
import { type JsonRecord, make } from '../support/make.ts'
import type { Server } from '../support/start.ts'

/** A company with the six stages of a new pipeline and another won one, by name. */
export async function open(server: Server) {
  const { client } = await server.company('Acme')
  await make(client, 'stage', { name: 'Paid', kind: 'won' })
  const { body } = await client.get('/api-v1-stages')
  const ids = Object.fromEntries(body.data.map(({ id, name }: JsonRecord) => [name, id]))
  const stage = (name: string) => ({ stage_id: String(ids[name]) })
  return { client, stage }
}

/** When a deal was closed, which only summaries show. */
export async function closedAt(client: Client, id: string): Promise<string | null> {
  const { body } = await client.get(`/api-v1-deals/summary?id=${id}&group_by=closed_at`)
  return body.data[0].group.closed_at
}

export const move = (client: Client, id: string, to: object) => client.patch(`/api-v1-deals/${id}`, to)
