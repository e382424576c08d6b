import { type Agent, type AgentOptions, Agent as HttpAgent } from 'node:http'

/** Idle connections of one protocol, to all receivers. The caller bounds those in use. */
const idleSocketsMax = 64
const idleSocketsPerHostMax = 4
const idleMs = 5_000

/** Connections that are kept open for a few seconds. HTTPS is loaded when it is first used, because that takes time at the start. */
export async function createAgent(secure: boolean): Promise<Agent> {
  const Base = secure ? (await import('node:https')).Agent : HttpAgent
  const agent = new Base(options)
  const keepSocketAlive = agent.keepSocketAlive.bind(agent) as (socket: unknown) => boolean
  agent.keepSocketAlive = ((socket) =>
    Object.values(agent.freeSockets).flat().length < idleSocketsMax &&
    keepSocketAlive(socket)) as typeof agent.keepSocketAlive
  return agent
}

const options: AgentOptions = {
  keepAlive: true,
  maxFreeSockets: idleSocketsPerHostMax,
  timeout: idleMs,
  scheduling: 'lifo',
}
