import type { TestContext } from 'node:test'
import { start } from '../support/start.ts'
import { newColleague } from '../support/visitor.ts'
import { agentFor } from './agent.ts'

export const proposals = '/api-v1-proposals'

/** A server with an agent that proposes changes, and a user who decides about them. */
export async function openProposing(t: TestContext) {
  const server = await start(t)
  const { client, key } = await server.company('Acme')
  const { key: secret, keyId } = await key()
  await client.patch(`/api-v1-keys/${keyId}`, { mcp_mode: 'propose' })
  const user = await newColleague(server, 'owner')
  const agent = agentFor({ url: server.url, key: secret })
  const propose = async (tool: string, given: object) => (await agent.use(tool, given)).proposal
  return { ...server, client, key, keyId, user, agent, propose }
}
